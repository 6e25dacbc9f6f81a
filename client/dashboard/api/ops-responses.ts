import type { CachePolicy, LiveMode, OutboxStatus } from '#shared/models/metrics.ts';

/** Requests and responses of the operators' listener. A test holds them against the server's schemas. */

export interface ChangedPolicy extends CachePolicy {
  configured: CachePolicy;
  changed: boolean;
  /** False: it could not be written to disk, so that a restart undoes the change. */
  persisted: boolean;
}

/** What a TTL would have done to the recorded reads; null where there were none. */
export interface Candidate {
  ttl: number;
  /** The share of reads that would not have waited for the upstream. */
  hitRatio: number | null;
  /** The share of reads that would have found a fresh entry. */
  freshRatio: number | null;
  upstreamCallsPerMinute: number | null;
  meanStalenessSeconds: number | null;
  maxStalenessSeconds: number | null;
  /** The share of reads that would have got a value which the upstream had already replaced. */
  outdatedRatio: number | null;
}

export interface Simulation {
  resource: string;
  observedSeconds: number;
  requests: number;
  /** The share of the keys, besides the busiest, whose reads are recorded. */
  sampleRate: number;
  current: Candidate;
  candidates: Candidate[];
}

export type Goal = { upstreamCallsPerMinute: number } | { staleSeconds: number };

export interface Advice {
  /** False: the nearest is advised. */
  reachable: boolean;
  resources: {
    resource: string;
    policy: CachePolicy;
    advised: CachePolicy;
    current: Candidate;
    expected: Candidate;
  }[];
  /** Upstream requests a minute. */
  total: { current: number | null; expected: number | null };
}

export interface Purge {
  tags?: string[];
  pages?: string[];
  all?: boolean;
  soft?: boolean;
}

export interface Purged {
  purged: number;
  pages: number;
}

export interface ModeChange {
  mode: LiveMode['mode'];
  ttlFactor?: number;
  forSeconds?: number;
}

export interface ExplainedDependency {
  key: string;
  resource: string;
  state: 'fresh' | 'stale' | 'stale-if-error' | 'expired' | 'absent' | 'missing';
  ageSeconds: number | null;
  nextRefreshSeconds: number | null;
  tags: string[];
  bytes: number;
  loading: boolean;
  lastOutcome: 'loaded' | 'failed' | 'absent' | 'unknown';
  lastError: { message: string; secondsAgo: number } | null;
  why: string;
}

export interface Explanation {
  url: string;
  page: string;
  cached: boolean;
  why: string;
  state: 'fresh' | 'stale' | null;
  freshSeconds: number | null;
  complete: boolean | null;
  bytes: number;
  lastResponse: { status: number; location: string | null; secondsAgo: number } | null;
  dependencies: ExplainedDependency[];
  failing: ExplainedDependency[];
}

/** The 75th percentiles of one page; null where nothing was measured. */
export interface PageWebVitals {
  route: string;
  device: string;
  documents: number;
  lcpSeconds: number | null;
  inpSeconds: number | null;
  cls: number | null;
}

export interface WebVitalsSummary {
  pages: PageWebVitals[];
  chunkLoadErrors: { route: string; count: number }[];
}

export interface OutboxMessage {
  id: number | string;
  kind: string;
  state: 'pending' | 'rejected';
  attempts: number;
  lastError: string | null;
  createdAt: string;
}

export interface Outbox extends OutboxStatus {
  messages: OutboxMessage[];
}
