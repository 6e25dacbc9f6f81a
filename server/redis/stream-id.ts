/** Precedes every entry of a stream. */
export const FIRST = '0-0';

/** The id of a Redis stream entry: milliseconds of Redis' clock, and a sequence number within them. */
export const STREAM_ID = /^\d{1,15}-\d{1,15}$/;

/** Whether one entry of a stream comes after another. */
export function isAfter(one: string, other: string): boolean {
  const [ms, sequence] = partsOf(one);
  const [otherMs, otherSequence] = partsOf(other);
  return ms === otherMs ? sequence > otherSequence : ms > otherMs;
}

/** When an entry was added, in milliseconds of Redis' clock. */
export function millisecondsOf(id: string): number {
  return partsOf(id)[0];
}

function partsOf(id: string): [number, number] {
  const [ms, sequence] = id.split('-');
  return [Number(ms), Number(sequence)];
}
