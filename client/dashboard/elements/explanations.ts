/** What each number of the cockpit means: the line at the foot of the page, and a screen reader's description. */
export const EXPLANATIONS = {
  pageHitRatio:
    'Of the pages, API calls and feeds of the last ten seconds, the share that was served from the response cache, or waited for one that was being made for another reader. This is what readers feel.',
  dataHitRatio:
    'Of the reads of data in the last ten seconds, the share answered from memory, fresh or stale.',
  staleRatio:
    'Of the reads of data in the last ten seconds, the share answered with a copy past its ttl, while a new one is fetched. Nobody waits for it.',
  responses:
    'Pages and API answers a second, over the last ten seconds. Assets and health checks are left out.',
  failed:
    'Answers with a 5xx status a second, over the last ten seconds. Anything above 0 is a reader who got nothing.',
  responseP95:
    'Of a hundred answers of the last ten seconds, 95 took at most this long, to the last byte. As fine as the buckets of the histogram.',
  calls: 'Attempts of upstream calls a second, over the last ten seconds: what the cache lets through.',
  callErrors:
    'Upstream calls a second that gave nothing to use: no connection, too late, a status outside 2xx, a body that is not what was agreed.',
  callP95: 'Of a hundred upstream calls of the last ten seconds, 95 took at most this long.',
  breaker:
    'Closed: calls go out. Open: half of the last calls failed, so the upstream is left alone for five seconds, and copies are served. Half-open: one call is trying it out.',
  refreshes:
    'Background refreshes under way, and waiting for their turn. At most 64 run at once; a queue that does not empty means that the upstream is slower than its answers go stale.',
  outbox: 'Form submissions and view counts that wait on their way upstream.',
  oldest:
    'How long the oldest of what waits in the outbox has waited. Minutes mean that the upstream takes nothing.',
  refused: 'What the upstream has refused for good. It is kept until somebody tries it again: see Outbox.',
  lag: 'How late the event loop ran in the last seconds, 99 times of a hundred. Tens of milliseconds are felt by every reader at once.',
  cpu: 'Processor time used by this process in the last second. 100 % is one core, which is all that its scripts can use.',
  memory: 'Memory that the operating system holds for this process; the cache is part of it.',
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
  reads: 'Reads of this resource a minute, over the last minute.',
  cost: 'What this resource costs the upstream: loads and refreshes in the last minute.',
  errors: 'Loads and refreshes of this resource that failed in the last minute.',
  simulatedMemory:
    'Of the recorded reads, the share that would not have waited for the upstream with this ttl.',
  simulatedFresh:
    'Of the recorded reads, the share that would have found a copy within its ttl. The rest of those from memory would have got a stale one.',
  simulatedCalls: 'Upstream calls a minute that this ttl would have cost.',
  simulatedAge: 'How old, on average, what readers were given would have been.',
  simulatedOutdated:
    'The share of answers that had changed upstream by the time they would have been served.',
  advisedTtl: 'The ttl in force, and the one that serves the goal best.',
  partAge: 'Since the upstream last gave it.',
  partDue: 'When its next reader has it asked for again. What nobody reads is not refreshed.',
  itemAge: 'Since it was taken from the reader.',
  attempts: 'How often it has been sent to the upstream.',
  measured: 'Documents whose readers were in the sample, one of ten, and have left them since the start.',
  largestPaint:
    'When the largest thing in view was there: three of four readers waited at most this long. Up to 2.5 s is good, past 4 s poor.',
  longestInteraction:
    'From a press to the next picture, at its slowest: three of four readers waited at most this long. Up to 200 ms is good, past 500 ms poor.',
  layoutShift:
    'How much of the window jumped, and how far: three of four readers saw at most this. Up to 0.1 is good, past 0.25 poor.',
  failedChunks:
    'Scripts that pages of the sample asked for and did not get. After a deploy they mean that ASSETS_DIR has lost the files of the last build.',
} as const;

export type ExplanationName = keyof typeof EXPLANATIONS;

/** The id of the hidden element that holds an explanation. */
export function explanationId(name: ExplanationName): string {
  return `explains-${name}`;
}

/** The explanation that an element, or what it stands in, carries in `data-explains`. */
export function explanationOf(target: EventTarget | null): ExplanationName | null {
  if (!(target instanceof Element)) return null;
  const name = target.closest<HTMLElement>('[data-explains]')?.dataset['explains'] ?? '';
  return isExplanation(name) ? name : null;
}

function isExplanation(name: string): name is ExplanationName {
  return Object.hasOwn(EXPLANATIONS, name);
}
