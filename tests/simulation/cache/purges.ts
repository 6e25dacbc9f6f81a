import type { Purge } from '#server/cache/cache-events.ts';

interface PastPurge {
  purge: Purge;
  sequence: number;
}

/** Returns the tags of a key's value, without its resource. */
export function tagsOf(key: string): string[] {
  return [`letter:${key.split('/')[1]}`];
}

/** Whether a purge includes a key. */
function includesKey({ all = false, keys = [], tags = [] }: Purge, key: string): boolean {
  const own = [key.split('/')[0] ?? key, ...tagsOf(key)];
  return all || keys.includes(key) || own.some((tag) => tags.includes(tag));
}

/** Records the purges of a scenario. Sequence numbers order them among other events. */
export function createPurges() {
  const purges: PastPurge[] = [];

  return {
    add: (purge: Purge, sequence: number): void => void purges.push({ purge, sequence }),
    /** Returns the sequence number of the last hard purge of a key before `sequence`; 0 where there was none. */
    lastHard: (key: string, sequence: number): number =>
      purges.findLast((one) => one.sequence < sequence && !one.purge.soft && includesKey(one.purge, key))
        ?.sequence ?? 0,
    /** Whether a later purge includes the key, or may: a tag may be one of a first load that is in flight. */
    anySince: (key: string, sequence: number): boolean =>
      purges.some((one) => one.sequence > sequence && (one.purge.tags || includesKey(one.purge, key))),
  };
}

export type Purges = ReturnType<typeof createPurges>;
