import type { Outbox } from '#server/outbox/outbox.ts';
import type { OutboxStatus } from '#shared/models/metrics.ts';

/** Returns what the outbox holds, as operators see it. */
export function outboxStatus(outbox: Pick<Outbox, 'depth'>): OutboxStatus {
  const { submissions, views, rejected, oldestSeconds } = outbox.depth();
  return { pending: { submissions, views }, rejected, oldestMessageAgeSeconds: oldestSeconds };
}
