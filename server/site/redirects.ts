import { setImmediate as nextTurn } from 'node:timers/promises';
import { canonicalPath, splitTarget } from '#shared/canonical-path.ts';
import type { Mistakes } from './site-folder-error.ts';

/** Where a request is redirected. `location` is empty for 410. */
export interface Redirect {
  status: 301 | 302 | 308 | 410;
  location: string;
}

/** Returns the redirect of a request target; null where there is none. */
export type FindRedirect = (target: string) => Redirect | null;

const FILE = 'redirects.txt';
const STATUSES = [301, 302, 308, 410] as const;
/** More than any sensible chain: what goes on is a circle. */
const MAX_STEPS = 20;
/** Lines that are read in one turn of the event loop. */
const LINES_A_TURN = 500;
/** Query parameters of a request that a rule with a query is looked for by. */
const MAX_PARAMETERS = 8;
/**
 * Control characters would end the header, and a second slash begin a host. A host ends before what the pattern adds.
 */
const TARGET = /^\/(?!\/)[\x21-\x7e]*$|^https?:\/\/(?:(?![/*])[\x21-\x7e])+(?:\/[\x21-\x7e]*)?$/;

/**
 * A rule's value is its target after its status (`301/news`): one string, because objects would double the memory of long
 * lists.
 */
type Rules = Map<string, string>;

function toRedirect(value: string): Redirect {
  const status = STATUSES.find((known) => value.startsWith(String(known))) ?? 301;
  return { status, location: value.slice(3) };
}

/** Returns a path as rules are kept: canonical, a query as it is written. Null where no request can have it. */
function keyOf(text: string): string | null {
  const [path, query] = splitTarget(text);
  const canonical = canonicalPath(path);
  return canonical && canonical + query;
}

/**
 * Reads `redirects.txt`: `from to [status]`, one a line, exact, with `*` at the end of both, or with a query. Chains lead
 * to their end at once. Null where it has no rules.
 */
export async function readRedirects(text: string, mistakes: Mistakes): Promise<FindRedirect | null> {
  const exact: Rules = new Map();
  const prefixes: Rules = new Map();
  const lineOf = new Map<string, number>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (index % LINES_A_TURN === 0) await nextTurn();
    const at = `${FILE}:${index + 1}`;
    if (/^\s*(#|$)/.test(line)) continue;
    const [from = '', second = '', third, ...rest] = line.trim().split(/\s+/);
    const isGone = second === '410';
    const status = STATUSES.find((known) => String(known) === (isGone ? second : (third ?? '301')));
    const isPrefix = from.endsWith('*');
    const key = isPrefix ? keyOfPrefix(from.slice(0, -1)) : keyOf(from);
    if (key === null) mistakes.add(at, 'a path that begins with a slash expected first');
    else if (status === undefined || rest.length > 0)
      mistakes.add(at, '“from to [301, 302, 308 or 410]” expected');
    else if (!isGone && status !== 410 && !TARGET.test(second))
      mistakes.add(at, 'a path or an absolute URL of visible ASCII characters expected second');
    else if (lineOf.has(from))
      mistakes.add(at, `one rule for ${from} expected, it has another in line ${lineOf.get(from)}`);
    else {
      lineOf.set(from, index + 1);
      (isPrefix ? prefixes : exact).set(key, status === 410 ? '410' : `${status}${second}`);
    }
  }
  if (exact.size + prefixes.size === 0) return null;
  const find = createFind(exact, prefixes);
  for (const rules of [exact, prefixes])
    for (const [index, [key, value]] of [...rules].entries()) {
      if (index % LINES_A_TURN === 0) await nextTurn();
      const end = endOf(value, find);
      const from = rules === prefixes ? `${key}*` : key;
      if (end === null)
        mistakes.add(
          `${FILE}:${lineOf.get(from) ?? ''}`,
          `an end of the redirects from ${from} expected, they lead in a circle`,
        );
      else if (end !== value) rules.set(key, end);
    }
  return find;
}

/** A prefix may end within a segment, or with a slash. */
function keyOfPrefix(text: string): string | null {
  const key = text === '/' ? '/' : keyOf(text);
  return key === null ? null : text.endsWith('/') && key !== '/' ? `${key}/` : key;
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

function createFind(exact: Rules, prefixes: Rules): FindRedirect {
  const sorted = [...prefixes.keys()].sort();
  /** Index of the longest other prefix that each one begins with; -1 for none. */
  const parents: number[] = [];
  for (const [index, prefix] of sorted.entries()) {
    let parent = index - 1;
    while (parent >= 0 && !prefix.startsWith(sorted[parent] ?? '')) parent = parents[parent] ?? -1;
    parents.push(parent);
  }

  /** The longest prefix of a path: binary search for the last one that is not after it, then its parents. */
  function longestPrefix(path: string): string | undefined {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] ?? '') <= path) low = middle + 1;
      else high = middle;
    }
    let index = low - 1;
    while (index >= 0 && !path.startsWith(sorted[index] ?? '')) index = parents[index] ?? -1;
    return sorted[index];
  }

  function withQuery(path: string, query: string): string | undefined {
    const whole = exact.get(path + query);
    if (whole !== undefined) return whole;
    for (const parameter of query.slice(1).split('&', MAX_PARAMETERS)) {
      const found = exact.get(`${path}?${parameter}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  return (target) => {
    const [written, query] = splitTarget(target);
    const isPlain = !written.includes('%') && !(written.length > 1 && written.endsWith('/'));
    const path = isPlain ? written : canonicalPath(written);
    if (path === null) return null;
    const specific = query === '' ? undefined : withQuery(path, query);
    if (specific !== undefined) return toRedirect(specific);
    const plain = exact.get(path);
    const whole = isPlain || !written.endsWith('/') ? path : `${path}/`;
    const prefix = plain === undefined ? longestPrefix(whole) : undefined;
    const value = plain ?? (prefix === undefined ? undefined : prefixes.get(prefix));
    if (value === undefined) return null;
    const { status, location } = toRedirect(value);
    if (status === 410) return { status, location };
    const filled =
      prefix !== undefined && location.endsWith('*')
        ? location.slice(0, -1) + whole.slice(prefix.length)
        : location;
    // What a request brings must not make a host of the first segment: browsers take `//` and `/\\` for its beginning.
    const local = filled.replace(/^\/[/\\]+/, '/');
    return { status, location: query === '' || local.includes('?') ? local : local + query };
  };
}
