import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Outbox, type OutboxOptions, openOutbox } from '#server/outbox/outbox.ts';
import type { OutboxInvariant } from './outbox-invariants.ts';
import type { OpenOutbox } from './outbox-model.ts';

/** An outbox with one deliberate bug, and the invariant that must catch it. */
export interface OutboxMutant {
  name: string;
  caughtBy: OutboxInvariant;
  open: OpenOutbox;
}

/** Opens the real outbox, of which some methods are replaced. */
function withOutbox(mutate: (outbox: Outbox, options: OutboxOptions) => Partial<Outbox>): OpenOutbox {
  return (options) => {
    const outbox = openOutbox(options);
    return { ...outbox, ...mutate(outbox, options) };
  };
}

/** Opens the real outbox with other options. */
function withOptions(change: (options: OutboxOptions) => Partial<OutboxOptions>): OpenOutbox {
  return (options) => openOutbox({ ...options, ...change(options) });
}

export const OUTBOX_MUTANTS: readonly OutboxMutant[] = [
  {
    name: 'acknowledges before it writes',
    caughtBy: 'what was acknowledged is delivered or on disk',
    open: withOutbox((outbox) => ({
      async submit(kind, payload) {
        setTimeout(() => void outbox.submit(kind, payload).catch(() => undefined), 100);
        return 'pending';
      },
    })),
  },
  {
    name: 'acknowledges what the disk rejected',
    caughtBy: 'what was acknowledged is delivered or on disk',
    open: withOutbox((outbox) => ({
      submit: (kind, payload) => outbox.submit(kind, payload).catch(() => 'pending' as const),
    })),
  },
  {
    name: 'keeps views in memory',
    caughtBy: 'a view is delivered or on disk after a second',
    open: withOutbox((outbox) => ({
      countView: (view) => void setTimeout(() => outbox.countView(view), 2_000),
    })),
  },
  {
    name: 'creates an idempotency key for each attempt',
    caughtBy: 'only what is on disk is sent, under its idempotency key',
    open: withOptions(({ deliver }) => ({
      deliver: (item) => deliver({ ...item, idempotencyKey: randomUUID() }),
    })),
  },
  {
    name: 'sends twice',
    caughtBy: 'one attempt at a time for an idempotency key',
    open: withOptions(({ deliver }) => ({
      deliver: (item) => Promise.race([deliver(item), deliver(item)]),
    })),
  },
  {
    name: 'loses a successful outcome',
    caughtBy: 'a completed message is not sent again',
    open: withOptions(({ deliver }) => ({
      deliver: async (item) => ({ status: (await deliver(item)).status === 200 ? 500 : 503 }),
    })),
  },
  {
    name: 'sends a sender’s messages in reverse order',
    caughtBy: 'one sender has one attempt at a time, in order',
    open: withOutbox((outbox, { dir }) => ({
      submit(kind, payload) {
        const told = outbox.submit(kind, payload);
        const file = new DatabaseSync(join(dir, 'outbox.sqlite'));
        try {
          file.exec('UPDATE items SET aside = -id');
        } catch {
          // The disk rejects the write: the order stays as it is.
        }
        file.close();
        return told;
      },
    })),
  },
  {
    name: 'does not bound concurrent attempts',
    caughtBy: 'concurrent attempts are bounded',
    open: withOptions(({ deliver }) => ({
      deliver: (item) => Promise.race(Array.from({ length: 20 }, () => deliver(item))),
    })),
  },
  {
    name: 'sends the latest view first',
    caughtBy: 'a worker takes the oldest first',
    open: withOutbox((outbox, { dir }) => ({
      countView(view) {
        outbox.countView(view);
        const file = new DatabaseSync(join(dir, 'outbox.sqlite'));
        try {
          file.exec("UPDATE items SET aside = -id WHERE kind = 'view'");
        } catch {
          // The disk rejects the write.
        }
        file.close();
      },
    })),
  },
  {
    name: 'reports a failure as success',
    caughtBy: 'a success is one in the upstream',
    open: withOutbox((outbox) => ({
      submit: async (kind, payload) => {
        const delivery = await outbox.submit(kind, payload);
        return delivery === 'pending' ? 'delivered' : delivery;
      },
    })),
  },
  {
    name: 'never retries',
    caughtBy: 'pending messages are delivered when the upstream is back',
    open: withOptions(() => ({ timers: () => () => undefined })),
  },
];
