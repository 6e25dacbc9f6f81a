/** Half an hour at one a second. */
const MAX_POINTS = 1_800;

/** Merges points by time without repeats: after a dropped connection the history fills the gap. */
export function mergePoints<Point extends { at: string }>(
  known: readonly Point[],
  more: readonly Point[],
): Point[] {
  const first = known[0]?.at ?? '';
  const last = known.at(-1)?.at ?? '';
  // ISO 8601 in one zone sorts as text.
  const before = known.length === 0 ? [] : more.filter(({ at }) => at < first);
  const after = more.filter(({ at }) => at > last);
  return [...before, ...known, ...after].slice(-MAX_POINTS);
}
