import type { After } from '#server/outbox/outbox-clock.ts';
import { OutboxUnavailable } from '#server/outbox/submissions.ts';
import { type OutboxStore, openOutboxStore } from './outbox-store.ts';
import { OutboxLocked } from './private-file.ts';

export interface OutboxFolderOptions {
  dir: string;
  /** How long a predecessor may take to let go of it; 0: it is not waited for. */
  waitMs: number;
  /** How long a submission waits for it. */
  submitMs: number;
  logger: { error(details: object, message: string): void };
  after: After;
  onOpened(): void;
}

const TRY_EVERY_MS = 50;

/** The folder of an outbox, which a predecessor may still have. Throws `OutboxLocked` where it is not to be waited for. */
export function openOutboxFolder({ dir, waitMs, submitMs, logger, after, onOpened }: OutboxFolderOptions) {
  const owned = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<OutboxStore | null>();
  let store: OutboxStore | null = null;
  let isOpen = false;
  let cancelTry: () => void = () => undefined;
  // Whoever waits for it hears of it; nobody need wait.
  owned.promise.catch(() => undefined);
  opened.promise.catch(() => undefined);

  function tryFor(leftMs: number): void {
    try {
      store = openOutboxStore(dir);
    } catch (error) {
      if (error instanceof OutboxLocked) {
        if (waitMs === 0) throw error;
        if (leftMs > 0) cancelTry = after(TRY_EVERY_MS, () => tryFor(leftMs - TRY_EVERY_MS));
        else giveUp(error);
        return;
      }
      logger.error(
        { err: error, dir },
        'the outbox has no usable disk: submissions are forwarded at once or refused',
      );
    }
    isOpen = true;
    opened.resolve(store);
    owned.resolve();
    onOpened();
  }

  function giveUp(error: Error): void {
    owned.reject(error);
    opened.reject(new OutboxUnavailable(error));
  }

  tryFor(waitMs);

  return {
    owned: owned.promise,
    /** Null where there is no usable disk, or not yet. */
    store: () => store,
    /** The same, once that is known. Rejects with `OutboxUnavailable` where it takes too long. */
    soon(): OutboxStore | null | Promise<OutboxStore | null> {
      if (isOpen) return store;
      const late = Promise.withResolvers<never>();
      const cancel = after(submitMs, () =>
        late.reject(new OutboxUnavailable(new Error('another server has the outbox'))),
      );
      return Promise.race([opened.promise, late.promise]).finally(cancel);
    },
    stopWaiting(): void {
      cancelTry();
      if (!isOpen) opened.reject(new OutboxUnavailable(new Error('the outbox is closing')));
    },
  };
}
