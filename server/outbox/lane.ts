import type { After } from './clock.ts';
import type { Pace } from './pace.ts';

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 300_000;
/** An item that failed this often may itself be what the upstream stumbles over. */
const SUSPECT_ATTEMPTS = 3;

export interface LaneItem {
  /** Rises from item to item. */
  id: number;
  attempts: number;
}

export interface LaneOptions<Item extends LaneItem> {
  /** The item whose turn it is; `after` leaves that one out. May throw: the disk may. */
  next(after?: Item): Item | null;
  /** The highest id so far. */
  lastId(): number;
  /** Delivers one item; true when the lane may go on to the next one. */
  attempt(item: Item): Promise<boolean>;
  /** Puts an item behind all others. */
  setAside(item: Item): void;
  /** The rate at which a backlog is worked off: an upstream that has just come back is not run over. */
  pace: Pace;
  /** The rate at which all others are delivered; as fast as the upstream takes them where there is none. */
  livePace?: Pace;
  random: () => number;
  monotonic: () => number;
  after: After;
  onError: (error: unknown) => void;
}

export interface Lane {
  /** An item was added. A lane that waits after a failure goes on waiting. */
  added(): void;
  /** An item that was just tried outside of the lane failed: it is tried again after a pause. */
  failed(): void;
  /** The upstream was seen to work, or an operator wants it: the pause after a failure ends. */
  resume(): void;
  /** What waits now is a backlog. */
  startBacklog(): void;
  /** Monotonic milliseconds of the next attempt; null where none is planned. */
  dueAt(): number | null;
  /** No further attempts but these: what is no backlog is delivered, until one fails or `isOver`. */
  stop(isOver: () => boolean): Promise<void>;
}

/**
 * Delivers the waiting items of one kind one after the other, in order. After a failure the lane waits, longer each
 * time. An item that keeps failing while the one behind it gets through is set aside, so that it blocks nobody.
 */
export function createLane<Item extends LaneItem>(options: LaneOptions<Item>): Lane {
  const { next, lastId, attempt, setAside, pace, livePace, random, monotonic, after, onError } = options;
  let failures = 0;
  /** Items up to this id waited while the upstream was away. */
  let backlogEnd = 0;
  /** Since a failure, until an item gets through: whatever has come in meanwhile waited too. */
  let isAway = false;
  let hasTurn = false;
  let planned: { at: number; cancel: () => void } | null = null;
  let running: Promise<void> | null = null;
  let addedMeanwhile = false;
  let stopped = false;

  function plan(ms: number): void {
    if (stopped || running) return;
    planned?.cancel();
    planned = { at: monotonic() + ms, cancel: after(ms, step) };
  }

  function step(): void {
    planned = null;
    addedMeanwhile = false;
    running = deliverNext()
      .catch(afterError)
      .then((pause) => {
        running = null;
        if (pause !== null) plan(pause);
        else if (addedMeanwhile) plan(0);
      });
  }

  /** Milliseconds until the next step; null when nothing waits. */
  async function deliverNext(): Promise<number | null> {
    if (isAway) backlogEnd = lastId();
    const item = next();
    if (item === null) return null;
    const pause = turnOf(item);
    if (pause > 0) return pause;
    hasTurn = false;
    const through = await getsThrough(item);
    if (stopped) return null;
    if (!through) return backOff();
    failures = 0;
    isAway = false;
    return 0;
  }

  function turnOf(item: Item): number {
    const itsPace = item.id > backlogEnd ? livePace : pace;
    if (!itsPace || hasTurn) return 0;
    hasTurn = true;
    return itsPace.take();
  }

  async function getsThrough(item: Item): Promise<boolean> {
    if (await attempt(item)) return true;
    if (item.attempts < SUSPECT_ATTEMPTS || stopped) return false;
    const other = next(item);
    if (other === null || !(await attempt(other))) return false;
    setAside(item);
    return true;
  }

  function backOff(): number {
    failures++;
    isAway = true;
    return pauseNow();
  }

  function afterError(error: unknown): number {
    onError(error);
    failures++;
    return pauseNow();
  }

  /** With jitter on the upper half: servers that failed together do not come back together. */
  function pauseNow(): number {
    const longest = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
    return longest * (0.5 + random() / 2);
  }

  return {
    added() {
      addedMeanwhile = true;
      if (!planned) plan(0);
    },
    failed() {
      addedMeanwhile = true;
      isAway = true;
      if (!planned && !running && !stopped) plan(backOff());
    },
    resume() {
      if (failures === 0) return;
      failures = 0;
      plan(0);
    },
    startBacklog() {
      backlogEnd = lastId();
    },
    dueAt: () => planned?.at ?? null,
    async stop(isOver) {
      stopped = true;
      planned?.cancel();
      planned = null;
      await running;
      if (failures > 0) return;
      try {
        while (!isOver()) {
          const item = next();
          if (item === null || item.id <= backlogEnd || !(await attempt(item))) return;
        }
      } catch (error) {
        onError(error);
      }
    },
  };
}
