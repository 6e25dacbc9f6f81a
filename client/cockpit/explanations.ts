/** What each number of the cockpit means: the line at the foot of the page, and a screen reader's description. */
export const EXPLANATIONS = {
  pageHitRatio:
    'Of the pages sent in the last ten seconds, the share that was answered without a render of its own. A page stands while its data does, so this is what readers feel.',
  dataHitRatio:
    'Of the reads of data in the last ten seconds, the share answered from memory, fresh or stale. Pages that stand read nothing, so a busy site has few reads.',
  staleRatio:
    'Of the reads of data in the last ten seconds, the share answered with a copy past its ttl, while a new one is fetched. Nobody waits for it.',
  answers:
    'Pages and API answers a second, over the last ten seconds. Assets and health checks are left out.',
  failed:
    'Answers with a 5xx status a second, over the last ten seconds. Anything above 0 is a reader who got nothing.',
  answerP50: 'Half of the answers of the last ten seconds took at most this long, to the last byte.',
  answerP95:
    'Of a hundred answers of the last ten seconds, 95 took at most this long, to the last byte. As fine as the buckets of the histogram.',
  answerP99: 'Of a hundred answers of the last ten seconds, 99 took at most this long: the slow end.',
  calls: 'Attempts of upstream calls a second, over the last ten seconds: what the cache lets through.',
  callErrors:
    'Upstream calls a second that gave nothing to use: no connection, too late, a status outside 2xx, a body that is not what was agreed.',
  callP50: 'Half of the upstream calls of the last ten seconds took at most this long.',
  callP95: 'Of a hundred upstream calls of the last ten seconds, 95 took at most this long.',
  breaker:
    'Closed: calls go out. Open: half of the last calls failed, so the upstream is left alone for five seconds, and copies are served. Half-open: one call is trying it out.',
  refreshes:
    'Background refreshes under way, and waiting for their turn. At most 64 run at once; a queue that does not empty means that the upstream is slower than its answers go stale.',
  outbox: 'Form submissions and view counts that wait on their way upstream.',
  oldest:
    'How long the oldest of what waits in the outbox has waited. Minutes mean that the upstream takes nothing.',
  refused: 'What the upstream has refused for good. It is kept until somebody tries it again: see Outbox.',
  lag: 'How late the event loop ran in the last second, 99 times of a hundred. Tens of milliseconds are felt by every reader at once.',
  cpu: 'Processor time used by this process in the last second. 100 % is one core, which is all that its scripts can use.',
  memory: 'Memory that the operating system holds for this process; the cache is part of it.',
  heap: 'Memory in use by scripts and their data.',
  uptime: 'How long this process has run. Counts start with it; the cache comes back from its snapshot.',
  resource: 'What is cached, by the names that purges and configuration use. Opens its ages.',
  ttl: 'Served as fresh for this long. A small arrow marks a value that differs from the configured one.',
  swr: 'After the ttl, served stale for this long, while one refresh runs. Nobody waits.',
  sie: 'After that, served stale for this long only while the refresh fails: what an outage is bridged with.',
  entries: 'Answers of the upstream in memory.',
  bytes: 'Memory that these answers take, about.',
  hitRatio:
    'Of the reads of this resource in the last minute, the share answered from memory, fresh or stale.',
  staleShare:
    'Of the reads of this resource in the last minute, the share answered with a copy past its ttl.',
  reads: 'Reads of this resource a minute. Pages that stand read nothing.',
  cost: 'What this resource costs the upstream: loads and refreshes in the last minute.',
  errors: 'Loads and refreshes of this resource that failed in the last minute.',
} as const;

export type ExplanationName = keyof typeof EXPLANATIONS;

/** The id of the hidden element that holds an explanation. */
export function explanationId(name: ExplanationName): string {
  return `explains-${name}`;
}
