import { Absent } from '#server/cache/cache-query.ts';
import { now } from './simulated-clock.ts';

/** What the upstream has under a key. It never has the same version twice. */
export interface Content {
  key: string;
  version: number;
  text: string;
}

/** One load under way. */
export interface Load {
  key: string;
  /** The moment it began. */
  since: number;
  /** What the upstream had then. */
  found: State;
  resolve(content: Content): void;
  reject(error: Error): void;
}

interface State {
  /** Null: there is nothing under the key. */
  version: number | null;
  /** Moments: from the first to before the second it was so. */
  from: number;
  until: number;
}

/** `then`: what it had when the load began; `now`: what it has when it answers. */
export type Answer = 'then' | 'now' | 'failure';

/** What the answer was to who asked. */
export type Said = 'content' | 'no' | 'failure';

/** An upstream whose answers come when a step says so, and which remembers what it had, what it gave and when. */
export function createUpstream(onLoad: (key: string, running: number) => void) {
  const histories = new Map<string, State[]>();
  const given = new Map<string, number>();
  let loads: Load[] = [];
  let moment = 0;
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

  function become(key: string, version: number | null): void {
    const from = ++moment;
    stateOf(key).until = from;
    historyOf(key).push({ version, from, until: Number.POSITIVE_INFINITY });
  }

  function give({ key, resolve, reject }: Load, { version }: State): Said {
    given.set(`${key} ${version}`, now());
    if (version === null) reject(new Absent());
    else resolve(contentOf(key, version));
    return version === null ? 'no' : 'content';
  }

  return {
    /** Moments order what happens; they are no time. */
    moment: (): number => ++moment,
    load(key: string): Promise<Content> {
      const { promise, resolve, reject } = Promise.withResolvers<Content>();
      loads.push({ key, since: ++moment, found: stateOf(key), resolve, reject });
      onLoad(key, loads.filter((load) => load.key === key).length);
      return promise;
    },
    loads: (): readonly Load[] => loads,
    response(load: Load, response: Answer): Said {
      loads = loads.filter((other) => other !== load);
      if (response !== 'failure') return give(load, response === 'then' ? load.found : stateOf(load.key));
      load.reject(new Error('the upstream failed'));
      return 'failure';
    },
    /** The process that waits for them has ended. */
    forgetLoads(): void {
      loads = [];
    },
    change: (key: string) => become(key, ++versions),
    retract: (key: string) => become(key, null),
    /** When it last gave this version (null: its no), in milliseconds; before all time where it never did. */
    lastGiven: (key: string, version: number | null): number =>
      given.get(`${key} ${version}`) ?? Number.NEGATIVE_INFINITY,
    /** The moment at which it had this no more. A key may have been retracted more than once: the last time counts. */
    until: (key: string, version: number | null): number =>
      historyOf(key).findLast((state) => state.version === version)?.until ?? 0,
  };
}

export type Upstream = ReturnType<typeof createUpstream>;

/** Sizes differ, so that entries push each other out in different numbers. */
function contentOf(key: string, version: number): Content {
  return { key, version, text: `${key} in version ${version}. `.repeat((version % 5) * 10 + 1) };
}

/** Whether a value is, to the letter, what the upstream has for that key in some version. */
export function isContentOf(key: string, value: unknown): value is Content {
  if (typeof value !== 'object' || value === null || !('version' in value)) return false;
  const { version } = value;
  return typeof version === 'number' && JSON.stringify(value) === JSON.stringify(contentOf(key, version));
}
