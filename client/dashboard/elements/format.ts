/** Numbers as the dashboard shows them. Null, which means that nothing was counted, is a dash. */

const NONE = '–';
const KILO = 1_000;

// Made once: `toLocaleString` makes one at each call, which takes longer than to format.
const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const ONE_DECIMAL = new Intl.NumberFormat('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 });

/** 0.9312 as 93.1 %. */
export function percent(ratio: number | null): string {
  if (ratio === null) return NONE;
  return `${(ratio * 100).toFixed(ratio === 1 || ratio === 0 ? 0 : 1)} %`;
}

/** 0.99987 as 99.987 %: as fine as an objective needs. Never rounds up to 100 %. */
export function share(ratio: number | null): string {
  return ratio === null ? NONE : `${Math.floor(ratio * 100_000) / 1_000} %`;
}

/** Whole numbers with commas; those below ten with one decimal where they need it. */
export function count(value: number | null): string {
  if (value === null) return NONE;
  const hasDecimal = value !== 0 && Math.abs(value) < 10 && !Number.isInteger(value);
  return (hasDecimal ? ONE_DECIMAL : WHOLE).format(value);
}

/** 12.5 as 13/s. */
export function perSecond(rate: number | null): string {
  return rate === null ? NONE : `${count(rate)}/s`;
}

/** Bytes in units of a thousand. */
export function bytes(value: number | null): string {
  if (value === null) return NONE;
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
  return `${count(value / KILO ** power)} ${units[power]}`;
}

/** A latency in seconds; shorter ones in milliseconds. */
export function duration(seconds: number | null): string {
  if (seconds === null) return NONE;
  if (seconds >= 1) return `${seconds.toFixed(2)} s`;
  const ms = seconds * KILO;
  return `${ms >= 10 ? ms.toFixed(0) : ms.toFixed(1)} ms`;
}

const STEPS = [
  { seconds: 86_400, unit: 'd' },
  { seconds: 3_600, unit: 'h' },
  { seconds: 60, unit: 'min' },
] as const;

/** An age in its two largest units: 90 as 1 min 30 s, 86400 as 1 d. */
export function age(seconds: number | null): string {
  if (seconds === null) return NONE;
  // As `count` rounds: 59.97 s is a minute.
  const rounded = seconds < 10 ? seconds : Math.round(seconds);
  const step = STEPS.find((candidate) => rounded >= candidate.seconds);
  if (!step) return `${count(seconds)} s`;
  const whole = Math.floor(rounded / step.seconds);
  const rest = rounded - whole * step.seconds;
  const next = STEPS[STEPS.indexOf(step) + 1] ?? { seconds: 1, unit: 's' };
  const more = Math.floor(rest / next.seconds);
  return more > 0 ? `${whole} ${step.unit} ${more} ${next.unit}` : `${whole} ${step.unit}`;
}

/** The time of day in UTC, and in local time where that is another: 14:05:09 UTC (15:05:09 local). */
export function clockTime(moment: Date): string {
  const [utc, local] = timesOfDay(moment);
  return utc === local ? `${utc} UTC` : `${utc} UTC (${local} local)`;
}

/** The time of day `seconds` after a moment. */
export function timeAfter(from: Date, seconds: number): string {
  return clockTime(new Date(from.getTime() + seconds * KILO));
}

/** The hours and minutes of a moment on an axis: in UTC, and in local time where that is another. */
export function axisTime(moment: Date): string[] {
  return [...new Set(timesOfDay(moment).map((time) => time.slice(0, 'hh:mm'.length)))];
}

/** Returns the time of day in UTC and in local time, as hh:mm:ss. */
function timesOfDay(moment: Date): [string, string] {
  const [, utc = ''] = moment.toISOString().split(/[T.]/);
  return [utc, moment.toTimeString().slice(0, 'hh:mm:ss'.length)];
}
