import { LRUCache } from 'lru-cache';

/** One reader's requests since their minute began. */
export interface ReaderMinute {
  requests: number;
  /** Monotonic milliseconds. */
  endsAt: number;
}

/** Counts one more request of a reader at once: what other instances have counted is known a little later. */
export type CountSoon = (reader: string) => ReaderMinute;

/** Counts one more request of a reader. A promise where instances have to agree first. */
export type CountRequest = (reader: string) => ReaderMinute | Promise<ReaderMinute>;

/** Readers that are counted at once; more than that in a minute push out whoever asked longest ago. */
export const READERS = 20_000;
export const MINUTE_MS = 60_000;

/** Counts the requests that come to this instance. `clock`: monotonic milliseconds. */
export function createRequestCounter(clock: () => number): CountSoon {
  const minutes = new LRUCache<string, ReaderMinute>({ max: READERS });

  return (reader) => {
    const now = clock();
    let minute = minutes.get(reader);
    if (!minute || now >= minute.endsAt) {
      minute = { requests: 0, endsAt: now + MINUTE_MS };
      minutes.set(reader, minute);
    }
    minute.requests++;
    return minute;
  };
}
