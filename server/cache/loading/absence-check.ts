import { LRUCache } from 'lru-cache';
import type { CacheEntry } from '#server/cache/cache-entry.ts';
import type { Purge } from '#server/cache/cache-events.ts';
import { Absent } from '#server/cache/cache-query.ts';
import type { EntryStore } from '#server/cache/entry-store.ts';
import { LoadError } from '#server/errors.ts';
import type { Clock } from '#server/time.ts';

/** The upstream is asked again this long after it first said that something cached does not exist, in milliseconds. */
export const CONFIRM_MS = 1_000;
/** More losses than this within the window are a failure of the upstream. */
const MAX_LOSSES = 3;
const LOSS_WINDOW_MS = 10_000;
/** Keys that are known to stay cached although the upstream says that they are absent or empty. */
const MAX_KEPT_KEYS = 5_000;

/** What a load rejects with that found nothing where there was content: it does not count yet. */
export class UnconfirmedAbsence extends LoadError {
  constructor() {
    super('the upstream says that it does not exist; it is asked again before that counts');
  }
}

/** What a load rejects with that found nothing while the upstream is missing much of its content: a failure. */
export class MissingContent extends LoadError {
  constructor() {
    super('the upstream is missing much of its content, so that its absence does not count');
  }
}

interface Loss {
  key: string;
  entry: CacheEntry;
  /** Monotonic milliseconds. */
  at: number;
}

export interface AbsenceCheckOptions {
  clock: Clock;
  store: Pick<EntryStore, 'peek'>;
  /** Returns the cached entry of a key; null where there is none, or none that may still be served. */
  usable: (key: string) => CacheEntry | null;
  putBack: (key: string, entry: CacheEntry) => void;
  logger: { warn(about: object, message: string): void };
}

/**
 * Creates the check of absences and emptied lists where there was content. One by one they count; more than three within
 * ten seconds are a failure of the upstream: what was lost is put back and stays, until the upstream brings such content
 * again, an operator purges it or it expires.
 */
export function createAbsenceCheck({ clock, store, usable, putBack, logger }: AbsenceCheckOptions) {
  let losses: Loss[] = [];
  /** Entries of which the upstream has said once that they do not exist. */
  const unconfirmed = new WeakSet<CacheEntry>();
  /** Entries that an operator has purged softly: that they are absent now is no failure of the upstream. */
  const purgedByOperator = new WeakSet<CacheEntry>();
  const keptKeys = new LRUCache<string, true>({ max: MAX_KEPT_KEYS });

  /** Whether the upstream is missing content that stays cached. Forgets the keys of what has expired since. */
  function isMissingContent(): boolean {
    for (const key of [...keptKeys.keys()]) {
      if (usable(key)) return true;
      keptKeys.delete(key);
    }
    return false;
  }

  /** Puts back what was lost lately. From then on what the upstream is missing stays cached. */
  function startKeeping(): void {
    for (const { key, entry } of losses) {
      keptKeys.set(key, true);
      unconfirmed.delete(entry);
      if (store.peek(key)?.version !== entry.version) putBack(key, entry);
    }
    logger.warn({ keys: losses.length }, 'the upstream is missing much of its content: what is cached stays');
    losses = [];
  }

  /** Records that the upstream has lost an entry's content. Returns whether that counts; else the entry stays. */
  function recordLoss(key: string, entry: CacheEntry): boolean {
    if (purgedByOperator.has(entry)) return true;
    const now = clock.monotonic();
    losses = losses.filter(({ at }) => now - at < LOSS_WINDOW_MS);
    if (losses.every((one) => one.key !== key)) losses.push({ key, entry, at: now });
    if (!isMissingContent()) {
      if (losses.length <= MAX_LOSSES) return true;
      startKeeping();
    }
    keptKeys.set(key, true);
    return false;
  }

  function stopKeeping(): void {
    if (keptKeys.size > 0) logger.warn({}, 'the upstream has its content again');
    keptKeys.clear();
  }

  return {
    isMissingContent,

    /**
     * To be called where the upstream says that a key does not exist. Returns what that is: `UnconfirmedAbsence` the first time,
     * `Absent` once it is confirmed and where nothing may be served, `MissingContent` where it does not count at all.
     */
    absent(key: string): Error {
      const entry = usable(key);
      if (entry && !recordLoss(key, entry)) return new MissingContent();
      if (!entry || unconfirmed.has(entry)) return new Absent();
      unconfirmed.add(entry);
      return new UnconfirmedAbsence();
    },

    /** To be called where a load fails otherwise: an absence has to be confirmed by the next one. */
    failed: (entry: CacheEntry): void => void unconfirmed.delete(entry),

    /** To be called where the upstream brings an empty list for one that is cached and is not empty. Throws `MissingContent`. */
    emptied(key: string, entry: CacheEntry): void {
      if (!recordLoss(key, entry)) throw new MissingContent();
    },

    /** To be called where the upstream brings content. */
    brought(key: string): void {
      losses = losses.filter((loss) => loss.key !== key);
      if (keptKeys.has(key)) stopKeeping();
    },

    /** To be called before each purge. `found`: the keys of the entries that it names. */
    purged({ tags = [], keys = [], all = false, assumed = false }: Purge, found: ReadonlySet<string>): void {
      if (assumed) return;
      for (const key of found) {
        const entry = store.peek(key);
        if (entry) purgedByOperator.add(entry);
      }
      const isPurged = ({ key, entry }: Loss) =>
        all || keys.includes(key) || entry.tags.some((tag) => tags.includes(tag));
      losses = losses.filter((loss) => !isPurged(loss));
      for (const key of all ? [...keptKeys.keys()] : found) keptKeys.delete(key);
    },
  };
}
