import { OutboxUnavailable } from '#server/errors.ts';
import type { After } from '#server/outbox/outbox-clock.ts';
import { type OutboxStore, openOutboxStore } from './outbox-store.ts';
import { OutboxLocked } from './private-file.ts';

export interface OutboxFolderOptions {
  dir: string;
  /** How long a predecessor may keep the lock, in milliseconds; 0: it is not waited for. */
  waitMs: number;
  /** How long a submission waits for the lock, in milliseconds. */
  submitMs: number;
  logger: { error(details: object, message: string): void };
  after: After;
  onOpened(): void;
}

const RETRY_MS = 50;

/** Opens the folder of an outbox, whose lock a predecessor may still hold. Throws `OutboxLocked` where `waitMs` is 0. */
export function openOutboxFolder({ dir, waitMs, submitMs, logger, after, onOpened }: OutboxFolderOptions) {
  const opened = Promise.withResolvers<OutboxStore | null>();
  let store: OutboxStore | null = null;
  let isOpen = false;
  let cancelRetry: () => void = () => undefined;
  const owned = opened.promise.then(
    () => undefined,
    (error: unknown) =>
      error instanceof OutboxLocked ? Promise.reject(error) : new Promise<never>(() => undefined),
  );
  // Nobody need wait for it.
  owned.catch(() => undefined);

  function tryFor(leftMs: number): void {
    try {
      store = openOutboxStore(dir);
    } catch (error) {
      if (error instanceof OutboxLocked) {
        if (waitMs === 0) throw error;
        if (leftMs > 0) cancelRetry = after(RETRY_MS, () => tryFor(leftMs - RETRY_MS));
        else opened.reject(error);
        return;
      }
      logger.error(
        { err: error, dir },
        'the outbox has no usable disk: submissions are forwarded at once or refused',
      );
    }
    isOpen = true;
    opened.resolve(store);
    onOpened();
  }

  tryFor(waitMs);

  return {
    /** Resolves when the lock is ours, or there is no usable disk. Rejects with `OutboxLocked` after `waitMs`. */
    owned,
    /** Null where there is no usable disk, or not yet. */
    store: () => store,
    /** The same, once that is known. Rejects with `OutboxUnavailable` after `submitMs`. */
    soon(): OutboxStore | null | Promise<OutboxStore | null> {
      if (isOpen) return store;
      const late = Promise.withResolvers<never>();
      const cancel = after(submitMs, () => late.reject(new Error('another server has the outbox')));
      return Promise.race([opened.promise, late.promise])
        .catch((error: unknown) => Promise.reject(new OutboxUnavailable(error)))
        .finally(cancel);
    },
    stopWaiting(): void {
      cancelRetry();
      opened.reject(new Error('the outbox is closing'));
    },
  };
}
