import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Deliver } from './deliver.ts';
import { type Attempt, outcomeOf } from './delivery-outcome.ts';
import { createLane } from './lane.ts';
import {
  OUTBOX_KINDS,
  type OutboxKind,
  OutboxLocked,
  type OutboxRow,
  type OutboxStore,
  openOutboxStore,
} from './outbox-store.ts';

export type SubmissionKind = Exclude<OutboxKind, 'view'>;

/** What became of a submission. `failed`: it is kept and will be delivered later. */
export type Delivery = 'delivered' | 'already-subscribed' | 'refused' | 'failed';

/** What an operator sees of an item: nothing personal. */
export interface OutboxEntry {
  id: number;
  kind: OutboxKind;
  state: 'waiting' | 'refused';
  attempts: number;
  lastError: string | null;
  /** ISO 8601. */
  createdAt: string;
}

/** A submission could neither be kept nor delivered. */
export class OutboxUnavailable extends Error {
  constructor(cause: unknown) {
    super('The submission could neither be kept nor delivered.', { cause });
    this.name = 'OutboxUnavailable';
  }
}

/** Durable queue of what readers send, on its way upstream. */
export interface Outbox {
  /** On disk first, then one attempt at once. Throws `OutboxUnavailable` where neither could be done. */
  submit(kind: SubmissionKind, payload: object): Promise<Delivery>;
  /** Never throws, never waits: views are written together a few times a second. */
  countView(view: { postId: string; address: string }): void;
  list(): OutboxEntry[];
  /** Tries a refused item again. False where there is none of that id. */
  retry(id: number): boolean;
  depth(): { submissions: number; views: number; refused: number; oldestSeconds: number };
  start(): void;
  /** Writes the views that wait in memory, tries once more to deliver, and closes the file. */
  close(graceMs: number): Promise<void>;
}

export interface OutboxOptions {
  dir: string;
  deliver: Deliver;
  logger: { warn(details: object, message: string): void; error(details: object, message: string): void };
  /** Wall-clock milliseconds. */
  now?: () => number;
  random?: () => number;
}

const DAY_MS = 86_400_000;
const VIEW_COMMIT_MS = 250;
/** Views in memory at most; more than that between two commits are no readers. */
const VIEWS_IN_MEMORY = 10_000;
const VIEWS_PER_COMMIT = 2_000;
const VIEWS_ON_DISK = 100_000;
const HOUR_MS = 3_600_000;

