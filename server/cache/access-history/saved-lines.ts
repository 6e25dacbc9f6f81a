import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { RESOURCES, type Resource } from '#shared/models/resources.ts';
import { type KeyAccesses, MAX_RUN_SECONDS, RUN_FIELDS } from './key-accesses.ts';
import type { ResourceHistory, SavedKey } from './resource-history.ts';

const moments = z.array(z.number());
/** Seconds since 1970 have ten digits; so have reads of a minute. */
const counts = z.array(z.int());

const Accesses = z
  .tuple([counts, counts, moments, z.number().nullable()])
  .transform(([runs, cold, changes, cachedSince]): KeyAccesses => ({ runs, cold, changes, cachedSince }))
  .refine(({ runs }) => areRuns(runs), 'The runs are not ascending runs of reads.')
  .refine(({ cold, changes }) => isAscending(cold) && isAscending(changes), 'The moments do not ascend.');

const KeyLine = z.strictObject({ key: z.string(), isBusy: z.boolean(), history: Accesses });

/** Follows the keys of its resource: none of their times is later than its `now`. */
const WindowLine = z.strictObject({
  resource: z.enum(RESOURCES),
  since: z.number(),
  now: z.number(),
  threshold: z.number().positive(),
  total: Accesses,
});

const Line = z.union([KeyLine, WindowLine]);

/** Yields what is recorded as lines of JSON: for each resource its keys, then its window. `now`: returns seconds. */
export function* savedLines(
  histories: Readonly<Record<Resource, ResourceHistory>>,
  now: () => number,
): Generator<string> {
  for (const resource of RESOURCES) {
    for (const { key, isBusy, history } of histories[resource].keys())
      yield JSON.stringify({ key, isBusy, history: valuesOf(history) });
    const { total, ...window } = histories[resource].window(now());
    yield JSON.stringify({ resource, ...window, total: valuesOf(total) });
  }
}

/** Characters that are parsed in one turn of the event loop: about 3 ms. */
const SLICE_LENGTH = 65_536;

/**
 * Restores histories from their lines. Rejects for lines that are none; nothing is changed then. `now`: returns seconds.
 * Yields to the event loop: a full history takes a quarter of a second of processor time.
 */
export async function restoreLines(
  histories: Readonly<Record<Resource, ResourceHistory>>,
  lines: readonly string[],
  now: () => number,
): Promise<void> {
  const restores: (() => void)[] = [];
  let keys: SavedKey[] = [];
  let parsed = 0;
  for (const text of lines) {
    if (parsed > SLICE_LENGTH) {
      await nextTurn();
      parsed = 0;
    }
    parsed += text.length;
    const line = Line.parse(JSON.parse(text));
    if ('key' in line) {
      keys.push(line);
      continue;
    }
    const { resource, ...window } = line;
    const ofResource = keys;
    restores.push(() => histories[resource].restore(window, ofResource, now()));
    keys = [];
  }
  for (const restore of restores) {
    await nextTurn();
    restore();
  }
}

function valuesOf({ runs, cold, changes, cachedSince }: KeyAccesses): z.input<typeof Accesses> {
  return [runs, cold, changes, cachedSince];
}

/** The simulator divides by the counts of runs, and searches in moments. */
function areRuns(runs: readonly number[]): boolean {
  if (runs.length % RUN_FIELDS !== 0) return false;
  let end = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < runs.length; i += RUN_FIELDS) {
    const [start = 0, duration = 0, reads = 0] = runs.slice(i, i + RUN_FIELDS);
    if (start < end || duration < 1 || duration > MAX_RUN_SECONDS || reads < 1) return false;
    end = start + duration;
  }
  return true;
}

function isAscending(values: readonly number[]): boolean {
  return values.every((value, index) => index === 0 || value >= (values[index - 1] ?? value));
}
