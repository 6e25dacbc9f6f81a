import { z } from 'zod';
import type { Sample } from './sample-metrics.ts';

export const MAX_SERIES = 120;
/** Ten seconds for an hour, a minute for a day: with `MAX_SERIES` numbers of 8 bytes 1.7 MB. */
const LEVELS = [
  { stepMs: 10_000, length: 360 },
  { stepMs: 60_000, length: 1_440 },
] as const;
/** Samples come every ten seconds, give or take. */
const TOLERANCE_MS = 5_000;
/** Of the file: raise it when its layout changes. */
const VERSION = 1;

/** Samples of one resolution, oldest first. */
export interface SampleRows {
  stepMs: number;
  /** Wall milliseconds of each sample. */
  at: number[];
  /** By sample, then by series; null where a series did not exist yet. */
  values: (number | null)[][];
}

/** The last day of the sampled series, in constant memory. */
export interface SampleRing {
  /** Adds a sample. `at`: wall milliseconds. To be called every ten seconds, and at the stop (`isLast`). */
  add(sample: Sample, at: number, isLast?: boolean): void;
  /** Names of the series, in the order of the values. */
  series(): readonly string[];
  /** Returns the last `minutes` in the finest resolution that goes back so far. */
  rows(minutes: number): SampleRows;
  /** Returns what is kept, for a file. */
  save(): Buffer;
  /** Restores what `save` returned. Throws for anything else. */
  restore(saved: Buffer): void;
}

interface Level {
  stepMs: number;
  length: number;
  at: Float64Array;
  values: Float64Array;
  /** Count of samples that were ever added: the next place is this modulo the length. */
  added: number;
}

const Header = z.object({
  version: z.literal(VERSION),
  series: z.array(z.string().max(300)).max(MAX_SERIES),
  rows: z.tuple([z.int().min(0).max(LEVELS[0].length), z.int().min(0).max(LEVELS[1].length)]),
});

/** Makes an empty ring. `onFull`: called once, with the first series for which there is no place. */
export function createSampleRing(onFull: (series: string) => void = () => undefined): SampleRing {
  const names: string[] = [];
  const places = new Map<string, number>();
  let isFull = false;
  const levels = LEVELS.map(
    ({ stepMs, length }): Level => ({
      stepMs,
      length,
      at: new Float64Array(length),
      values: new Float64Array(length * MAX_SERIES).fill(Number.NaN),
      added: 0,
    }),
  );

  function placeOf(series: string, sample: Sample): number | null {
    const known = places.get(series);
    if (known !== undefined) return known;
    const place = names.length < MAX_SERIES ? names.length : abandonedPlace(sample);
    if (place === null) {
      if (!isFull) onFull(series);
      isFull = true;
      return null;
    }
    names[place] = series;
    places.set(series, place);
    return place;
  }

  /** Frees the place of a series that an earlier process had and this one has not; null where there is none. */
  function abandonedPlace(sample: Sample): number | null {
    const place = names.findIndex((name) => !sample.has(name));
    if (place < 0) return null;
    places.delete(names[place] ?? '');
    for (const { values, length } of levels)
      for (let row = 0; row < length; row++) values[row * MAX_SERIES + place] = Number.NaN;
    return place;
  }

  function addTo(level: Level, sample: Sample, at: number): void {
    const row = level.added++ % level.length;
    level.at[row] = at;
    level.values.fill(Number.NaN, row * MAX_SERIES, (row + 1) * MAX_SERIES);
    for (const [series, value] of sample) {
      const place = placeOf(series, sample);
      if (place !== null) level.values[row * MAX_SERIES + place] = value;
    }
  }

  /** Indices of rows, oldest first. */
  function* rowsOf({ added, length }: Level): Generator<number> {
    for (let nth = Math.max(0, added - length); nth < added; nth++) yield nth % length;
  }

  function lastAt({ added, length, at }: Level): number {
    return added === 0 ? Number.NEGATIVE_INFINITY : (at[(added - 1) % length] ?? 0);
  }

  return {
    add(sample, at, isLast = false) {
      for (const level of levels) {
        const sinceLast = at - lastAt(level);
        // A clock that was set back starts the step anew.
        if (isLast || sinceLast < 0 || sinceLast >= level.stepMs - TOLERANCE_MS) addTo(level, sample, at);
      }
    },
    series: () => [...names],
    rows(minutes) {
      const fits = ({ stepMs, length }: Level) => stepMs * length >= minutes * 60_000;
      const level = levels.find(fits) ?? levels[levels.length - 1];
      if (!level) throw new Error('there are two levels');
      const chosen = [...rowsOf(level)].slice(-Math.ceil((minutes * 60_000) / level.stepMs) - 1);
      const row = (index: number) =>
        [...level.values.subarray(index * MAX_SERIES, index * MAX_SERIES + names.length)].map((value) =>
          Number.isNaN(value) ? null : value,
        );
      return {
        stepMs: level.stepMs,
        at: chosen.map((index) => level.at[index] ?? 0),
        values: chosen.map(row),
      };
    },
    save() {
      const rows = levels.map((level) => [...rowsOf(level)]);
      const header = { version: VERSION, series: names, rows: rows.map(({ length }) => length) };
      const numbers = new Float64Array(rows.flat().length * (1 + MAX_SERIES));
      let next = 0;
      for (const [nth, level] of levels.entries())
        for (const index of rows[nth] ?? []) {
          numbers[next] = level.at[index] ?? 0;
          numbers.set(level.values.subarray(index * MAX_SERIES, (index + 1) * MAX_SERIES), next + 1);
          next += 1 + MAX_SERIES;
        }
      return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), Buffer.from(numbers.buffer)]);
    },
    restore(saved) {
      const end = saved.indexOf('\n');
      const header = Header.parse(JSON.parse(saved.toString('utf8', 0, Math.max(0, end))));
      const body = saved.subarray(end + 1);
      const length = header.rows[0] + header.rows[1];
      if (body.length !== length * (1 + MAX_SERIES) * 8) throw new Error('its length is wrong');
      const numbers = new Float64Array(new Uint8Array(body).buffer);
      names.splice(0, names.length, ...header.series);
      places.clear();
      for (const [place, series] of names.entries()) places.set(series, place);
      let next = 0;
      for (const [nth, level] of levels.entries()) {
        level.added = header.rows[nth] ?? 0;
        for (let row = 0; row < level.added; row++) {
          level.at[row] = numbers[next] ?? 0;
          level.values.set(numbers.subarray(next + 1, next + 1 + MAX_SERIES), row * MAX_SERIES);
          next += 1 + MAX_SERIES;
        }
      }
    },
  };
}
