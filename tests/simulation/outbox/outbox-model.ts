import { UpstreamError } from '#server/cms/client/upstream-error.ts';
import type { OutgoingItem } from '#server/outbox/delivery/delivery-attempt.ts';
import { type Outbox, type OutboxOptions, openOutbox, type SubmissionKind } from '#server/outbox/outbox.ts';
import { seeded } from '../../seeded.ts';
import { createInvariantChecker, type InvariantChecker } from '../invariant-checker.ts';
import { inVirtualTime, now, pass } from '../simulated-clock.ts';
import { type Timed, takeTurns } from '../timed.ts';
import { copyDisk, type Disk, newFolder, openDisk, refuseWrites, removeFolder } from './outbox-disk.ts';
import { createOutboxInvariants, identityOf, type OutboxInvariant } from './outbox-invariants.ts';
import type { AttemptEnd, OutboxStep } from './outbox-scenarios.ts';

export type OpenOutbox = (options: OutboxOptions) => Outbox;

/** One process and its folder. */
interface Instance {
  dir: string;
  outbox: Outbox;
  disk: Disk;
  isStopped: boolean;
  /** Makes the disk accept writes again; null while it does. */
  repairDisk: (() => void) | null;
  /** When the disk last rejected writes, in milliseconds. */
  diskFailedAt: number;
}

interface Attempt {
  item: OutgoingItem;
  resolve(response: { status: number }): void;
  reject(error: Error): void;
}

const STATUS: Record<Exclude<AttemptEnd, 'lost' | 'unsent'>, number> = {
  accepted: 200,
  'not found': 404,
  refused: 422,
  late: 503,
};

const GRACE_MS = 1_000;
/** A killed process may lose views of this last time (faults). */
const VIEWS_LOST_MS = 1_000;
/** Longer than any backoff, and than a scenario's backlog needs. */
const LONG_ENOUGH_MS = 400_000;
/** The disk has rejected no write. */
const NEVER_YET = Number.NEGATIVE_INFINITY;
const NEVER = new Promise<never>(() => undefined);
const QUIET = { warn: () => undefined, error: () => undefined };

/**
 * Runs one scenario of an outbox with a disk of its own, in virtual time: readers, an upstream, operators, stops and
 * kills. In the end the upstream accepts everything. `only`: checks that invariant alone. Throws the first `Violation`.
 */
export function runOutboxScenario(
  scenario: readonly Timed<OutboxStep>[],
  open: OpenOutbox = openOutbox,
  only?: OutboxInvariant,
): Promise<void> {
  return inVirtualTime(async () => {
    const { check, throwFirst } = createInvariantChecker(only);
    const model = createOutboxModel(open, check);
    try {
      for (const step of scenario) {
        const taking = model.take(step);
        if (taking) await taking;
        await takeTurns(step.turns);
        if (step.turns !== null) continue;
        model.check();
        throwFirst();
      }
      await model.end();
      throwFirst();
    } finally {
      model.close();
    }
  });
}

function identityOfItem({ kind, payload }: OutgoingItem): string {
  return identityOf(kind, JSON.stringify(payload));
}

