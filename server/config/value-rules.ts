import { z } from 'zod';
import type { Rule } from './variable.ts';

/** Rules of values that several subjects have. */

/** A text that matches a pattern. */
export function text(expected: string, pattern: RegExp): Rule<string> {
  return { expected, schema: z.string().regex(pattern) };
}

/** An integer within inclusive bounds. */
export function integer(min: number, max: number): Rule<number> {
  const number = z.int().min(min).max(max);
  return {
    expected: `a whole number from ${min} to ${max}`,
    schema: z
      .string()
      .regex(/^[0-9]{1,12}$/)
      .transform(Number)
      .pipe(number),
  };
}

/** An absolute URL with one of some protocols. A slash at its end is removed. */
export function url(...protocols: string[]): Rule<string> {
  const protocol = new RegExp(`^(${protocols.join('|')})$`);
  return {
    expected: `an absolute URL (${protocols.map((name) => `${name}://`).join(' or ')})`,
    schema: z.url({ protocol }).transform((value) => value.replace(/\/+$/, '')),
  };
}

/** A URL that paths are appended to. Calls would leave out its user, and each picture’s address would show it to readers. */
export const BASE_URL: Rule<string> = {
  expected: 'an absolute URL (http:// or https://) without user, query and fragment',
  schema: z
    .url({ protocol: /^https?$/, normalize: true })
    .regex(/^https?:\/\/[^/@?#]+\/[^?#]*$/)
    .transform((value) => value.replace(/\/+$/, '')),
};

const MIB = 1024 * 1024;

/** A size in MiB within inclusive bounds. Its value is in bytes. */
export function mebibytes(min: number, max: number): Rule<number> {
  const { expected, schema } = integer(min, max);
  return { expected, schema: schema.transform((size) => size * MIB) };
}

export const FOLDER = text('a folder', /^[^\0]{1,1000}$/);
export const HOST = text('an address or host name', /^[\w.:-]{1,255}$/);
export const HTTP_URL = url('http', 'https');
export const PORT = integer(0, 65_535);

export const SHARE: Rule<number> = {
  expected: 'a number from 0 to 1',
  schema: z
    .string()
    .regex(/^(0|1|[01]?\.[0-9]{1,6})$/)
    .transform(Number)
    .pipe(z.number().min(0).max(1)),
};

/** At least as much as a random UUID holds. */
export const SECRET = text('at least 16 visible characters', /^[\x21-\x7e]{16,512}$/);
