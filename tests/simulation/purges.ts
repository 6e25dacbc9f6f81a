import type { Purge } from '#server/cache/purge.ts';

interface Made {
  purge: Purge;
  moment: number;
}

/** The tags of what stands under a key, but for its resource. */
export function tagsOf(key: string): string[] {
  return [`letter:${key.split('/')[1]}`];
}

/** Whether a purge means a key. */
function means({ all = false, keys = [], tags = [] }: Purge, key: string): boolean {
  const own = [key.split('/')[0] ?? key, ...tagsOf(key)];
  return all || keys.includes(key) || own.some((tag) => tags.includes(tag));
}

/** The purges of a story and their moments. */
export function createPurges() {
  let made: Made[] = [];

  return {
    add: (purge: Purge, moment: number): void => void made.push({ purge, moment }),
    /** A process that starts from an older snapshot knows nothing of them. */
    forgetSince(moment: number): void {
      made = made.filter((one) => one.moment < moment);
    },
    /** The moment of the last hard one before `moment` that means the key; 0 where there was none. */
    lastHard: (key: string, moment: number): number =>
      made.findLast((one) => one.moment < moment && !one.purge.soft && means(one.purge, key))?.moment ?? 0,
    /** Whether one that means the key, or may, was made since. A tag may mean any key whose first load is under way. */
    anySince: (key: string, moment: number): boolean =>
      made.some((one) => one.moment > moment && (one.purge.tags || means(one.purge, key))),
  };
}

export type Purges = ReturnType<typeof createPurges>;
