/** Repeatable chance: the same seed always deals the same numbers in the same order. */
export interface Random {
  /** A number from `low` up to, not including, `high`. */
  between(low: number, high: number): number;
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  /** One of the list; throws RangeError when the list is empty. */
  pick<T>(list: readonly T[]): T;
  /** True in the given share (0 to 1) of the calls. */
  chance(share: number): boolean;
}

/** FNV-1a, 32 bit: a text to an unsigned whole number. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash >>> 0;
}

/** A `Random` from a 32-bit seed, by the mulberry32 generator. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  // The first numbers of neighbouring seeds resemble each other.
  for (let warm = 0; warm < 4; warm += 1) next();

  return {
    between: (low, high) => low + next() * (high - low),
    whole: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (share) => next() < share,
    pick(list) {
      const index = Math.floor(next() * list.length);
      for (const item of list.slice(index, index + 1)) return item;
      throw new RangeError('nothing to pick from');
    },
  };
}
