import { UpstreamError } from '#server/cms/client/upstream-error.ts';
import type { OutgoingItem } from '#server/outbox/delivery/deliver.ts';
import { type Outbox, type OutboxOptions, openOutbox, type SubmissionKind } from '#server/outbox/outbox.ts';
import { seeded } from '../seeded.ts';
import { createInvariantChecker, type InvariantChecker } from './invariant-checker.ts';
import { type Disk, leftBehind, lookInto, newFolder, refuseWrites, removeFolder } from './outbox-disk.ts';
import { createOutboxInvariants, identityOf, type OutboxInvariant } from './outbox-invariants.ts';
import type { AttemptEnd, OutboxStep } from './outbox-scenarios.ts';
import { inVirtualTime, now, pass } from './simulated-clock.ts';
import { type Timed, takeTurns } from './timed.ts';

export type OpenOutbox = (options: OutboxOptions) => Outbox;

/** One process on its folder. */
interface Life {
  dir: string;
  outbox: Outbox;
  disk: Disk;
  isOver: boolean;
  /** Makes the disk work again; null while it does. */
  mend: (() => void) | null;
  /** When it refused last, in milliseconds. */
  refusedAt: number;
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
/** A process that is killed may take this much of its views with it (faults). */
const VIEWS_LOST_MS = 1_000;
/** Longer than any pause between two attempts, and than a story's backlog takes. */
const LONG_ENOUGH_MS = 400_000;
/** The disk has refused nothing. */
const NEVER_YET = Number.NEGATIVE_INFINITY;
const NEVER = new Promise<never>(() => undefined);
const QUIET = { warn: () => undefined, error: () => undefined };

/**
 * Lives through one story of an outbox on a disk of its own, in virtual time: readers, an upstream, operators, stops
 * and kills. In the end the upstream takes everything. `only`: looks at that invariant alone. Throws the first
 * `Violation`.
 */
export function liveThroughOutbox(
  scenario: readonly Timed<OutboxStep>[],
  open: OpenOutbox = openOutbox,
  only?: OutboxInvariant,
): Promise<void> {
  return inVirtualTime(async () => {
    const { checker, pronounce } = createInvariantChecker(only);
    const model = createOutboxModel(open, checker);
    try {
      for (const step of scenario) {
        const taking = model.take(step);
        if (taking) await taking;
        await takeTurns(step.turns);
        if (step.turns !== null) continue;
        model.look();
        pronounce();
      }
      await model.end();
      pronounce();
    } finally {
      model.leave();
    }
  });
}

function identityOfItem({ kind, payload }: OutgoingItem): string {
  return identityOf(kind, JSON.stringify(payload));
}

function createOutboxModel(open: OpenOutbox, checker: InvariantChecker<OutboxInvariant>) {
  const random = seeded(1);
  const invariants = createOutboxInvariants(checker);
  let attempts: Attempt[] = [];
  /** Answers of which the process may not have heard yet. */
  let unheard: { item: OutgoingItem; how: AttemptEnd }[] = [];
  let views: { identity: string; at: number }[] = [];
  let counted = 0;
  let isBack = false;
  /** Who wait for what becomes of their submission: their attempts are no worker's. */
  let readers = 0;
  let life = begin(newFolder());

  function begin(dir: string): Life {
    const clock = { now, monotonic: now };
    const outbox = open({ dir, logger: QUIET, clock, random, deliver: (item) => deliver(own, item) });
    const own: Life = { dir, outbox, disk: lookInto(dir), isOver: false, mend: null, refusedAt: NEVER_YET };
    outbox.start();
    return own;
  }

  function deliver(own: Life, item: OutgoingItem): Promise<{ status: number }> {
    if (own.isOver) return NEVER;
    hear(item.idempotencyKey);
    const underWay = attempts.map((attempt) => attempt.item);
    const withoutDisk = readers > 0 || item.kind === 'view' ? diskIsBad(own) : false;
    const justEnded = unheard.map((one) => one.item);
    const rows = own.disk.rows();
    invariants.leaving({ item, rows, byWorker: readers === 0, underWay, justEnded, withoutDisk });
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number }>();
    const attempt: Attempt = { item, resolve, reject };
    attempts.push(attempt);
    if (isBack) finish(attempt, 'accepted');
    return promise;
  }

