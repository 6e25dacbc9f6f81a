import { deserialize, serialize } from 'node:v8';
import { z } from 'zod';
import { MAX_SERIES } from '#shared/metric-declarations.ts';
import type { Sample } from './read-sample.ts';

/** Ten seconds for an hour, a minute for a day: with `MAX_SERIES` numbers of 8 bytes 1.7 MB. */
const LEVELS = [
  { stepMs: 10_000, length: 360 },
  { stepMs: 60_000, length: 1_440 },
] as const;
/** Samples come every ten seconds, give or take. */
const TOLERANCE_MS = 5_000;
/** Of the file: raise it when its layout changes. */
const VERSION = 2;

const Row = z.object({
  /** Wall milliseconds. */
  at: z.number(),
  /** By the place of the series; not a number where the series did not exist. */
  values: z.instanceof(Float64Array).refine(({ length }) => length === MAX_SERIES),
});
type Row = z.infer<typeof Row>;

const Saved = z.object({
  version: z.literal(VERSION),
  series: z.array(z.string().max(300)).max(MAX_SERIES),
  levels: z.tuple([z.array(Row).max(LEVELS[0].length), z.array(Row).max(LEVELS[1].length)]),
});

/** Makes an empty ring: the last day of the sampled series, in constant memory. */
export function createSampleRing() {
  let names: string[] = [];
  /** Of each level, oldest first. */
  let levels: [Row[], Row[]] = [[], []];

  function placeOf(series: string, current: Sample): number {
    const known = names.indexOf(series);
    if (known >= 0) return known;
    if (names.length < MAX_SERIES) return names.push(series) - 1;
    // Of a series that an earlier process had and this one has not, or that others have displaced.
    const abandoned = names.findIndex((name) => !current.has(name));
    names[abandoned] = series;
    for (const { values } of levels.flat()) values[abandoned] = Number.NaN;
    return abandoned;
  }

  return {
    /** Adds a sample of at most `MAX_SERIES` series, every ten seconds and at the stop (`isLast`). `at`: wall milliseconds. */
    add(sample: Sample, at: number, isLast = false): void {
      const values = new Float64Array(MAX_SERIES).fill(Number.NaN);
      for (const [series, value] of sample) values[placeOf(series, sample)] = value;
      for (const [nth, { stepMs, length }] of LEVELS.entries()) {
        const rows = levels[nth] ?? [];
        // A clock that was set back: what is later than now was never so, and times are ascending.
        while ((rows.at(-1)?.at ?? Number.NEGATIVE_INFINITY) >= at) rows.pop();
        const sinceLast = at - (rows.at(-1)?.at ?? Number.NEGATIVE_INFINITY);
        if (!isLast && sinceLast < stepMs - TOLERANCE_MS) continue;
        rows.push({ at, values });
        if (rows.length > length) rows.shift();
      }
    },
    /** Names of the series, in the order of the values. */
    series: (): readonly string[] => [...names],
    /** Returns the last `minutes` before `now` in the finest resolution that goes back so far: by sample, then by series; null: none. */
    rows(minutes: number, now: number) {
      const fits = ({ stepMs, length }: (typeof LEVELS)[number]) => stepMs * length >= minutes * 60_000;
      const level = fits(LEVELS[0]) ? 0 : 1;
      const { stepMs } = LEVELS[level];
      // By their times: while no process ran there were none.
      const chosen = levels[level].filter(({ at }) => at <= now && at >= now - minutes * 60_000 - stepMs);
      return {
        stepMs,
        at: chosen.map(({ at }) => at),
        values: chosen.map(({ values }) =>
          names.map((_, place) => {
            const value = values[place] ?? Number.NaN;
            return Number.isNaN(value) ? null : value;
          }),
        ),
      };
    },
    save: (): Buffer => serialize({ version: VERSION, series: names, levels }),
    /** Restores what `save` returned. Throws for anything else. */
    restore(saved: Buffer): void {
      ({ series: names, levels } = Saved.parse(deserialize(saved)));
    },
  };
}
