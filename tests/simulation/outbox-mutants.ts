import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Outbox, type OutboxOptions, openOutbox } from '#server/outbox/outbox.ts';
import type { OutboxInvariant } from './outbox-invariants.ts';
import type { OpenOutbox } from './outbox-model.ts';

/** An outbox that is wrong in one way, and the invariant that must catch it. */
export interface OutboxMutant {
  name: string;
  caughtBy: OutboxInvariant;
  open: OpenOutbox;
}

/** The real outbox, with something of it replaced. */
function withOutbox(mutate: (outbox: Outbox, options: OutboxOptions) => Partial<Outbox>): OpenOutbox {
  return (options) => {
    const outbox = openOutbox(options);
    return { ...outbox, ...mutate(outbox, options) };
  };
}

/** The real outbox, opened with other options. */
function withOptions(change: (options: OutboxOptions) => Partial<OutboxOptions>): OpenOutbox {
  return (options) => openOutbox({ ...options, ...change(options) });
}

/** Outboxes that are wrong. */
export const OUTBOX_MUTANTS: readonly OutboxMutant[] = [
  {
    name: 'an outbox that acknowledges before it writes',
    caughtBy: 'what was acknowledged is delivered or on disk',
    open: withOutbox((outbox) => ({
      async submit(kind, payload) {
        setTimeout(() => void outbox.submit(kind, payload).catch(() => undefined), 100);
        return 'failed';
      },
    })),
  },
  {
    name: 'an outbox that acknowledges what the disk refused',
    caughtBy: 'what was acknowledged is delivered or on disk',
    open: withOutbox((outbox) => ({
      submit: (kind, payload) => outbox.submit(kind, payload).catch(() => 'failed' as const),
    })),
  },
  {
    name: 'an outbox that keeps views in memory',
    caughtBy: 'a view is delivered or on disk after a second',
    open: withOutbox((outbox) => ({
      countView: (view) => void setTimeout(() => outbox.countView(view), 2_000),
    })),
  },
  {
    name: 'an outbox that makes a key for each attempt',
    caughtBy: 'nothing leaves but what is on disk, under its key',
    open: withOptions(({ deliver }) => ({
      deliver: (item) => deliver({ ...item, idempotencyKey: randomUUID() }),
    })),
  },
  {
    name: 'an outbox that sends twice to be sure',
    caughtBy: 'one attempt at a time under a key',
    open: withOptions(({ deliver }) => ({
      deliver: (item) => Promise.race([deliver(item), deliver(item)]),
    })),
  },
  {
    name: 'an outbox that does not hear a yes',
    caughtBy: 'what has its answer is not sent again',
    open: withOptions(({ deliver }) => ({
      deliver: async (item) => ({ status: (await deliver(item)).status === 200 ? 500 : 503 }),
    })),
  },
  {
    name: 'an outbox that sends the last first',
    caughtBy: 'one sender has one attempt at a time, in order',
    open: withOutbox((outbox, { dir }) => ({
      submit(kind, payload) {
        const told = outbox.submit(kind, payload);
        const file = new DatabaseSync(join(dir, 'outbox.sqlite'));
        try {
          file.exec('UPDATE items SET aside = -id');
        } catch {
          // The disk refuses: this time nothing is put in disorder.
        }
        file.close();
        return told;
      },
    })),
  },
  {
    name: 'an outbox that knows no bound',
    caughtBy: 'no more attempts at a time than promised',
    open: withOptions(({ deliver }) => ({
      deliver: (item) => Promise.race(Array.from({ length: 20 }, () => deliver(item))),
    })),
  },
  {
    name: 'an outbox that prefers the last',
    caughtBy: 'a worker takes the oldest first',
    open: withOutbox((outbox, { dir }) => ({
      countView(view) {
        outbox.countView(view);
        const file = new DatabaseSync(join(dir, 'outbox.sqlite'));
        try {
          file.exec("UPDATE items SET aside = -id WHERE kind = 'view'");
        } catch {
          // The disk refuses.
        }
        file.close();
      },
    })),
  },
  {
    name: 'an outbox that promises success',
    caughtBy: 'a success is what the upstream said',
    open: withOutbox((outbox) => ({
      submit: async (kind, payload) => {
        const delivery = await outbox.submit(kind, payload);
        return delivery === 'failed' ? 'delivered' : delivery;
      },
    })),
  },
  {
    name: 'an outbox that never tries again',
    caughtBy: 'what waits is delivered when the upstream is back',
    open: withOptions(() => ({ timers: () => () => undefined })),
  },
];
