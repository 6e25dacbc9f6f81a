import { join } from 'node:path';
import type { Registry } from '@prometheus-io/client';
import { createEvent } from '#server/cache/cache-events.ts';
import { readIfExists, replaceFile } from '#server/storage/files.ts';
import type { Clock } from '#server/time.ts';
import { kindOf, MAX_SERIES, SAMPLED_METRICS } from '#shared/metric-declarations.ts';
import type { LiveSample, LiveState, MetricsHistory } from '#shared/models/metrics.ts';
import { parseSeriesName } from '#shared/series-name.ts';
import { readSample, type Sample } from './read-sample.ts';
import { createSampleRing } from './sample-ring.ts';

export const SAMPLES_FILE = 'metrics.samples';

export interface SamplerOptions {
  /** Of the site and of its process. */
  registries: readonly Registry[];
  /** What the dashboard shows besides numbers. */
  state: () => LiveState;
  /** DATA_DIR. */
  dir: string;
  logger: { warn(fields: object, message: string): void };
  clock: Clock;
}

const TICK_MS = 1_000;
/** Without a listener, samples are taken for the ring alone. */
const TICKS_PER_SAMPLE = 10;
const TICKS_PER_SAVE = 60;

const GAUGES: ReadonlySet<string> = new Set(
  SAMPLED_METRICS.map(([name]) => name).filter((name) => kindOf(name) === 'gauge'),
);
const isGauge = (series: string) => GAUGES.has(parseSeriesName(series).metric);

/** Samples the registry each second while somebody listens, and every ten seconds for the ring, which is saved each minute. */
export function createSampler({ registries, state, dir, logger, clock }: SamplerOptions) {
  const file = join(dir, SAMPLES_FILE);
  const live = createEvent<LiveSample>();
  const ring = createSampleRing();
  /** All series of the last reading. `changedIn`: in which reading. `base`: the value before it got its place; null without one. */
  let known = new Map<string, { value: number; changedIn: number; base: number | null }>();
  let readings = 0;
  let isFull = false;
  let ticks = 0;
  let saving: Promise<void> = Promise.resolve();

  /**
   * Reads as many series as the ring has places: gauges, then the counters that have changed last, so that what failed weeks
   * ago takes no place from what fails now. One that gets a place later begins at zero there: all of it would seem to be growth.
   */
  async function newest(): Promise<Sample> {
    const all = await readSample(registries);
    readings++;
    const ranked = [...all].map(([series, value]) => {
      const before = known.get(series);
      const changedIn = value === before?.value ? before.changedIn : readings;
      const base = before?.base ?? (isGauge(series) ? 0 : (before?.value ?? 0));
      return { series, value, changedIn, base, rank: isGauge(series) ? Infinity : changedIn };
    });
    ranked.sort((one, other) => (one.rank === other.rank ? 0 : other.rank - one.rank));
    const placed = ranked.slice(0, MAX_SERIES);
    const others = ranked.slice(MAX_SERIES).map((one) => ({ ...one, base: null }));
    known = new Map([...placed, ...others].map((one) => [one.series, one]));
    const [left] = others;
    if (left !== undefined && !isFull)
      logger.warn({ series: left.series }, 'there is no place for another sampled series');
    isFull ||= left !== undefined;
    return new Map(placed.map(({ series, value, base }) => [series, value - base]));
  }

  const liveSample = (sample: Sample): LiveSample => ({
    at: clock.now(),
    values: Object.fromEntries(sample),
    state: state(),
  });

  async function tick(): Promise<void> {
    const nth = ticks++;
    const isForRing = nth % TICKS_PER_SAMPLE === 0;
    if (!isForRing && live.listeners().size === 0) return;
    const sample = await newest();
    if (isForRing) ring.add(sample, clock.now());
    live.emit(liveSample(sample));
    if (nth % TICKS_PER_SAVE === TICKS_PER_SAVE - TICKS_PER_SAMPLE) await save();
  }

  /** One save at a time. Without fsync: a crash of the machine costs the curves of a day, and nothing else. */
  function save(): Promise<void> {
    saving = saving
      .then(() => replaceFile(file, ring.save(), { isSynced: false }))
      .catch((error: unknown) => logger.warn({ err: error }, 'the samples of metrics could not be saved'));
    return saving;
  }

  /** A failure to read metrics must not end the process. */
  const logFailure = (sampling: Promise<void>) =>
    void sampling.catch((error: unknown) => logger.warn({ err: error }, 'metrics could not be sampled'));

  const timer = setInterval(() => logFailure(tick()), TICK_MS);
  timer.unref();

  return {
    /** Restores the ring of the process before and takes the first sample. A file that cannot be read is ignored and logged. */
    async load(): Promise<void> {
      try {
        const saved = await readIfExists(file);
        if (saved !== null) ring.restore(saved);
      } catch (error) {
        logger.warn({ err: error, file }, 'saved samples of metrics ignored: the file is not valid');
      }
      logFailure(tick());
    },
    /** Calls a listener at once, then each second until the returned function is called. */
    listen(listener: (sample: LiveSample) => void): () => void {
      const stop = live.on(listener);
      logFailure(
        newest().then((sample) => {
          if (live.listeners().has(listener)) listener(liveSample(sample));
        }),
      );
      return stop;
    },
    /** Returns the samples of the last `minutes`, the newest among them. */
    async history(minutes: number): Promise<MetricsHistory> {
      const sample = await newest();
      const now = clock.now();
      const { stepMs, at, values } = ring.rows(minutes, now);
      const series = [...new Set([...ring.series(), ...sample.keys()])].slice(0, MAX_SERIES);
      return {
        stepSeconds: stepMs / 1000,
        series,
        at: [...at, now],
        values: [...values, series.map((name) => sample.get(name) ?? null)].map((row) =>
          series.map((_, place) => row[place] ?? null),
        ),
      };
    },
    async close(): Promise<void> {
      clearInterval(timer);
      ring.add(await newest(), clock.now(), true);
      await save();
    },
  };
}

export type Sampler = ReturnType<typeof createSampler>;
