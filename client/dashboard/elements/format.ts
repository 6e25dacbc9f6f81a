import type { LiveMode } from '#shared/models/metrics.ts';

/** Numbers and facts as the dashboard shows them. */

/** Makes a format that shows null, which means that nothing was counted, as a dash. */
const orDash = (format: (value: number) => string) => (value: number | null) =>
  value === null ? '–' : format(value);

// Made once: `toLocaleString` makes one at each call, which takes longer than to format.
const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const ONE_DECIMAL = new Intl.NumberFormat('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 });

/** 0.9312 as 93.1 %. Never rounds to 0 or to 100 %. */
export const percent = orDash((ratio) => {
  if (ratio > 0.999 && ratio < 1) return '> 99.9 %';
  if (ratio > 0 && ratio < 0.001) return '< 0.1 %';
  return `${(ratio * 100).toFixed(ratio === 1 || ratio === 0 ? 0 : 1)} %`;
});

/** Whole numbers with commas; those below ten with one decimal where they need it. */
export const count = orDash((value) => {
  const hasDecimal = Math.abs(value) < 10 && !Number.isInteger(value);
  return (hasDecimal ? ONE_DECIMAL : WHOLE).format(value);
});

/** 1 entry, 2 entries. */
export function plural(n: number | null, one: string, many: string): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** 12.5 as 13/s. */
export const perSecond = orDash((rate) => `${count(rate)}/s`);

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Bytes in units of a thousand. */
export const bytes = orDash((value) => {
  const power = value < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(value) / 3));
  return `${count(value / 1_000 ** power)} ${UNITS[power]}`;
});

/** A latency in seconds; shorter ones in milliseconds. */
export const duration = orDash((seconds) => {
  if (seconds >= 1) return `${seconds.toFixed(2)} s`;
  const ms = seconds * 1_000;
  return `${ms.toFixed(ms >= 10 ? 0 : 1)} ms`;
});

const STEPS = [
  { seconds: 86_400, unit: 'd' },
  { seconds: 3_600, unit: 'h' },
  { seconds: 60, unit: 'min' },
  { seconds: 1, unit: 's' },
];

/** An age in its two largest units: 90 as 1 min 30 s, 86400 as 1 d. */
export const age = orDash((seconds) => {
  // As `count` rounds: 59.97 s is a minute.
  const rounded = seconds < 10 ? seconds : Math.round(seconds);
  const [large, small] = STEPS.filter((step) => rounded >= step.seconds);
  if (!large || !small) return `${count(seconds)} s`;
  const more = Math.floor((rounded % large.seconds) / small.seconds);
  const whole = `${Math.floor(rounded / large.seconds)} ${large.unit}`;
  return more > 0 ? `${whole} ${more} ${small.unit}` : whole;
});

/** The time of day in UTC, and in local time where that is another: 14:05:09 UTC (15:05:09 local). */
export function clockTime(moment: Date): string {
  const [, utc = ''] = moment.toISOString().split(/[T.]/);
  const local = moment.toTimeString().slice(0, 'hh:mm:ss'.length);
  return utc === local ? `${utc} UTC` : `${utc} UTC (${local} local)`;
}

/** The day and the time of day in UTC, and the latter in local time: of what may be days old. */
export function dayAndTime(moment: Date): string {
  return `${moment.toISOString().slice(0, 'yyyy-mm-dd'.length)} ${clockTime(moment)}`;
}

/** The time of day `seconds` after a moment. */
export function timeAfter(from: Date, seconds: number): string {
  return clockTime(new Date(from.getTime() + seconds * 1_000));
}

/** The hours and minutes in UTC of a moment on an axis. `at`: wall milliseconds. */
export function axisTime(at: number): string {
  return new Date(at).toISOString().slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh:mm'.length);
}

/** Returns what a mode does, in one line. */
export function modeLabel({ mode, ttlFactor }: Pick<LiveMode, 'mode' | 'ttlFactor'>): string {
  const stretched = ttlFactor === 1 ? '' : `every TTL × ${ttlFactor}`;
  if (mode === 'normal') return stretched ? `Stretched: ${stretched}` : 'Normal';
  const label =
    mode === 'freeze'
      ? 'Frozen: no upstream requests; cached data is served at any age'
      : 'Bypassed: every page loads its data from the upstream';
  return stretched ? `${label}; ${stretched}` : label;
}