/** Opens the outbox of a folder. Throws `OutboxLocked` where another server has it; without a usable disk it works from memory. */
export function openOutbox({
  dir,
  deliver,
  logger,
  now = Date.now,
  random = Math.random,
}: OutboxOptions): Outbox {
  const store = openStore(dir, logger);
  const secret = store?.secret(() => randomBytes(32)) ?? randomBytes(32);
  const lanes = new Map(
    OUTBOX_KINDS.map((kind) => [
      kind,
      createLane({ next: () => store?.oldestWaiting(kind) ?? null, attempt: deliverRow, random }),
    ]),
  );
  let views: { kind: 'view'; payload: string; idempotencyKey: string; createdAt: number }[] = [];
  let viewsOnDisk = store?.counts().find(({ kind, state }) => kind === 'view' && state === 'waiting')?.n ?? 0;
  let dropped = 0;
  const deliveries = new Map<number, Promise<boolean>>();
  const timers: NodeJS.Timeout[] = [];
  let closed = false;

  async function attempt(kind: OutboxKind, payload: unknown, idempotencyKey: string): Promise<Attempt> {
    try {
      return await deliver({ kind, payload, idempotencyKey });
    } catch (error) {
      return { error: error instanceof Error ? error.message : 'no answer' };
    }
  }

  /** True when the lane may go on. A reader's own attempt and the lane's never deliver the same item twice. */
  function deliverRow(row: OutboxRow): Promise<boolean> {
    const running = deliveries.get(row.id);
    if (running) return running;
    const delivery = deliverOnce(row).finally(() => deliveries.delete(row.id));
    deliveries.set(row.id, delivery);
    return delivery;
  }

  async function deliverOnce(row: OutboxRow): Promise<boolean> {
    if (!store || row.payload === null) return false;
    const outcome = outcomeOf(
      row.kind,
      await attempt(row.kind, JSON.parse(row.payload), row.idempotency_key),
      row.uncertain === 1,
    );
    if (closed) return false;
    if (row.kind === 'view' && outcome.state === 'delivered') store.remove(row.id);
    else store.recordAttempt(row.id, outcome);
    if (row.kind === 'view' && outcome.state !== 'waiting') viewsOnDisk--;
    if (outcome.error !== null)
      logger.warn(
        {
          kind: row.kind,
          id: row.id,
          attempts: row.attempts + 1,
          reason: outcome.error,
          state: outcome.state,
        },
        'delivery failed',
      );
    return outcome.state !== 'waiting';
  }

  async function deliverNow(row: OutboxRow): Promise<Delivery> {
    const delivered = await deliverRow(row);
    if (!delivered) lanes.get(row.kind)?.poke();
    return deliveryOf(store?.get(row.id)?.state ?? 'waiting');
  }

  /** Without a disk: delivered at once or not accepted, never a false success. */
  async function forward(kind: SubmissionKind, payload: object, cause: unknown): Promise<Delivery> {
    const outcome = outcomeOf(kind, await attempt(kind, payload, randomUUID()), false);
    if (outcome.state === 'waiting' || outcome.state === 'refused') throw new OutboxUnavailable(cause);
    return deliveryOf(outcome.state);
  }

  function commitViews(): void {
    if (dropped > 0) logger.error({ dropped }, 'more views than can be kept: some are not counted');
    dropped = 0;
    if (!store || views.length === 0) return;
    const batch = views.slice(0, VIEWS_PER_COMMIT);
    try {
      store.addAll(batch);
      views = views.slice(batch.length);
      viewsOnDisk += batch.length;
      lanes.get('view')?.poke();
    } catch (error) {
      // They stay in memory, bounded, until the disk takes them.
      logger.error({ err: error }, 'views could not be written');
    }
  }

  return {
    async submit(kind, payload) {
      const text = JSON.stringify(payload);
      const digest = createHmac('sha256', secret).update(`${kind}\n${text}`).digest('base64');
      let id: number;
      try {
        if (!store) throw new Error('there is no disk');
        const earlier = store.sameSince(digest, now() - DAY_MS);
        if (earlier?.state === 'waiting') return await deliverNow(earlier);
        // A delivered subscription may have been cancelled since: the upstream knows.
        if (earlier?.state === 'delivered' && kind !== 'subscription') return 'delivered';
        id = store.add({ kind, payload: text, digest, idempotencyKey: randomUUID(), createdAt: now() });
      } catch (error) {
        logger.error({ err: error, kind }, 'a submission could not be written');
        return forward(kind, payload, error);
      }
      const row = store.get(id);
      return row ? deliverNow(row) : 'failed';
    },

    countView({ postId, address }) {
      if (views.length >= VIEWS_IN_MEMORY || viewsOnDisk >= VIEWS_ON_DISK) {
        dropped++;
        return;
      }
      const payload = JSON.stringify({ postId, ip_addr: address });
      views.push({ kind: 'view', payload, idempotencyKey: randomUUID(), createdAt: now() });
    },

    list: () =>
      (store?.list() ?? []).map((row) => ({
        id: row.id,
        kind: row.kind,
        state: row.state === 'refused' ? 'refused' : 'waiting',
        attempts: row.attempts,
        lastError: row.last_error,
        createdAt: new Date(row.created_at).toISOString(),
      })),

    retry(id) {
      const known = store?.retry(id) ?? false;
      if (known) for (const lane of lanes.values()) lane.poke();
      return known;
    },

    depth() {
      const counts = store?.counts() ?? [];
      const waiting = counts.filter(({ state }) => state === 'waiting');
      const sum = (rows: typeof counts) => rows.reduce((total, { n }) => total + n, 0);
      const oldest = Math.min(now(), ...waiting.map((row) => row.oldest));
      return {
        submissions: sum(waiting.filter(({ kind }) => kind !== 'view')),
        views: sum(waiting.filter(({ kind }) => kind === 'view')) + views.length,
        refused: sum(counts.filter(({ state }) => state === 'refused')),
        oldestSeconds: Math.round((now() - oldest) / 1000),
      };
    },

    start() {
      for (const lane of lanes.values()) lane.poke();
      timers.push(
        setInterval(commitViews, VIEW_COMMIT_MS),
        setInterval(() => store?.forgetBefore(now() - DAY_MS), HOUR_MS),
      );
      for (const timer of timers) timer.unref();
    },

    async close(graceMs) {
      for (const timer of timers) clearInterval(timer);
      while (store && views.length > 0) {
        const before = views.length;
        commitViews();
        if (views.length === before) break;
      }
      let timer: NodeJS.Timeout | undefined;
      const drained = Promise.all([...lanes.values()].map((lane) => lane.drain()));
      await Promise.race([
        drained,
        new Promise((resolve) => {
          timer = setTimeout(resolve, graceMs);
        }),
      ]);
      clearTimeout(timer);
      closed = true;
      for (const lane of lanes.values()) lane.close();
      store?.close();
    },
  };
}

function deliveryOf(state: OutboxRow['state']): Delivery {
  if (state === 'answered') return 'already-subscribed';
  return state === 'waiting' ? 'failed' : state;
}

function openStore(dir: string, logger: OutboxOptions['logger']): OutboxStore | null {
  try {
    return openOutboxStore(dir);
  } catch (error) {
    if (error instanceof OutboxLocked) throw error;
    logger.error(
      { err: error, dir },
      'the outbox has no usable disk: submissions are forwarded at once or refused',
    );
    return null;
  }
}
