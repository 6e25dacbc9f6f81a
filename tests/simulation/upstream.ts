import { Absent } from '#server/cache/cache-query.ts';
import { now } from './simulated-clock.ts';

/** The upstream's content under a key. No version occurs twice. */
export interface Content {
  key: string;
  version: number;
  text: string;
}

/** A load in flight. */
export interface Load {
  key: string;
  /** Sequence number of its start. */
  since: number;
  /** The upstream's state at that time. */
  found: State;
  resolve(content: Content): void;
  reject(error: Error): void;
}

interface State {
  /** Null: the key is absent. */
  version: number | null;
  /** Sequence numbers: inclusive start, exclusive end. */
  from: number;
  until: number;
}

/** `then`: the state at the start of the load; `now`: the state at the time of the response. */
export type UpstreamResponse = 'then' | 'now' | 'failure';

export type LoadOutcome = 'content' | 'absent' | 'failure';

/** Creates an upstream that responds when a step says so, and records its states and responses. */
export function createUpstream(onLoad: (key: string, running: number) => void) {
  const histories = new Map<string, State[]>();
  const returned = new Map<string, number>();
  let loads: Load[] = [];
  let sequence = 0;
  let versions = 0;

  function historyOf(key: string): State[] {
    const known = histories.get(key);
    if (known) return known;
    const first = [{ version: ++versions, from: 0, until: Number.POSITIVE_INFINITY }];
    histories.set(key, first);
    return first;
  }

  function stateOf(key: string): State {
    const state = historyOf(key).at(-1);
    if (!state) throw new Error(`nothing is known of ${key}`);
    return state;
  }

  function setVersion(key: string, version: number | null): void {
    const from = ++sequence;
    stateOf(key).until = from;
    historyOf(key).push({ version, from, until: Number.POSITIVE_INFINITY });
  }

  function settleLoad({ key, resolve, reject }: Load, { version }: State): LoadOutcome {
    returned.set(`${key} ${version}`, now());
    if (version === null) reject(new Absent());
    else resolve(contentOf(key, version));
    return version === null ? 'absent' : 'content';
  }

  return {
    /** Returns the next sequence number: they order events, independently of time. */
    nextSequence: (): number => ++sequence,
    load(key: string): Promise<Content> {
      const { promise, resolve, reject } = Promise.withResolvers<Content>();
      loads.push({ key, since: ++sequence, found: stateOf(key), resolve, reject });
      onLoad(key, loads.filter((load) => load.key === key).length);
      return promise;
    },
    loads: (): readonly Load[] => loads,
    respond(load: Load, response: UpstreamResponse): LoadOutcome {
      loads = loads.filter((other) => other !== load);
      if (response !== 'failure')
        return settleLoad(load, response === 'then' ? load.found : stateOf(load.key));
      load.reject(new Error('the upstream failed'));
      return 'failure';
    },
    /** Called when the process that waits for them has ended. */
    forgetLoads(): void {
      loads = [];
    },
    change: (key: string) => setVersion(key, ++versions),
    retract: (key: string) => setVersion(key, null),
    /** Returns when it last returned a version (null: a 404), in milliseconds; negative infinity where it never did. */
    lastReturned: (key: string, version: number | null): number =>
      returned.get(`${key} ${version}`) ?? Number.NEGATIVE_INFINITY,
    /** Returns the sequence number at which a version ended. For absence, which may occur repeatedly: its last end. */
    until: (key: string, version: number | null): number =>
      historyOf(key).findLast((state) => state.version === version)?.until ?? 0,
  };
}

export type Upstream = ReturnType<typeof createUpstream>;

/** Sizes differ, so that entries evict each other in different numbers. */
function contentOf(key: string, version: number): Content {
  return { key, version, text: `${key} in version ${version}. `.repeat((version % 5) * 10 + 1) };
}

/** Whether a value equals the upstream's content of that key in some version. */
export function isContentOf(key: string, value: unknown): value is Content {
  if (typeof value !== 'object' || value === null || !('version' in value)) return false;
  const { version } = value;
  return typeof version === 'number' && JSON.stringify(value) === JSON.stringify(contentOf(key, version));
}
