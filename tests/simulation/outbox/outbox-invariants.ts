import type { OutgoingItem } from '#server/outbox/delivery/delivery-attempt.ts';
import type { MessageState } from '#server/outbox/outbox.ts';
import type { InvariantChecker } from '../invariant-checker.ts';
import type { DiskRow } from './outbox-disk.ts';
import type { AttemptEnd } from './outbox-scenarios.ts';

/** Invariants of the outbox. */
export type OutboxInvariant =
  | 'what was acknowledged is delivered or on disk'
  | 'a view is delivered or on disk after a second'
  | 'only what is on disk is sent, under its idempotency key'
  | 'one attempt at a time for an idempotency key'
  | 'a completed message is not sent again'
  | 'one sender has one attempt at a time, in order'
  | 'a worker takes the oldest first'
  | 'concurrent attempts are bounded'
  | 'a success is one in the upstream'
  | 'pending messages are delivered when the upstream is back';

/** After this many failures a message may be overtaken: it may be the cause of the upstream's failures. */
const SUSPECT_ATTEMPTS = 3;
/** Concurrent attempts of the workers. */
const MAX_CONCURRENT = { view: 16, submission: 4 };

/** Identifies what a reader sent, independently of its idempotency key. */
export function identityOf(kind: string, payload: string): string {
  return `${kind} ${payload}`;
}

/** Whether an attempt completes its message: there is no other. */
const isFinal = (how: AttemptEnd) => how === 'accepted' || how === 'refused' || how === 'not found';

/** The start of an attempt. */
export interface StartedAttempt {
  item: OutgoingItem;
  rows: readonly DiskRow[];
  /** Started by a worker: no reader waits for an attempt. */
  byWorker: boolean;
  /** The attempts of this process that are in flight. */
  inFlight: readonly OutgoingItem[];
  /** Attempts that have ended, of which the outcome may not be on disk yet. */
  justEnded: readonly { item: OutgoingItem; how: AttemptEnd }[];
  /** The disk rejects writes: what is sent need not be on it (faults). */
  withoutDisk: boolean;
}

/** Compares what readers were told and what the upstream responded with what is on disk. */
export function createOutboxInvariants(check: InvariantChecker<OutboxInvariant>) {
  const acknowledged = new Set<string>();
  const arrived = new Set<string>();
  const outcomes = new Map<string, Set<AttemptEnd>>();
  const completed = new Map<string, AttemptEnd>();

  return {
    started({ item, rows, byWorker, inFlight, justEnded, withoutDisk }: StartedAttempt): void {
      const { kind, idempotencyKey, payload } = item;
      const isInFlight = (key: string) => inFlight.some((other) => other.idempotencyKey === key);
      const own = rows.find((row) => row.idempotency_key === idempotencyKey);
      check(
        'only what is on disk is sent, under its idempotency key',
        withoutDisk || (own?.state === 'waiting' && own.payload === JSON.stringify(payload)),
        () => `${kind} under ${idempotencyKey} is ${own?.state ?? 'not on disk'}`,
      );
      check(
        'one attempt at a time for an idempotency key',
        !isInFlight(idempotencyKey),
        () => `${kind} under ${idempotencyKey}`,
      );
      check(
        'a completed message is not sent again',
        !completed.has(idempotencyKey),
        () => `${kind} under ${idempotencyKey} was ${completed.get(idempotencyKey)}`,
      );
      const before = rows.filter(
        (row) => row.state === 'waiting' && row.attempts < SUSPECT_ATTEMPTS && row.id < (own?.id ?? 0),
      );
      // A disk that rejects writes still has a message as pending that the upstream has completed.
      const isCompleted = (key: string) =>
        completed.has(key) ||
        justEnded.some((other) => other.item.idempotencyKey === key && isFinal(other.how));
      const ofSender = before.find(
        (row) => row.sender !== null && row.sender === own?.sender && !isCompleted(row.idempotency_key),
      );
      check(
        'one sender has one attempt at a time, in order',
        ofSender === undefined,
        () => `${ofSender?.id} is pending before ${own?.id}`,
      );
      // Also behind one that keeps failing, until it is moved to the back.
      const isHeldUp = ({ id, sender }: DiskRow) =>
        sender !== null &&
        rows.some(
          (row) =>
            row.sender === sender &&
            row.state === 'waiting' &&
            (row.id < id || isInFlight(row.idempotency_key)),
        );
      const oldest = before.find(
        (row) =>
          row.kind === kind &&
          !isInFlight(row.idempotency_key) &&
          !justEnded.some((other) => other.item.idempotencyKey === row.idempotency_key) &&
          !isHeldUp(row),
      );
      check(
        'a worker takes the oldest first',
        !byWorker || oldest === undefined,
        () => `${oldest?.id} is pending before ${own?.id}`,
      );
      const sameKind = inFlight.filter((other) => (other.kind === 'view') === (kind === 'view')).length;
      check(
        'concurrent attempts are bounded',
        !byWorker || sameKind < MAX_CONCURRENT[kind === 'view' ? 'view' : 'submission'],
        () => `${sameKind} of ${kind} are in flight`,
      );
    },

    /** Called with an attempt's outcome in the upstream. */
    ended({ kind, payload }: OutgoingItem, how: AttemptEnd): void {
      const identity = identityOf(kind, JSON.stringify(payload));
      const isDelivered =
        how === 'accepted' || how === 'lost' || (how === 'not found' && kind === 'subscription');
      if (isDelivered) arrived.add(identity);
      outcomes.set(identity, (outcomes.get(identity) ?? new Set()).add(how));
    },

    /** Called when the outcome must be on disk. */
    recorded({ idempotencyKey }: OutgoingItem, how: AttemptEnd): void {
      if (isFinal(how)) completed.set(idempotencyKey, how);
    },

    /** Called where a completed message may be sent again: by an operator, or after a process ended before it was on disk. */
    mayBeSentAgain: (key: string): void => void completed.delete(key),

    acknowledge(identity: string, state: MessageState): void {
      acknowledged.add(identity);
      const of = outcomes.get(identity) ?? new Set();
      const isTrue: Record<MessageState, boolean> = {
        delivered: arrived.has(identity),
        'already-subscribed': of.has('not found'),
        rejected: of.has('refused') || of.has('not found'),
        pending: true,
      };
      check('a success is one in the upstream', isTrue[state], () => `${identity} is ${state}`);
    },

    /** `views`: those counted more than a second ago. */
    check(rows: readonly DiskRow[], views: readonly string[]): void {
      const onDisk = new Set(rows.map(({ kind, payload }) => identityOf(kind, payload ?? '')));
      const isSafe = (identity: string) => arrived.has(identity) || onDisk.has(identity);
      for (const identity of acknowledged)
        check('what was acknowledged is delivered or on disk', isSafe(identity), () => identity);
      // A view rejected while the disk is full is not stored for an operator.
      const isRejected = (identity: string) => {
        const of = outcomes.get(identity);
        return of !== undefined && (of.has('refused') || of.has('not found'));
      };
      for (const identity of views) {
        const isHandled = isSafe(identity) || isRejected(identity);
        check('a view is delivered or on disk after a second', isHandled, () => identity);
      }
    },

    /** Called after the upstream has accepted everything for a while. */
    atEnd(pending: number): void {
      check(
        'pending messages are delivered when the upstream is back',
        pending === 0,
        () => `${pending} are pending`,
      );
    },
  };
}
