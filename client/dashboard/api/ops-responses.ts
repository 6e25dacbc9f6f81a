import type { Ages, LiveMode } from '#shared/models/metrics.ts';

/** What the operators' calls answer. A test holds these against the schemas that the server checks them by. */

export interface ChangedAges extends Ages {
  configured: Ages;
  changed: boolean;
  /** False: the disk refused, so that a restart undoes the change. */
  persisted: boolean;
}

/** What one ttl does to the traffic that was recorded; null where none was. */
export interface Candidate {
  ttl: number;
  /** The share of reads that would not have waited for the upstream. */
  hitRatio: number | null;
  /** Of all reads, those that would have found a copy within its ttl. */
  freshRatio: number | null;
  upstreamCallsPerMinute: number | null;
  meanStalenessSeconds: number | null;
  maxStalenessSeconds: number | null;
  /** Answers that had changed upstream by the time they were served. */
  outdatedRatio: number | null;
}

export interface Simulation {
  resource: string;
  observedSeconds: number;
  requests: number;
  /** The share of the keys, besides the busiest, whose past was kept. */
  sampleRate: number;
  current: Candidate;
  candidates: Candidate[];
}

export type Goal = { upstreamCallsPerMinute: number } | { staleSeconds: number };

export interface Advice {
  /** False: what comes nearest is advised. */
  reachable: boolean;
  resources: { resource: string; policy: Ages; advised: Ages; current: Candidate; expected: Candidate }[];
  /** Upstream calls a minute. */
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

export interface ExplainedPart {
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
  parts: ExplainedPart[];
  failing: ExplainedPart[];
}

/** What the sampled readers of one page measured; times in seconds, null where nobody measured any. */
export interface MeasuredPage {
  route: string;
  width: string;
  documents: number;
  largestPaint: number | null;
  longestInteraction: number | null;
  layoutShift: number | null;
}

export interface Measured {
  pages: MeasuredPage[];
  failedChunks: { route: string; count: number }[];
}

export interface OutboxItem {
  id: number | string;
  kind: string;
  state: 'waiting' | 'refused';
  attempts: number;
  lastError: string | null;
  createdAt: string;
}

export interface OutboxState {
  depth: { submissions: number; views: number; refused: number; oldestSeconds: number };
  items: OutboxItem[];
}
