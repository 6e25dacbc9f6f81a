/**
 * Picks pages as readers do: the second is asked for half as often as the first, the third a third as often. Returns a
 * rank from 0. `random`: from 0 to 1.
 */
export function zipf(pages: number, random: () => number): () => number {
  const upTo = new Float64Array(pages);
  let sum = 0;
  for (let rank = 0; rank < pages; rank++) {
    sum += 1 / (rank + 1);
    upTo[rank] = sum;
  }
  return () => {
    const wanted = random() * sum;
    let low = 0;
    let high = pages - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((upTo[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** Returns a seeded generator of numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
