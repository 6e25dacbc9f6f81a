/** What a promise is about. `process`: the server itself. */
export const COLUMNS = ['warm page', 'cold page', 'form post', 'view count', 'process'] as const;
export type Column = (typeof COLUMNS)[number];

/** A fault and what is promised while it lasts, by column. */
export interface Fault {
  fault: string;
  promises: Partial<Record<Column, string>>;
}

const STALE = '200, stale, at once';
const UNAVAILABLE = '503, whole layout, no-store, Retry-After';
const KEPT = 'on disk, then 502; delivered once when it is back';
const VIEW_KEPT = 'kept, delivered later';
const FAILS = { 'warm page': STALE, 'form post': KEPT, 'view count': VIEW_KEPT };

/** Every promise of the drill. One that is not checked fails the drill. */
export const FAULT_TABLE = {
  refused: {
    fault: 'the upstream refuses connections',
    promises: { ...FAILS, 'cold page': `${UNAVAILABLE}; at once while the breaker is open` },
  },
  reset: {
    fault: 'the upstream resets connections',
    promises: { ...FAILS, 'cold page': `${UNAVAILABLE}; at once while the breaker is open` },
  },
  ...statusFaults([500, 502, 503, 504, 429, 403]),
  status501: {
    fault: 'status 501',
    promises: {
      'warm page': STALE,
      'cold page': 'article, tag: to /404; event: 503, stays',
      'form post': KEPT,
      'view count': VIEW_KEPT,
    },
  },
  absent: {
    fault: '404 or an empty result',
    promises: {
      'warm page': '404 page once a second call says the same, the old entry dropped',
      'cold page': '404, remembered',
      'form post': 'newsletter: 409; others: kept for the operator, delivered when retried',
      'view count': 'dropped and counted',
    },
  },
  proxyNotFound: {
    fault: '404 with a page of some proxy',
    promises: { 'warm page': STALE, 'cold page': UNAVAILABLE },
  },
  lostContent: {
    fault: 'the upstream has lost its content: absences and empty lists',
    promises: { 'warm page': 'what is cached stays, and one log line says so' },
  },
  slowSection: {
    fault: 'the advertisements hang, and none is cached',
    promises: {
      'warm page': 'at once without them',
      'cold page': 'a second later than without the fault at most',
    },
  },
  failingPage: {
    fault: 'fifty readers ask for pages that cannot be had',
    promises: { 'cold page': '503, rendered once a second at most' },
  },
  clientsLeave: {
    fault: 'clients leave before their response',
    promises: { process: 'each is counted with status 499' },
  },
  shutdownHangs: {
    fault: 'SIGTERM while the purge API of the CDN hangs',
    promises: { process: 'exit 0 in time; what is cached is on disk' },
  },
  cacheTooLarge: {
    fault: '`CACHE_MAX_MB` above what the process can hold',
    promises: { process: 'the start stops with one line that names the maximum' },
  },
  largeValue: {
    fault: 'a value larger than the cache, without Redis and with it',
    promises: { 'cold page': 'served and not kept; one upstream call for each request at most' },
  },
  searchTerm: {
    fault: 'search terms on which the upstream fails, asked by one client',
    promises: { 'warm page': 'no effect', 'cold page': 'no effect but on searches' },
  },
  hangs: {
    fault: 'the upstream hangs',
    promises: {
      'warm page': STALE,
      'cold page': `${UNAVAILABLE}, within the deadline; then at once`,
      'form post': `within the deadline; ${KEPT}`,
      'view count': `never on the reader's path; ${VIEW_KEPT}`,
    },
  },
  drips: {
    fault: 'responses drip a byte at a time',
    promises: { 'warm page': STALE, 'cold page': `${UNAVAILABLE}, within the deadline` },
  },
  cutBody: badResponse('bodies are cut'),
  brokenJson: badResponse('truncated JSON'),
  html: badResponse('HTML for JSON'),
  wrongType: badResponse('JSON of the wrong type'),
  wrongShape: {
    fault: 'JSON of the wrong shape',
    promises: {
      'warm page': 'stale; nothing stored',
      'cold page': 'topic: to /404; search: no result; article: 404 or 503',
    },
  },
  hugeBody: badResponse('a body of 64 MiB', 'cut at the cap; the event loop stays free'),
  deepJson: badResponse('a hundred thousand arrays in one another', 'the event loop stays free'),
  bomb: badResponse('a decompression bomb of 256 MiB', 'cut at the cap; the event loop stays free'),
  badItems: {
    fault: 'bad items among good ones',
    promises: { 'cold page': 'the good ones are rendered' },
  },
  random: {
    fault: '30 % of calls fail at random',
    promises: {
      'warm page': 'no failed read',
      'cold page': 'at least 97 % succeed',
      'form post': 'all delivered',
      'view count': 'all delivered',
    },
  },
  oneEndpoint: {
    fault: 'one endpoint is down (advertisements, menus, related)',
    promises: {
      'warm page': 'whole page',
      'cold page': 'the page without that section, healed within seconds after recovery',
    },
  },
  lookup: {
    fault: 'the address lookup is down, slow, or lies',
    promises: {
      'warm page': 'no effect',
      'cold page': 'no effect',
      'view count': 'the address as seen, checked to be one',
    },
  },
  redisAbsent: redisFault('Redis is killed', 'nothing lost with appendfsync always'),
  redisSilent: redisFault('Redis takes connections and says nothing', 'nothing lost'),
  redisReadOnly: redisFault('Redis has become a replica', 'nothing lost'),
  redisEmpty: redisFault('Redis is emptied', 'what waited there is lost, and nothing else'),
  redisSlow: redisFault('Redis takes 300 ms either way', 'nothing lost'),
  redisLies: {
    fault: 'Redis says something else',
    promises: { 'warm page': 'no effect', 'cold page': 'fetched directly', 'form post': 'delivered, once' },
  },
  purgeApiDown: {
    fault: 'the purge API of the CDN is down',
    promises: {
      'warm page': 'no effect',
      'cold page': 'no effect',
      process: 'purges wait, and are all sent when it is back',
    },
  },
  imageHostDown: imageHostFault('the image host resets connections'),
  imageHostHangs: imageHostFault('the image host hangs'),
  imageDiskFull: {
    fault: 'the disk of the resized pictures is full',
    promises: { process: 'pictures are resized and served, not kept' },
  },
  diskFull: {
    fault: 'the disk is full',
    promises: {
      'warm page': 'no effect',
      'cold page': 'no effect',
      'form post': 'forwarded at once; else 503, never a false success',
      'view count': 'delivered from memory',
    },
  },
  diskReadOnly: {
    fault: 'the disk of the outbox cannot be opened',
    promises: { process: 'the start stops with one line' },
  },
  killed: {
    fault: 'kill -9',
    promises: {
      'warm page': 'warm from the snapshot, the upstream down',
      'form post': 'whatever was acknowledged is delivered, once per idempotency key',
      'view count': "at most a second's worth is lost",
      process: 'order kept; ten a second; personal data erased; mode 0600; repeats delivered once',
    },
  },
  terminated: {
    fault: 'SIGTERM under load',
    promises: {
      'warm page': 'no response is cut; readiness is false at once; exit 0',
      'form post': 'acknowledged or refused, never half',
      'view count': 'delivered or kept',
    },
  },
  logUnread: {
    fault: 'nobody takes the lines of the log',
    promises: {
      'warm page': 'no effect',
      process: 'bounded memory; says how many lines were dropped; exit 0',
    },
  },
  hostileRequests: {
    fault: 'request targets, framing and methods that HTTP does not allow',
    promises: {
      'warm page': 'no effect',
      'form post': 'none that follows on the connection is taken',
      process: 'one clear 4xx, then the connection ends; no cache entry, no stack trace',
    },
  },
  pipelined: {
    fault: 'a request that cannot be parsed behind others on a connection',
    promises: {
      process: 'its 400 comes after the responses before it, warm and cold, and ends the connection',
    },
  },
  secondSignal: {
    fault: 'a second SIGTERM',
    promises: { process: 'exits at once; the next start finds its files closed' },
  },
  starting: {
    fault: 'a start',
    promises: { process: 'warm and ready in under two seconds' },
  },
  rollingDeploy: {
    fault: 'a rolling deploy of the next version behind a balancer',
    promises: {
      'warm page': 'no failed request; no cold burst at the upstream',
      'form post': 'all acknowledged, each delivered once',
      process: 'the hashed files of both versions are served throughout; exit 0',
    },
  },
  startUnderLoad: {
    fault: 'a start under load',
    promises: { 'cold page': 'from the moment /readyz says 200 none is 503' },
  },
  manyUrls: {
    fault: 'memory pressure: many distinct addresses',
    promises: {
      'warm page': 'hot pages survive; bounded memory; p99 as a ratio (goal: 2)',
    },
  },
  unknownPaths: {
    fault: 'a flood of addresses that are none, and of other spellings of known ones',
    promises: {
      'warm page': 'no effect',
      'cold page': 'one cached 404 for all of them',
      process: 'redirects or 404; no entry, no render, no call of the upstream',
    },
  },
  manyPictures: {
    fault: 'one client asks for hundreds of cold pictures at once',
    promises: {
      'warm page': 'no effect',
      'cold page': 'other clients get their pictures',
      process: 'its own are served, or 503 with Retry-After; none without a response',
    },
  },
  refusedRequests: {
    fault: 'one client sends thousands of requests that are refused',
    promises: {
      'warm page': 'no effect',
      'cold page': 'no effect',
      process: 'a log line a second for each kind of refusal',
    },
  },
  slowSockets: {
    fault: 'thousands of slow sockets',
    promises: {
      'warm page': 'hot pages survive; the sockets are closed; bounded memory; p99 as a ratio (goal: 2)',
    },
  },
  clockSteps: {
    fault: 'the wall clock steps a day either way',
    promises: { 'warm page': 'ages do not change; no refresh storm', 'form post': 'order kept' },
  },
  paused: {
    fault: 'the process is paused for 30 s',
    promises: { 'warm page': 'no failed read; no refresh storm' },
  },
  comesBack: {
    fault: 'the upstream is back, thousands of keys are stale',
    promises: {
      'warm page': 'at most 64 refreshes at once',
      'form post': 'drained at a steady ten a second',
    },
  },
  slowUpstream: {
    fault: 'the upstream takes 100 ms for each view',
    promises: { 'view count': '600 within ten seconds, each once; at most 16 at once, 200 a second' },
  },
  backlog: {
    fault: '100,000 messages wait in the outbox',
    promises: {
      'warm page': 'no block of the event loop over 20 ms, scrapes included',
      'form post': 'accepted as before',
    },
  },
  oldFiles: {
    fault: 'a snapshot and an outbox of an old version',
    promises: { process: 'the snapshot is ignored; a start stops that finds messages of the version before' },
  },
  twoServers: {
    fault: 'two servers on one DATA_DIR',
    promises: { process: 'the second says so and stops; the first goes on' },
  },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULT_TABLE;

function redisFault(fault: string, kept: string) {
  return {
    fault,
    promises: {
      'warm page': 'p99 at most 1.5 times of before, or of one without Redis, or 25 ms',
      'cold page': 'fetched directly',
      'form post': `in time; ${kept}; once per idempotency key`,
      process: 'Redis is used again within ten seconds, without a restart',
    },
  } as const;
}

function imageHostFault(fault: string) {
  return {
    fault,
    promises: {
      'warm page': 'no effect',
      'cold page': 'no effect',
      process:
        'a picture that is stored is served; others are 502 and no-store in time, and come when it is back',
    },
  } as const;
}

function badResponse(fault: string, also?: string) {
  return {
    fault,
    promises: {
      'warm page': also ? `stale; nothing stored; ${also}` : 'stale; nothing stored',
      'cold page': UNAVAILABLE,
    },
  } as const;
}

type StatusName<S extends number> = `status${S}`;

function statusFaults<const S extends number>(
  statuses: readonly S[],
): Record<StatusName<S>, { fault: string; promises: typeof FAILS & { 'cold page': string } }> {
  const rows = statuses.map((status) => [
    `status${status}`,
    {
      fault: `status ${status}`,
      promises: {
        ...FAILS,
        'cold page': status === 500 ? `${UNAVAILABLE}; tag: to /404, not remembered` : UNAVAILABLE,
      },
    },
  ]);
  return Object.fromEntries(rows);
}
