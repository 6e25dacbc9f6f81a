import { setImmediate as nextTurn } from 'node:timers/promises';
import { canonicalPath, splitTarget } from '#shared/canonical-path.ts';
import type { AddMistake } from './site-schema.ts';

/** Where a request is redirected. `location` is empty for 410. */
export interface Redirect {
  status: 301 | 302 | 308 | 410;
  location: string;
}

/** Returns the redirect of a request target; null where there is none. */
export type FindRedirect = (target: string) => Redirect | null;

const FILE = 'redirects.txt';
const STATUSES = [301, 302, 308, 410] as const;
/** More than any sensible chain has: what goes on is a circle. */
const MAX_STEPS = 100;
/** Lines that are read in one turn of the event loop. */
const LINES_A_TURN = 500;
/** No control character, which would end the header, no second slash, which would begin a host, and no `*` in a host. */
const TARGET = /^\/(?!\/)[\x21-\x7e]*$|^https?:\/\/(?:(?![/*])[\x21-\x7e])+(?:\/[\x21-\x7e]*)?$/;

/**
 * Targets after their status (`301/news`) by what they are for: a path, one with a query, or one with `*` at its end. One
 * string, because objects would double the memory of long lists.
 */
type Rules = Map<string, string>;

function toRedirect(value: string): Redirect {
  const given = Number(value.slice(0, 3));
  const status = STATUSES.find((known) => known === given) ?? 301;
  return { status, location: value.slice(3) };
}

/**
 * Returns the key of a rule: the path canonical, a query as it is written, a `*` where the path ends, which may be within a
 * segment. Null where no request can match it.
 */
function keyOf(from: string): string | null {
  const [path, query] = splitTarget(from);
  const isPrefix = from.endsWith('*');
  if (isPrefix && query !== '') return null;
  const written = isPrefix ? path.slice(0, -1) : path;
  const canonical = canonicalPath(written);
  if (canonical === null || !isPrefix) return canonical && canonical + query;
  return written.endsWith('/') && written !== '/' ? `${canonical}/*` : `${canonical}*`;
}

/** Returns the key and the target of a line; a text: what is expected in its place. `lineOf`: lines of earlier rules, by key. */
function parseRule(line: string, lineOf: ReadonlyMap<string, number>): [key: string, value: string] | string {
  const [from = '', given = '', third = '301', ...rest] = line.trim().split(/\s+/);
  // A header holds no other letters. A host keeps its meaning: URL parsers decode it.
  const target = given.replace(/\P{ASCII}+/gu, encodeURIComponent);
  const status = STATUSES.find((known) => String(known) === (target === '410' ? target : third));
  const key = keyOf(from);
  if (key === null) return 'a path that begins with a slash, with a query or * at its end, expected first';
  if (status === undefined || rest.length > 0) return '“from to [301, 302, 308 or 410]” expected';
  if (status !== 410 && !TARGET.test(target)) return 'a path or an absolute URL expected second';
  if (key.endsWith('*') && /\*./.test(target)) return 'a * at the end alone expected second';
  if (lineOf.has(key)) return `one rule for ${from} expected, it has another in line ${lineOf.get(key)}`;
  return [key, status === 410 ? '410' : `${status}${target}`];
}

/**
 * Reads `redirects.txt`: `from to [status]`, one a line, exact, with `*` at the end of both, or with a query. Chains lead
 * to their end at once. Null where it has no rules.
 */
export async function readRedirects(text: string, addMistake: AddMistake): Promise<FindRedirect | null> {
  const rules: Rules = new Map();
  const lineOf = new Map<string, number>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (index % LINES_A_TURN === 0) await nextTurn();
    if (/^\s*(#|$)/.test(line)) continue;
    const rule = parseRule(line, lineOf);
    if (typeof rule === 'string') {
      addMistake(`${FILE}:${index + 1}`, rule);
      continue;
    }
    rules.set(...rule);
    lineOf.set(rule[0], index + 1);
  }
  if (rules.size === 0) return null;
  const find = createFind(rules);
  for (const [index, [key, value]] of [...rules].entries()) {
    if (index % LINES_A_TURN === 0) await nextTurn();
    const end = endOf(value, find);
    if (end === null)
      addMistake(
        `${FILE}:${lineOf.get(key)}`,
        `an end of the redirects from ${key} expected, they lead in a circle or on for ${MAX_STEPS} steps`,
      );
    else rules.set(key, end);
  }
  return (target) => {
    const found = find(target);
    // What a pattern has filled in may be the path of another rule.
    const end = found && endOf(`${found.status}${found.location}`, find);
    return end ? toRedirect(end) : found;
  };
}

/** Follows a rule's target through other rules. Null for a circle. */
function endOf(value: string, find: FindRedirect): string | null {
  let { status, location } = toRedirect(value);
  for (let step = 0; location.startsWith('/'); step++) {
    if (step === MAX_STEPS) return null;
    const next = find(location);
    if (next === null) break;
    if (next.status === 410) return '410';
    ({ location } = next);
  }
  return `${status}${location}`;
}

function createFind(rules: Rules): FindRedirect {
  const prefixes = new Set([...rules.keys()].flatMap((key) => (key.endsWith('*') ? [key.slice(0, -1)] : [])));
  /** The longest first. They are few, however many rules there are. */
  const lengths = [...new Set([...prefixes].map(({ length }) => length))].sort((one, other) => other - one);

  function longestPrefix(path: string): string | undefined {
    const length = lengths.find((some) => some <= path.length && prefixes.has(path.slice(0, some)));
    return length === undefined ? undefined : path.slice(0, length);
  }

  return (target) => {
    const [written, query] = splitTarget(target);
    const isPlain = !written.includes('%') && !(written.length > 1 && written.endsWith('/'));
    const path = isPlain ? written : canonicalPath(written);
    if (path === null) return null;
    const specific = query === '' ? undefined : rules.get(path + query);
    if (specific !== undefined) return toRedirect(specific);
    const exact = rules.get(path);
    if (exact !== undefined) return withQueryOf(toRedirect(exact), query);
    const whole = isPlain || !written.endsWith('/') ? path : `${path}/`;
    const prefix = longestPrefix(whole);
    const value = prefix === undefined ? undefined : rules.get(`${prefix}*`);
    if (value === undefined) return null;
    const { status, location } = toRedirect(value);
    const rest = whole.slice(prefix?.length);
    return withQueryOf({ status, location: location.replace(/\*$/, () => rest) }, query);
  };
}

/** Returns a redirect whose target has the query of the request, unless it has one of its own. */
function withQueryOf({ status, location }: Redirect, query: string): Redirect {
  // What a request brings must not make a host of the first segment: browsers take `//` and `/\\` for its beginning.
  const local = location.replace(/^\/[/\\]+/, '/');
  if (status === 410 || query === '' || local.includes('?')) return { status, location: local };
  return { status, location: local.replace(/#.*|$/, (fragment) => query + fragment) };
}
