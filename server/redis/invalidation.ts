import type { ContentCache } from '#server/cache/content-cache.ts';
import { RESOURCES } from '#server/cache/resources.ts';
import type { InvalidationMessage } from './invalidation-message.ts';
import { type InvalidationStream, KEPT, type LoggedChange } from './invalidation-stream.ts';
import { createRecentPurges } from './recent-purges.ts';
import { FIRST } from './stream-id.ts';

export interface InvalidationOptions {
  log: Pick<InvalidationStream, 'append' | 'follow'>;
  cache: Pick<ContentCache, 'purge' | 'onPurge' | 'policies' | 'mode'>;
  /** Told when another instance's policies are in force here. */
  onPolicies(): void;
  /** The last change that was known when what the cache holds was written down; null: none. */
  since: string | null;
}

/** The purges that a copy is compared with. */
export type RecentPurges = ReturnType<typeof createRecentPurgeCheck>;

export function createRecentPurgeCheck() {
  return createRecentPurges(KEPT);
}

/** What operators change here is changed on every instance, and the other way round: purges, policies and modes. */
export function shareInvalidations(
  { log, cache, onPolicies, since: lastKnown }: InvalidationOptions,
  purges: RecentPurges,
): void {
  const since = lastKnown ?? FIRST;
  /** What comes from elsewhere does not go there again. */
  let applying = false;
  /** Changes from here that have not come back yet: they stand behind whatever comes before them in the log. */
  const underWay = { policies: 0, mode: 0 };

  function changedHere(change: InvalidationMessage): void {
    if (applying) return;
    if (change.what !== 'purge') underWay[change.what]++;
    log.append(change);
  }

  cache.onPurge(({ tags = [], keys = [], all = false, soft = false }) =>
    changedHere({ what: 'purge', tags, keys, all, soft }),
  );
  cache.policies.onChange(() => changedHere({ what: 'policies', changes: cache.policies.changes() }));
  cache.mode.onChange(() => changedHere({ what: 'mode', ...cache.mode.current() }));

  function elsewhere(change: () => void): void {
    applying = true;
    try {
      change();
    } finally {
      applying = false;
    }
  }

  function takePolicies({ changes }: InvalidationMessage & { what: 'policies' }): void {
    if (JSON.stringify(changes) === JSON.stringify(cache.policies.changes())) return;
    elsewhere(() => {
      for (const resource of RESOURCES) {
        cache.policies.reset(resource);
        const change = changes[resource];
        if (change) cache.policies.set(resource, change);
      }
    });
    onPolicies();
  }

  function takeMode(change: InvalidationMessage & { what: 'mode' }, ageSeconds: number): void {
    const { mode, ttlFactor, endsInSeconds } = change;
    const forSeconds = (endsInSeconds ?? 0) - ageSeconds;
    if (endsInSeconds === null) elsewhere(() => cache.mode.set({ mode: 'normal' }));
    else if (forSeconds > 0) elsewhere(() => cache.mode.set({ mode, ttlFactor, forSeconds }));
  }

  /** Every instance does the same in the same order, so that all end with the same. */
  function take({ id, change, isOwn, ageSeconds }: LoggedChange): void {
    if (change.what === 'purge') {
      purges.add(id, change);
      if (!isOwn) elsewhere(() => cache.purge(change));
      return;
    }
    if (isOwn) underWay[change.what] = Math.max(0, underWay[change.what] - 1);
    if (underWay[change.what] > 0) return;
    if (change.what === 'policies') takePolicies(change);
    else takeMode(change, ageSeconds);
  }

  purges.remembersSince(since);
  log.follow({
    since,
    take,
    resumed(policies) {
      underWay.policies = 0;
      underWay.mode = 0;
      if (policies) takePolicies(policies);
    },
    missed(id) {
      purges.remembersSince(id);
      elsewhere(() => cache.purge({ all: true, soft: true }));
    },
  });
}
