import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CONTACT_FIELDS,
  CONTACT_MESSAGES,
  checkEmail,
  isEmail,
  isMessage,
  isName,
  isPhone,
  validateContact,
} from './form-rules.ts';

const right = {
  firstName: 'Ada',
  lastName: "O'Brien, Jr.",
  email: 'ada@example.com',
  phone: '+1 202-555-0142',
  message: '',
  optIn: true,
};

describe('an e-mail address', () => {
  it.each(['a@b.c', 'ada.quill+news@mail.example.com', 'x@y..z', 'ü@exämple.de'])('may be %j', (text) => {
    expect(isEmail(text)).toBe(true);
    expect(checkEmail(text)).toBeNull();
  });

  it.each([
    '',
    'ada',
    'ada@example',
    '@example.com',
    'ada@.com',
    'ada@example.',
    'ada@@example.com',
    'a@b@c.d',
    'ada @example.com',
    'ada@exam\tple.com',
    'ada@example.com\n',
    'ada@example.com\u00a0',
    'ada\u0000@example.com',
  ])('may not be %j', (text) => {
    expect(isEmail(text)).toBe(false);
    expect(checkEmail(text)).toBe('Please enter a valid email address.');
  });

  it('has at most 254 characters', () => {
    const ofLength = (length: number) => `${'a'.repeat(length - '@b.cd'.length)}@b.cd`;
    expect(isEmail(ofLength(254))).toBe(true);
    expect(isEmail(ofLength(255))).toBe(false);
  });

  it('is text, at sign, text, dot, text for whatever stands in those places', () => {
    const text = fc.stringMatching(/^[a-z0-9]{1,20}$/);
    fc.assert(
      fc.property(text, text, text, (name, host, end) => {
        expect(isEmail(`${name}@${host}.${end}`)).toBe(true);
        expect(isEmail(`${name}@${host}. ${end}`)).toBe(false);
        expect(isEmail(`${name}@${host}${end}`)).toBe(false);
      }),
    );
  });
});

describe('a name', () => {
  it.each([
    'Ada',
    'ada quill',
    "O'Brien",
    'Quill, Jr.',
    'X Æ 12',
    'a@b',
    'Zoë',
    'Zoe\u0308',
    '李小龍',
    'प्रिया',
    'Łukasz',
    "'",
    '7 of 9 a',
  ])('may be %j', (text) => {
    expect(isName(text)).toBe(true);
  });

  it.each([
    '',
    ' ',
    '12345',
    '.',
    ',,',
    '@.,',
    'Ada ',
    'Ada!',
    'Jean-Luc',
    'A\nB',
    'A\tB',
    'A\u00a0B',
    '<b>',
    '😀',
  ])('may not be %j', (text) => {
    expect(isName(text)).toBe(false);
  });

  it('has at most 100 characters, however many code units they take', () => {
    expect(isName('a'.repeat(100))).toBe(true);
    expect(isName('a'.repeat(101))).toBe(false);
    expect(isName('𠮷'.repeat(100))).toBe(true);
    expect(isName('𠮷'.repeat(101))).toBe(false);
  });

  it('may be any letter with any mark', () => {
    const letter = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
      .filter((text) => /^\p{L}\p{M}*$/u.test(text));
    fc.assert(fc.property(letter, (text) => isName(text)));
  });
});

describe('a phone number', () => {
  it.each(['123456', '+1 202-555-0142', '(020) 7946 0', '1.2.3.4', '1 2 3 4'])('may be %j', (text) => {
    expect(isPhone(text)).toBe(true);
  });

  it.each([
    '12345',
    '1234567890123456',
    '12  3456',
    ' 123456',
    '123456 ',
    '12345a',
    '123\t456',
    '123\n456',
    '１２３４５６',
  ])('may not be %j', (text) => {
    expect(isPhone(text)).toBe(false);
  });

  it('has 6 to 15 characters', () => {
    const lengths = Array.from({ length: 20 }, (_, length) => length).filter((length) =>
      isPhone('1'.repeat(length)),
    );
    expect(lengths).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  });
});

describe('a message', () => {
  it('may be empty, of several lines, and of 5000 characters', () => {
    expect(isMessage('')).toBe(true);
    expect(isMessage('one\r\ntwo\n\n😀')).toBe(true);
    expect(isMessage('a'.repeat(5_000))).toBe(true);
    expect(isMessage('😀'.repeat(5_000))).toBe(true);
  });

  it('may not be longer, nor hold control characters other than line breaks', () => {
    expect(isMessage('a'.repeat(5_001))).toBe(false);
    expect(isMessage('😀'.repeat(5_001))).toBe(false);
    for (const character of ['\0', '\t', '\u001b', '\u007f', '\u0085', '\ud800'])
      expect(isMessage(`a${character}b`)).toBe(false);
  });
});

describe('a contact form', () => {
  it('without mistakes has no messages', () => {
    expect(validateContact(right)).toEqual({});
  });

  it('that is empty has the specification’s message for each required field', () => {
    expect(
      validateContact({ firstName: '', lastName: '', email: '', phone: '', message: '', optIn: false }),
    ).toEqual({
      firstName: 'Please provide a valid first name.',
      lastName: 'Please provide a valid last name.',
      email: 'Please provide a valid email.',
      phone: 'Please provide a valid phone number.',
      optIn: 'Acknowledgment is required !',
    });
  });

  it.each(CONTACT_FIELDS)('has a message at %s alone when that is the one that is wrong', (field) => {
    const wrong = { ...right, [field]: field === 'optIn' ? false : '\0' };
    expect(validateContact(wrong)).toEqual({ [field]: CONTACT_MESSAGES[field] });
  });
});

describe('every rule', () => {
  const rules = { isEmail, isName, isPhone, isMessage };

  it.each(['a', ' ', '.', '@', '1', '1 ', 'a.', 'a@', 'a ', '-(', '\u0301', '😀'])(
    'answers a text of 100,000 times %j in linear time',
    (unit) => {
      const text = unit.repeat(100_000);
      const start = performance.now();
      for (const rule of Object.values(rules))
        for (const end of ['', '!', ' ']) expect(rule(text + end)).toBe(false);
      // A quadratic rule would need seconds.
      expect(performance.now() - start).toBeLessThan(250);
    },
  );

  it('answers any text, and no control character passes outside of messages', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 0, max: 31 }), (text, code) => {
        for (const rule of Object.values(rules)) expect(typeof rule(text)).toBe('boolean');
        const control = String.fromCharCode(code);
        expect(
          isName(`a${text}${control}a`) || isEmail(`a@b.${text}${control}`) || isPhone(`12345${control}6`),
        ).toBe(false);
      }),
    );
  });
});
