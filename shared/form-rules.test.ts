import { describe, expect, it } from 'vitest';
import { contactErrors, EMAIL_RULE, MESSAGE_RULE, matchesRule, NAME_RULE, PHONE_RULE } from './form-rules.ts';

const isEmail = (text: string) => matchesRule(text, EMAIL_RULE);
const isName = (text: string) => matchesRule(text, NAME_RULE);
const isPhone = (text: string) => matchesRule(text, PHONE_RULE);
const isMessage = (text: string) => matchesRule(text, MESSAGE_RULE);

describe('isEmail', () => {
  it.each(['a@b.c', 'first.last@mail.example.com', 'ü@ö.de', 'a+b@c.d.e', `${'a'.repeat(240)}@example.com`])(
    'accepts %s',
    (text) => {
      expect(isEmail(text)).toBe(true);
    },
  );

  it.each([
    '',
    'a',
    '@b.c',
    'a@',
    'a@b',
    'a@.c',
    'a@b.',
    'a b@c.d',
    'a@b c.d',
    ' a@b.c',
    'a@b.c ',
    'a@b@c.d',
    'a@b.c\nBcc: d@e.f',
    'a\u00a0b@c.d',
    `${'a'.repeat(251)}@b.c`,
  ])('rejects %j', (text) => {
    expect(isEmail(text)).toBe(false);
  });
});

describe('isName', () => {
  it.each(['Ada', "O'Neill", 'Jean Luc', 'Dr. Quill, PhD', 'José', 'Nguyễn', '李', 'a1', ' Ada', 'a@b'])(
    'accepts %s',
    (text) => {
      expect(isName(text)).toBe(true);
    },
  );

  it.each(['', '123', '.,@', '@', 'Ada ', 'Ada!', 'A<b>', 'Ada\n', 'Ada-Maria', '   ', 'x'.repeat(101)])(
    'rejects %j',
    (text) => {
      expect(isName(text)).toBe(false);
    },
  );
});

describe('isPhone', () => {
  it.each(['123456', '+1 202 555', '(020) 7946-0000', '1.2.3.4', '+12025550142', '123456789012345'])(
    'accepts %s',
    (text) => {
      expect(isPhone(text)).toBe(text.length <= 15);
    },
  );

  it.each(['12345', '1234567890123456', '123  456', ' 123456', '123456 ', '12345a', '+1 202-555-01422'])(
    'rejects %j',
    (text) => {
      expect(isPhone(text)).toBe(false);
    },
  );
});

describe('the rules', () => {
  it('return the specification’s message for every invalid field', () => {
    expect(
      contactErrors({ firstName: '', lastName: '1', email: 'x', phone: '1', message: '', optIn: false }),
    ).toEqual({
      firstName: 'Please provide a valid first name.',
      lastName: 'Please provide a valid last name.',
      email: 'Please provide a valid email.',
      phone: 'Please provide a valid phone number.',
      optIn: 'Acknowledgment is required !',
    });
  });

  it('allow an empty message and line breaks, but no control characters', () => {
    const given = { firstName: 'Ada', lastName: 'Quill', email: 'a@b.c', phone: '123456', optIn: true };
    expect(contactErrors({ ...given, message: '' })).toEqual({});
    expect(contactErrors({ ...given, message: 'one\r\ntwo' })).toEqual({});
    expect(contactErrors({ ...given, message: 'one\u0000' })).toHaveProperty('message');
  });

  it('count code points, not code units', () => {
    expect(isName('𝒜'.repeat(100))).toBe(true);
    expect(isName('𝒜'.repeat(101))).toBe(false);
    expect(isMessage('🙂'.repeat(5_000))).toBe(true);
    expect(isMessage('🙂'.repeat(5_001))).toBe(false);
    expect(isMessage('')).toBe(true);
  });

  it('take linear time on hostile input', () => {
    const long = (text: string) => text.repeat(200_000);
    const started = process.threadCpuUsage();
    for (const text of [long('a@'), long('.'), long(' '), `a@${long('a')}`, `a@${long('.')}`, long('1 ')]) {
      isEmail(text);
      isName(text);
      isPhone(text);
      isMessage(text);
      // Without the length check.
      for (const { pattern } of [EMAIL_RULE, NAME_RULE, PHONE_RULE, MESSAGE_RULE]) pattern.test(text);
    }
    expect(process.threadCpuUsage(started).user / 1000).toBeLessThan(1_000);
  });
});