function createOutboxModel(open: OpenOutbox, checkInvariant: InvariantChecker<OutboxInvariant>) {
  const random = seeded(1);
  const invariants = createOutboxInvariants(checkInvariant);
  let attempts: Attempt[] = [];
  /** Outcomes that the process may not have stored yet. */
  let unrecorded: { item: OutgoingItem; how: AttemptEnd }[] = [];
  let views: { identity: string; at: number }[] = [];
  let counted = 0;
  let isBack = false;
  /** Readers who wait for their submission's outcome: its attempts are not a worker's. */
  let readers = 0;
  let instance = start(newFolder());

  function start(dir: string): Instance {
    const clock = { now, monotonic: now };
    const outbox = open({ dir, logger: QUIET, clock, random, deliver: (item) => deliver(own, item) });
    const own: Instance = {
      dir,
      outbox,
      disk: openDisk(dir),
      isStopped: false,
      repairDisk: null,
      diskFailedAt: NEVER_YET,
    };
    outbox.start();
    return own;
  }

  function deliver(own: Instance, item: OutgoingItem): Promise<{ status: number }> {
    if (own.isStopped) return NEVER;
    recordOutcomes(item.idempotencyKey);
    const inFlight = attempts.map((attempt) => attempt.item);
    const withoutDisk = readers > 0 || item.kind === 'view' ? isDiskFailing(own) : false;
    const rows = own.disk.rows();
    invariants.started({
      item,
      rows,
      byWorker: readers === 0,
      inFlight,
      justEnded: unrecorded,
      withoutDisk,
    });
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number }>();
    const attempt: Attempt = { item, resolve, reject };
    attempts.push(attempt);
    if (isBack) finish(attempt, 'accepted');
    return promise;
  }

  /** Also shortly after the disk works again: views stay in memory until the next commit. */
  function isDiskFailing({ repairDisk, diskFailedAt }: Instance): boolean {
    return repairDisk !== null || now() - diskFailedAt < VIEWS_LOST_MS;
  }

  function setDisk(works: boolean): void {
    if (works && instance.repairDisk) {
      instance.repairDisk();
      instance.repairDisk = null;
      instance.diskFailedAt = now();
    }
    if (!works) instance.repairDisk ??= refuseWrites(instance.dir);
  }

  /** The outcomes of a message, or of all, must be on disk by now. */
  function recordOutcomes(key?: string): void {
    const isIncluded = ({ item }: { item: OutgoingItem }) => key === undefined || item.idempotencyKey === key;
    for (const { item, how } of unrecorded.filter(isIncluded)) invariants.recorded(item, how);
    unrecorded = unrecorded.filter((one) => !isIncluded(one));
  }

  function finish(attempt: Attempt, how: AttemptEnd): void {
    attempts = attempts.filter((other) => other !== attempt);
    invariants.ended(attempt.item, how);
    for (const view of views) if (view.identity === identityOfItem(attempt.item)) view.at = now();
    unrecorded.push({ item: attempt.item, how });
    if (how === 'lost') attempt.reject(new UpstreamError('timeout', 'submission'));
    else if (how === 'unsent') attempt.reject(new UpstreamError('overloaded', 'submission'));
    else attempt.resolve({ status: STATUS[how] });
  }

  function submit(kind: SubmissionKind, reader: number): void {
    const payload = { email: `reader-${reader}@example.com` };
    const { outbox } = instance;
    readers++;
    outbox
      .submit(kind, payload)
      .then((delivery) => invariants.acknowledge(identityOf(kind, JSON.stringify(payload)), delivery))
      .catch(() => undefined)
      .finally(() => readers--);
  }

  function countView(): void {
    const view = { postId: String(++counted), address: '93.184.216.34' };
    const payload = JSON.stringify({ postId: view.postId, ip_addr: view.address });
    views.push({ identity: identityOf('view', payload), at: now() });
    instance.outbox.countView(view);
  }

  async function retry(item: number): Promise<void> {
    const listed = await instance.outbox.list();
    const entry = listed[item % listed.length];
    const row = instance.disk.rows().find(({ id }) => id === entry?.id);
    if (!entry || !row) return;
    if (row.state === 'refused') {
      if (instance.repairDisk) return;
      recordOutcomes(row.idempotency_key);
      invariants.mayBeSentAgain(row.idempotency_key);
    }
    await instance.outbox.retry(entry.id);
  }

  function close(): void {
    instance.isStopped = true;
    setDisk(true);
    instance.disk.close();
    instance.outbox.closeImmediately();
    removeFolder(instance.dir);
    attempts = [];
    unrecorded = [];
    readers = 0;
  }

  /** Views that a kill must not lose: older than a second, and not being sent. */
  function safeViews(): typeof views {
    if (isDiskFailing(instance)) return [];
    const beingSent = new Set(attempts.map(({ item }) => identityOfItem(item)));
    return views.filter(({ identity, at }) => now() - at >= VIEWS_LOST_MS && !beingSent.has(identity));
  }

  /** Starts a process on what this one left on disk. What the disk rejected is not there. */
  function startNext(): void {
    const dir = copyDisk(instance.dir);
    const hasDiskFailed = instance.repairDisk !== null || instance.diskFailedAt > NEVER_YET;
    const pending = hasDiskFailed ? instance.disk.rows().filter(({ state }) => state === 'waiting') : [];
    for (const row of pending) invariants.mayBeSentAgain(row.idempotency_key);
    close();
    instance = start(dir);
  }

  function crash(): void {
    views = safeViews();
    startNext();
  }

  async function restart(): Promise<void> {
    if (instance.repairDisk) views = [];
    const closing = instance.outbox.close(GRACE_MS);
    await pass(GRACE_MS);
    await closing;
    startNext();
  }

  /** Returns a promise where the step takes time. */
  function take(step: OutboxStep): Promise<void> | null {
    if (step.do === 'submit') submit(step.kind, step.reader);
    else if (step.do === 'view') countView();
    else if (step.do === 'pass') return pass(step.ms);
    else if (step.do === 'retry') return retry(step.item);
    else if (step.do === 'restart') return restart();
    else if (step.do === 'disk') setDisk(step.works);
    else if (step.do === 'crash') crash();
    else {
      const attempt = attempts[step.attempt % attempts.length];
      if (attempt) finish(attempt, step.how);
    }
    return null;
  }

  function check(): void {
    recordOutcomes();
    invariants.check(
      instance.disk.rows(),
      safeViews().map(({ identity }) => identity),
    );
  }

  return {
    take,
    check,
    close,
    async end(): Promise<void> {
      setDisk(true);
      isBack = true;
      for (const attempt of attempts) finish(attempt, 'accepted');
      await pass(LONG_ENOUGH_MS);
      check();
      const depth = instance.outbox.depth();
      invariants.atEnd(depth.submissions + depth.views);
    },
  };
}
