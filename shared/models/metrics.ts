/** What an operator sees live. Ratios run from 0 to 1; they and quantiles are null where nothing was counted. */

/** Seconds that half, 95 and 99 of a hundred took at most; read off a histogram, so as fine as its buckets. */
export interface Quantiles {
  p50: number;
  p95: number;
  p99: number;
}

/** One moment of what is plotted, measured over the ten seconds before it, or what there is of them. */
export interface LivePoint {
  /** ISO 8601. */
  at: string;
  readers: {
    /** Pages and API answers. */
    perSecond: number | null;
    /** Of them, with a 5xx status. */
    failedPerSecond: number | null;
    /** Responses (pages, API calls, feeds) that were not made for their own reader: they were cached, or shared. */
    pageHitRatio: number | null;
    seconds: Quantiles | null;
  };
  data: {
    /** Reads of data that were answered from memory, fresh or stale. */
    hitRatio: number | null;
    staleRatio: number | null;
  };
  upstream: {
    callsPerSecond: number | null;
    /** Of them, with any outcome but an answer in 2xx that could be used. */
    errorsPerSecond: number | null;
    seconds: Quantiles | null;
  };
}

/** The three ages of a resource, in seconds. */
export interface Ages {
  ttl: number;
  swr: number;
  sie: number;
}

/** One resource: counts since the start, its ages, and the last minute. */
export interface LiveResource {
  entries: number;
  bytes: number;
  hits: number;
  misses: number;
  staleHits: number;
  coalesced: number;
  refreshes: number;
  errors: number;
  /** In force. */
  policy: Ages;
  configured: Ages;
  /** Somebody set an age while the server runs. */
  changed: boolean;
  minute: {
    readsPerMinute: number | null;
    hitRatio: number | null;
    staleRatio: number | null;
    /** Loads: each is one upstream call, or two where a reader waits and the first fails. */
    callsPerMinute: number | null;
    errorsPerMinute: number | null;
  };
}

/** How the cache works for the time being. `endsInSeconds`: null where nothing is out of the ordinary. */
export interface LiveMode {
  mode: 'normal' | 'freeze' | 'bypass';
  ttlFactor: number;
  endsInSeconds: number | null;
}

/** Everything of one moment. */
export interface LiveMetrics extends LivePoint {
  uptimeSeconds: number;
  breaker: 'closed' | 'half-open' | 'open';
  queues: {
    refreshesRunning: number;
    refreshesWaiting: number;
    submissions: number;
    views: number;
    refused: number;
    oldestSeconds: number;
  };
  process: {
    /** How late the event loop ran in the last two to four seconds. */
    eventLoopLagSeconds: { p50: number; p99: number; max: number };
    /** Of one core: 1 is all of it. */
    cpuShare: number | null;
    residentBytes: number;
    heapUsedBytes: number;
  };
  mode: LiveMode;
  pages: { entries: number; bytes: number };
  resources: Record<string, LiveResource>;
}
