import type { OutgoingItem } from '#server/outbox/delivery/deliver.ts';
import type { Delivery } from '#server/outbox/outbox.ts';
import type { InvariantChecker } from './invariant-checker.ts';
import type { DiskRow } from './outbox-disk.ts';
import type { AttemptEnd } from './outbox-scenarios.ts';

/** What holds of the outbox, whatever happens. */
export type OutboxInvariant =
  | 'what was acknowledged is delivered or on disk'
  | 'a view is delivered or on disk after a second'
  | 'nothing leaves but what is on disk, under its key'
  | 'one attempt at a time under a key'
  | 'what has its answer is not sent again'
  | 'one sender has one attempt at a time, in order'
  | 'a worker takes the oldest first'
  | 'no more attempts at a time than promised'
  | 'a success is what the upstream said'
  | 'what waits is delivered when the upstream is back';

/** An item that failed this often may be overtaken: it may be what the upstream stumbles over. */
const SUSPECT_ATTEMPTS = 3;
/** Attempts of workers at a time, and those of one item that is suspected and another. */
const MOST_AT_ONCE = { view: 16, submission: 4 };

/** What a reader sent, whatever key it has. */
export function identityOf(kind: string, payload: string): string {
  return `${kind} ${payload}`;
}

/** How an attempt begins. */
export interface Leaving {
  item: OutgoingItem;
  rows: readonly DiskRow[];
  /** No reader waits for any attempt. */
  byWorker: boolean;
  /** Of the attempts of this process that are under way. */
  underWay: readonly OutgoingItem[];
  /** Their attempts have ended, and the process may not have written that down. */
  justEnded: readonly OutgoingItem[];
  /** The disk took nothing: what arrives need not be on it (faults). */
  withoutDisk: boolean;
}

/** Remembers what readers were told and what the upstream said, and looks whether they agree with the disk. */
export function createOutboxInvariants(checker: InvariantChecker<OutboxInvariant>) {
  const acknowledged = new Set<string>();
  const arrived = new Set<string>();
  const said = new Map<string, Set<AttemptEnd>>();
  const completed = new Map<string, AttemptEnd>();

  return {
    leaving({ item, rows, byWorker, underWay, justEnded, withoutDisk }: Leaving): void {
      const { kind, idempotencyKey, payload } = item;
      const isUnderWay = (key: string) => underWay.some((other) => other.idempotencyKey === key);
      const own = rows.find((row) => row.idempotency_key === idempotencyKey);
      checker(
        'nothing leaves but what is on disk, under its key',
        withoutDisk || (own?.state === 'waiting' && own.payload === JSON.stringify(payload)),
        () => `${kind} under ${idempotencyKey} is ${own?.state ?? 'not on disk'}`,
      );
      checker(
        'one attempt at a time under a key',
        !isUnderWay(idempotencyKey),
        () => `${kind} under ${idempotencyKey}`,
      );
      checker(
        'what has its answer is not sent again',
        !completed.has(idempotencyKey),
        () => `${kind} under ${idempotencyKey} was ${completed.get(idempotencyKey)}`,
      );
      const before = rows.filter(
        (row) => row.state === 'waiting' && row.attempts < SUSPECT_ATTEMPTS && row.id < (own?.id ?? 0),
      );
      const ofSender = before.find(({ sender }) => sender !== null && sender === own?.sender);
      checker(
        'one sender has one attempt at a time, in order',
        ofSender === undefined,
        () => `${ofSender?.id} waits before ${own?.id}`,
      );
      const oldest = before.find(
        (row) =>
          row.kind === kind &&
          !isUnderWay(row.idempotency_key) &&
          !justEnded.some((other) => other.idempotencyKey === row.idempotency_key) &&
          !before.some(({ id, sender }) => sender !== null && sender === row.sender && id < row.id),
      );
      checker(
        'a worker takes the oldest first',
        !byWorker || oldest === undefined,
        () => `${oldest?.id} waits before ${own?.id}`,
      );
      const alike = underWay.filter((other) => (other.kind === 'view') === (kind === 'view')).length;
      checker(
        'no more attempts at a time than promised',
        !byWorker || alike < MOST_AT_ONCE[kind === 'view' ? 'view' : 'submission'],
        () => `${alike} of ${kind} are under way`,
      );
    },

    /** The attempt's end, as the upstream knows it. */
    ended({ kind, payload }: OutgoingItem, how: AttemptEnd): void {
      const identity = identityOf(kind, JSON.stringify(payload));
      const took = how === 'accepted' || how === 'lost' || (how === 'not found' && kind === 'subscription');
      if (took) arrived.add(identity);
      said.set(identity, (said.get(identity) ?? new Set()).add(how));
    },

    /** The process had time to write the answer down. */
    heard({ idempotencyKey }: OutgoingItem, how: AttemptEnd): void {
      if (how === 'accepted' || how === 'refused' || how === 'not found') completed.set(idempotencyKey, how);
    },

    /** It may be sent again: an operator wants it, or the process ended before it could be written down. */
    mayBeSentAgain: (key: string): void => void completed.delete(key),

    acknowledge(identity: string, delivery: Delivery): void {
      acknowledged.add(identity);
      const of = said.get(identity) ?? new Set();
      const backed: Record<Delivery, boolean> = {
        delivered: arrived.has(identity),
        'already-subscribed': of.has('not found'),
        refused: of.has('refused') || of.has('not found'),
        failed: true,
      };
      checker('a success is what the upstream said', backed[delivery], () => `${identity} is ${delivery}`);
    },

    /** `views`: those that were counted more than a second ago. */
    look(rows: readonly DiskRow[], views: readonly string[]): void {
      const kept = new Set(rows.map(({ kind, payload }) => identityOf(kind, payload ?? '')));
      const isSafe = (identity: string) => arrived.has(identity) || kept.has(identity);
      for (const identity of acknowledged)
        checker('what was acknowledged is delivered or on disk', isSafe(identity), () => identity);
      // One that was refused while the disk takes nothing is kept for nobody.
      const isRefused = (identity: string) => {
        const of = said.get(identity);
        return of !== undefined && (of.has('refused') || of.has('not found'));
      };
      for (const identity of views) {
        const isSettled = isSafe(identity) || isRefused(identity);
        checker('a view is delivered or on disk after a second', isSettled, () => identity);
      }
    },

    /** The upstream has taken everything for a while. */
    inTheEnd(waiting: number): void {
      checker('what waits is delivered when the upstream is back', waiting === 0, () => `${waiting} wait`);
    },
  };
}