  /** Views stay in memory a while longer: the disk is asked again with the next commit. */
  function diskIsBad({ mend, refusedAt }: Life): boolean {
    return mend !== null || now() - refusedAt < VIEWS_LOST_MS;
  }

  function setDisk(works: boolean): void {
    if (works && life.mend) {
      life.mend();
      life.mend = null;
      life.refusedAt = now();
    }
    if (!works) life.mend ??= refuseWrites(life.dir);
  }

  /** What the upstream said of an item, or of all, has been written down by now. */
  function hear(key?: string): void {
    const isMeant = ({ item }: { item: OutgoingItem }) => key === undefined || item.idempotencyKey === key;
    for (const { item, how } of unheard.filter(isMeant)) invariants.heard(item, how);
    unheard = unheard.filter((one) => !isMeant(one));
  }

  function finish(attempt: Attempt, how: AttemptEnd): void {
    attempts = attempts.filter((other) => other !== attempt);
    invariants.ended(attempt.item, how);
    for (const view of views) if (view.identity === identityOfItem(attempt.item)) view.at = now();
    unheard.push({ item: attempt.item, how });
    if (how === 'lost') attempt.reject(new UpstreamError('timeout', 'submission'));
    else if (how === 'unsent') attempt.reject(new UpstreamError('overloaded', 'submission'));
    else attempt.resolve({ status: STATUS[how] });
  }

  function submit(kind: SubmissionKind, reader: number): void {
    const payload = { email: `reader-${reader}@example.com` };
    const { outbox } = life;
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
    life.outbox.countView(view);
  }

  async function retry(item: number): Promise<void> {
    const listed = await life.outbox.list();
    const entry = listed[item % listed.length];
    const row = life.disk.rows().find(({ id }) => id === entry?.id);
    if (!entry || !row) return;
    if (row.state === 'refused') {
      if (life.mend) return;
      hear(row.idempotency_key);
      invariants.mayBeSentAgain(row.idempotency_key);
    }
    await life.outbox.retry(entry.id);
  }

  function leave(): void {
    life.isOver = true;
    setDisk(true);
    life.disk.close();
    life.outbox.closeAtOnce();
    removeFolder(life.dir);
    attempts = [];
    unheard = [];
    readers = 0;
  }

  /** Those that a kill must not take: they had a second to be written down, and are not on their way. */
  function safeViews(): typeof views {
    if (diskIsBad(life)) return [];
    const onTheirWay = new Set(attempts.map(({ item }) => identityOfItem(item)));
    return views.filter(({ identity, at }) => now() - at >= VIEWS_LOST_MS && !onTheirWay.has(identity));
  }

  /** The next process finds what this one leaves behind. What the disk refused to write is not there. */
  function passOn(): void {
    const dir = leftBehind(life.dir);
    const hasRefused = life.mend !== null || life.refusedAt > NEVER_YET;
    const waiting = hasRefused ? life.disk.rows().filter(({ state }) => state === 'waiting') : [];
    for (const row of waiting) invariants.mayBeSentAgain(row.idempotency_key);
    leave();
    life = begin(dir);
  }

  function crash(): void {
    views = safeViews();
    passOn();
  }

  async function restart(): Promise<void> {
    if (life.mend) views = [];
    const closing = life.outbox.close(GRACE_MS);
    await pass(GRACE_MS);
    await closing;
    passOn();
  }

  /** Answers with a promise where the step takes time. */
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

  function look(): void {
    hear();
    invariants.look(
      life.disk.rows(),
      safeViews().map(({ identity }) => identity),
    );
  }

  return {
    take,
    look,
    leave,
    async end(): Promise<void> {
      setDisk(true);
      isBack = true;
      for (const attempt of attempts) finish(attempt, 'accepted');
      await pass(LONG_ENOUGH_MS);
      look();
      const depth = life.outbox.depth();
      invariants.inTheEnd(depth.submissions + depth.views);
    },
  };
}
