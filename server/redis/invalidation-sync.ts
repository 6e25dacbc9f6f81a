import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Purge } from '#server/cache/purge.ts';
import { RESOURCES } from '#shared/models/resources.ts';
import type { InstanceMessage, ModeMessage, PoliciesMessage } from './instance-message.ts';
import type { InvalidationStream, ReceivedMessage } from './invalidation-stream.ts';
import type { RecentPurges } from './recent-purges.ts';
import { FIRST } from './stream-id.ts';

export interface InvalidationSyncOptions {
  stream: Pick<InvalidationStream, 'send' | 'listen'>;
  recentPurges: RecentPurges;
  cache: Pick<ContentCache, 'purge' | 'onPurge' | 'policies' | 'mode'>;
  /** Called when policies of another instance are in force here. */
  onPolicies(): void;
  /**
   * Called before a purge of another instance is applied that came late: what it purges may have been sent to the CDN
   * meanwhile.
   */
  onLatePurge?: ((purge: Purge) => void) | undefined;
  /** Id of the last message that the restored snapshot knew of; null where there is none. */
  since: string | null;
}

/** Sends purges, policies and modes set on this instance to the others, and applies theirs. */
export function syncInvalidations({
  stream,
  recentPurges,
  cache,
  onPolicies,
  onLatePurge = () => undefined,
  since: snapshotSince,
}: InvalidationSyncOptions): void {
  const since = snapshotSince ?? FIRST;
  /** A change of another instance is being applied, and not sent again. */
  let isApplying = false;

  function send(message: InstanceMessage): void {
    if (!isApplying) stream.send(message);
  }

  cache.onPurge(({ tags = [], keys = [], all = false, soft = false }) =>
    send({ what: 'purge', tags, keys, all, soft }),
  );
  cache.policies.onChange(() => send({ what: 'policies', changes: cache.policies.changes() }));
  cache.mode.onChange(() => send({ what: 'mode', ...cache.mode.current() }));

  function apply(change: () => void): void {
    isApplying = true;
    try {
      change();
    } finally {
      isApplying = false;
    }
  }

  function applyPolicies({ changes }: PoliciesMessage): void {
    if (JSON.stringify(changes) === JSON.stringify(cache.policies.changes())) return;
    apply(() => {
      for (const resource of RESOURCES) {
        cache.policies.reset(resource);
        const change = changes[resource];
        if (change) cache.policies.set(resource, change);
      }
    });
    onPolicies();
  }

  function applyMode({ mode, ttlFactor, endsInSeconds }: ModeMessage, ageSeconds: number): void {
    const forSeconds = (endsInSeconds ?? 0) - ageSeconds;
    if (endsInSeconds === null) apply(() => cache.mode.set({ mode: 'normal' }));
    else if (forSeconds > 0) apply(() => cache.mode.set({ mode, ttlFactor, forSeconds }));
  }

  /**
   * Every instance applies the same messages in the same order, so that all end in the same state: also policies and modes
   * of its own, since another instance's may precede them in the stream.
   */
  function onMessage({ id, message, isOwn, ageSeconds, isLate }: ReceivedMessage): void {
    if (message.what === 'purge') {
      recentPurges.add(id, message);
      if (isOwn) return;
      if (isLate) onLatePurge(message);
      apply(() => cache.purge(message));
      return;
    }
    if (message.what === 'policies') applyPolicies(message);
    else applyMode(message, ageSeconds);
  }

  recentPurges.forgetUntil(since);
  stream.listen({
    since,
    onMessage,
    onPolicies: applyPolicies,
    onGap(id, isLate) {
      recentPurges.forgetUntil(id);
      if (isLate) onLatePurge({ all: true });
      apply(() => cache.purge({ all: true, soft: true }));
    },
  });
}
