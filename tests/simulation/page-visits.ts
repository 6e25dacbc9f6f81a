import type { Reading } from '#server/cache/dependency-tracker.ts';
import type { Resource } from '#server/cache/resources.ts';
import type { AnswerCache, Built, Served } from '#server/render/response-cache.ts';
import type { CacheInvariant, CacheInvariants, Reader } from './cache-invariants.ts';
import type { Key, Page } from './cache-scenarios.ts';
import type { Judge } from './invariant-checker.ts';
import { DATA, type PageText } from './pages.ts';
import { now } from './simulated-clock.ts';
import type { Allowance, Allowances } from './staleness-bounds.ts';

export interface PageVisitsOptions {
  judge: Judge<CacheInvariant>;
  invariants: CacheInvariants;
  allowances: Allowances;
  moment: () => number;
  build: (page: Page, reading: Reading) => Promise<Built<PageText>>;
  /** What the content cache has. */
  cached: () => Map<string, unknown>;
}

/** A page that misses data is made again after this long (architecture, Laws). */
const INCOMPLETE_MS = 5_000;

interface Build {
  at: number;
  /** The moment, and the time. */
  ended: number;
  endedAt: number;
  allowed: Allowance;
}

/** Readers of pages, in one process. What a page is made of must be good enough for each of them. */
export function createPageVisits({
  judge,
  invariants,
  allowances,
  moment,
  build,
  cached,
}: PageVisitsOptions) {
  const builds = new WeakMap<PageText, Build>();
  const bodies = new Map<string, string>();

  async function built(page: Page, reading: Reading): Promise<Built<PageText>> {
    const at = now();
    const allowed = allowances.begin();
    try {
      const made = await build(page, reading);
      if (made.kind === 'answer') builds.set(made.extra, { at, ended: moment(), endedAt: now(), allowed });
      return made;
    } finally {
      allowed.end();
    }
  }

  /**
   * A reader who waits for a build gets data as old as that build's readings of it. A page that misses data stands for
   * a while without a look at the rest of it.
   */
  function asOld(reader: Reader, { page, values }: PageText, making: Build): Reader {
    const missing = values.length < DATA[page].length;
    if (!missing && making.ended < reader.since) return reader;
    const mostMs = (of: Resource) =>
      Math.max(reader.allowed.mostMs(of), making.allowed.mostMs(of)) + (missing ? INCOMPLETE_MS : 0);
    const late = Math.max(0, reader.at - making.endedAt);
    judge(
      'a page that misses data is soon made again',
      !missing || late < INCOMPLETE_MS,
      () => `${page} was made ${late} ms ago`,
    );
    return { since: reader.since, at: Math.min(reader.at, making.at), allowed: { mostMs } };
  }

  /** `known`: what was cached when the reader came. */
  function lookAtStanding({ page, values }: PageText, known: Map<string, unknown>): void {
    for (const { key, value } of values) {
      const isSame = !known.has(key) || JSON.stringify(known.get(key)) === JSON.stringify(value);
      judge('a page that stands is made of the data that is cached', isSame, () => `${page}: ${key}`);
    }
  }

  function look(page: Page, reader: Reader, served: Served<PageText>, known: Map<string, unknown>): void {
    if (served.kind !== 'answer') return;
    const body = served.answer.variants.identity.body.toString();
    const text: { page: Page; values: { key: Key; value: { version: number } }[] } = JSON.parse(body);
    const made = `${page} ${text.values.map(({ key, value }) => `${key} ${value.version}`).join(', ')}`;
    const first = bodies.get(made) ?? body;
    bodies.set(made, first);
    judge(
      'a page follows from its address and the versions of its data',
      text.page === page && body === first,
      () => `${made}: ${body}`,
    );
    const making = builds.get(served.extra);
    if (making && making.ended < reader.since) lookAtStanding(served.extra, known);
    const of = making ? asOld(reader, served.extra, making) : reader;
    for (const { key, value } of text.values) invariants.served(key, value, of);
  }

  return {
    async get(answers: AnswerCache<PageText>, page: Page): Promise<void> {
      const allowed = allowances.begin();
      const reader: Reader = { since: moment(), at: now(), allowed };
      try {
        const known = cached();
        look(page, reader, await answers.get(page, (reading) => built(page, reading)), known);
      } catch {
        // Its subject could not be had, which is said with another status.
      } finally {
        allowed.end();
      }
    },
  };
}

export type PageVisits = ReturnType<typeof createPageVisits>;
