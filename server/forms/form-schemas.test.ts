import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ZodObject, z } from 'zod';
import { ContactBody, ContactFields, SubscriptionBody } from './form-schemas.ts';

/** Characters that the rules distinguish, and any other. */
const character = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(..."ab12@. ',+-()é李\t\n\r\u0000\u0085\u00a0\u2028!𝒜") },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }) },
);
const text = (maxLength: number) => fc.string({ unit: character, maxLength });
const repeated = fc.tuple(character, fc.nat(300)).map(([one, times]) => one.repeat(times));
const phone = fc.string({ unit: fc.constantFrom(...'0123456789+-(). '), maxLength: 18 });
const email = fc.tuple(text(6), text(6), text(6)).map(([name, host, end]) => `${name}@${host}.${end}`);
const given = fc.oneof(text(20), repeated, phone, email, fc.constantFrom(undefined, null), fc.integer());

const BODIES: [string, ZodObject, fc.Arbitrary<unknown>][] = [
  ['a subscription', SubscriptionBody, fc.constant(true)],
  ['a message', ContactBody, fc.constantFrom(true, false, 'true')],
  ['a message’s fields', ContactFields, fc.constantFrom('true', 'on', '1', 'off', true)],
];

describe.each(BODIES)('the OpenAPI schema of %s', (_name, schema, optIn) => {
  const validate = new Ajv2020().compile(z.toJSONSchema(schema, { io: 'input' }));
  const fine = { firstName: 'Ada', lastName: 'Quill', email: 'a@b.c', phone: '123456' };

  it('accepts what the server accepts', () => {
    const fields = ['firstName', 'lastName', 'email', 'phone', 'message'];
    const body = fc
      .tuple(fc.constantFrom(...fields), given, optIn)
      .map(([field, value, box]) => ({ ...fine, [field]: value, optIn: box }))
      // Not everything has a JSON form.
      .map((sent): unknown => JSON.parse(JSON.stringify(sent)));
    fc.assert(
      fc.property(body, (sent) => {
        expect(validate(sent)).toBe(schema.safeParse(sent).success);
      }),
      { numRuns: 2_000 },
    );
  });
});
