/** Before the first entry of a stream. */
export const FIRST = '0-0';

/** How an entry of a Redis stream is named: milliseconds of Redis's clock, and a number within them. */
export const STREAM_ID = /^\d{1,15}-\d{1,15}$/;

/** Whether one entry of a stream stands behind another. */
export function isAfter(one: string, other: string): boolean {
  const [ms, number] = partsOf(one);
  const [otherMs, otherNumber] = partsOf(other);
  return ms === otherMs ? number > otherNumber : ms > otherMs;
}

/** When an entry was written, by Redis's clock in milliseconds. */
export function millisecondsOf(id: string): number {
  return partsOf(id)[0];
}

function partsOf(id: string): [number, number] {
  const [ms, number] = id.split('-');
  return [Number(ms), Number(number)];
}
