import type { OutboxMessage } from '#shared/models/ops/ops-api-types.ts';

/** Messages of one kind and state with the same last error. */
export interface MessageGroup {
  key: string;
  kind: string;
  state: OutboxMessage['state'];
  lastError: string | null;
  /** The oldest first. */
  messages: readonly OutboxMessage[];
  oldestSeconds: number;
  /** ISO 8601: the first of them. Null: none is planned. */
  nextAttemptAt: string | null;
  /** The most of any of them. */
  attempts: number;
}

/** Groups messages, those that were rejected and then the oldest first. `now`: wall milliseconds. */
export function groupMessages(messages: readonly OutboxMessage[], now: number): MessageGroup[] {
  const byKey = Map.groupBy(messages, ({ kind, state, lastError }) => `${state} ${kind} ${lastError ?? ''}`);
  return [...byKey]
    .map(([key, group]): MessageGroup => {
      const sorted = group.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1));
      const [oldest] = sorted;
      return {
        key,
        kind: oldest?.kind ?? '',
        state: oldest?.state ?? 'pending',
        lastError: oldest?.lastError ?? null,
        messages: sorted,
        oldestSeconds: Math.max(0, Math.round((now - Date.parse(oldest?.createdAt ?? '')) / 1_000)),
        nextAttemptAt: group.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []).sort()[0] ?? null,
        attempts: Math.max(...group.map(({ attempts }) => attempts)),
      };
    })
    .sort(
      (one, other) =>
        Number(other.state === 'rejected') - Number(one.state === 'rejected') ||
        other.oldestSeconds - one.oldestSeconds,
    );
}
