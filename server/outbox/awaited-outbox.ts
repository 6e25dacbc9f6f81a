import { type After, afterSystemTime } from './clock.ts';
import { type Outbox, OutboxUnavailable } from './outbox.ts';
import { OutboxLocked } from './private-file.ts';

/** The outbox of a server that may have to wait for its predecessor to let go of the folder. */
export interface AwaitedOutbox extends Outbox {
  /**
   * Resolves when the folder is this server's; rejects with what `open` throws, with `OutboxLocked` after `waitMs`.
   * Neither where the outbox is closed first.
   */
  owned: Promise<void>;
}

export interface AwaitedOutboxOptions {
  /** Throws `OutboxLocked` while another server has the folder. */
  open: () => Outbox;
  /** How long the predecessor may take. */
  waitMs: number;
  /** How long a submission waits for the folder before it is refused. */
  submitMs: number;
  timers?: After;
}

const TRY_EVERY_MS = 50;
const VIEWS_IN_MEMORY = 10_000;
const EMPTY = { submissions: 0, views: 0, refused: 0, oldestSeconds: 0 };

/**
 * Opens the outbox when its folder is free (`docs/decisions/0006`). Until then views wait in memory and submissions for
 * the folder: nothing is acknowledged that is not on disk.
 */
export function awaitOutbox({
  open,
  waitMs,
  submitMs,
  timers = afterSystemTime,
}: AwaitedOutboxOptions): AwaitedOutbox {
  const opened = Promise.withResolvers<Outbox>();
  const owned = Promise.withResolvers<void>();
  let outbox: Outbox | null = null;
  let closed = false;
  let started = false;
  let views: Parameters<Outbox['countView']>[0][] = [];
  let cancelTry: () => void = () => undefined;
  // Whoever waits for it hears of it; nobody need wait.
  opened.promise.catch(() => undefined);
  owned.promise.catch(() => undefined);

  function tryFor(leftMs: number): void {
    try {
      outbox = open();
    } catch (error) {
      if (error instanceof OutboxLocked && leftMs > 0) {
        cancelTry = timers(TRY_EVERY_MS, () => tryFor(leftMs - TRY_EVERY_MS));
      } else {
        opened.reject(error);
        owned.reject(error);
      }
      return;
    }
    if (started) outbox.start();
    for (const view of views) outbox.countView(view);
    views = [];
    opened.resolve(outbox);
    owned.resolve();
  }

  function soon(): Promise<Outbox> {
    if (outbox) return Promise.resolve(outbox);
    const late = Promise.withResolvers<never>();
    const cancel = timers(submitMs, () =>
      late.reject(new OutboxUnavailable(new Error('another server has the outbox'))),
    );
    return Promise.race([opened.promise, late.promise]).finally(cancel);
  }

  function giveUp(): void {
    closed = true;
    cancelTry();
    opened.reject(new OutboxUnavailable(new Error('the outbox is closing')));
  }

  tryFor(waitMs);

  return {
    owned: owned.promise,
    async submit(kind, payload) {
      return (await soon()).submit(kind, payload);
    },
    countView(view) {
      if (outbox) outbox.countView(view);
      else if (views.length < VIEWS_IN_MEMORY && !closed) views.push(view);
    },
    hasRoomForView: () => outbox?.hasRoomForView() ?? views.length < VIEWS_IN_MEMORY,
    list: () => outbox?.list() ?? [],
    retry: (id) => outbox?.retry(id) ?? false,
    depth: () => outbox?.depth() ?? { ...EMPTY, views: views.length },
    start() {
      started = true;
      outbox?.start();
    },
    async close(graceMs) {
      if (!outbox) giveUp();
      await outbox?.close(graceMs);
    },
    closeAtOnce() {
      if (!outbox) giveUp();
      outbox?.closeAtOnce();
    },
  };
}
