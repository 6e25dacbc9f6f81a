import { z } from 'zod';
import { decodeSegment } from '#shared/urls.ts';

/** The description of one environment variable. */
export interface Variable {
  name: string;
  description: string;
  expected: string;
  /** The default of an unset variable; null where there is none. */
  fallback: string | null;
  isSecret: boolean;
}

/** What the text of a variable must be. Its description says so, where it was given something else. */
type Rule<T> = z.ZodType<T, string>;

/** The environment variable of each leaf of the configuration's schema. */
export const registry = z.registry<Variable>();

/** Returns the leaf of a variable with a default. */
export function variable<T>(name: string, fallback: string, description: string, rule: Rule<T>) {
  const { description: expected = '' } = rule;
  return rule
    .prefault(fallback)
    .register(registry, { name, description, expected, fallback, isSecret: false });
}

/** Returns the leaf of a variable that may be unset, which is null. `fallback`: what usually stands for null then. */
export function optional<T>(
  name: string,
  description: string,
  rule: Rule<T>,
  fallback: string | null = null,
) {
  return nullable(rule, { name, description, fallback, isSecret: false });
}

/** Returns the leaf of a variable that nobody may see, which may be unset, or be in the file that `{name}_FILE` names. */
export function secret<T>(name: string, description: string, rule: Rule<T>) {
  return nullable(rule, { name, description, fallback: null, isSecret: true });
}

function nullable<T>(rule: Rule<T>, variable: Omit<Variable, 'expected'>) {
  const { description: expected = '' } = rule;
  return rule
    .nullable()
    .default(null)
    .register(registry, { ...variable, expected });
}

/** Runs a check where the fields that it reads are valid, whatever others are, so that one start names every bad variable. */
export function whereValid(...fields: string[]) {
  return ({ issues }: z.core.ParsePayload) => issues.every(({ path }) => !fields.includes(String(path?.[0])));
}

/** Rules of values that several subjects have. Each is described by what it expects. */

/** A text that matches a pattern. */
export function text(expected: string, pattern: RegExp) {
  return z.string().regex(pattern).describe(expected);
}

/** An integer within inclusive bounds. */
export function integer(min: number, max: number) {
  return z
    .string()
    .regex(/^[0-9]{1,12}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .describe(`a whole number from ${min} to ${max}`);
}

/** A URL that matches a pattern. URL parsers leave line feeds out. */
export function url(protocol: RegExp, pattern = /^/, normalize = true) {
  return z.string().regex(/^\S+$/).pipe(z.url({ protocol, normalize }).regex(pattern));
}

export const HTTP = /^https?$/;

/** A URL that paths are appended to. Calls would leave out its user, and each picture’s address would show it to readers. */
export const BASE_URL = url(HTTP, /^https?:\/\/[^/@?#]+\/[^?#]*$/)
  .transform((value) => value.replace(/\/+$/, ''))
  .describe('an absolute URL (http:// or https://) without spaces, user, query and fragment');

/** Whether the user and the password of a URL can be decoded, as whoever connects does: each `%` in them is `%25`. */
export const isDecodable = (url: string): boolean => decodeSegment(url) !== null;

const MIB = 1024 * 1024;

/** A size in MiB within inclusive bounds. Its value is in bytes. */
export function mebibytes(min: number, max: number) {
  const size = integer(min, max);
  return size.transform((value) => value * MIB).describe(size.description ?? '');
}

/** One of some words. */
export function oneOf<const Words extends readonly string[]>(words: Words) {
  return z.enum(words).describe(`one of ${words.join(', ')}`);
}

/** Two words, for true and false. */
export function either(truthy: string, falsy: string) {
  return z
    .stringbool({ truthy: [truthy], falsy: [falsy], case: 'sensitive' })
    .describe(`${truthy} or ${falsy}`);
}

export const FOLDER = text('a folder', /^[^\0]{1,1000}$/);
export const HOST = text('an address or host name', /^[\w.:-]{1,255}$/);
export const PORT = integer(0, 65_535);

export const SHARE = z
  .string()
  .regex(/^(0|1|[01]?\.[0-9]{1,15})$/)
  .transform(Number)
  .pipe(z.number().min(0).max(1))
  .describe('a number from 0 to 1');

/** Of a bearer token: at least as much as a random UUID holds. */
export const TOKEN = text('at least 16 visible characters', /^[\x21-\x7e]{16,512}$/);
