import { Absent, type CacheQuery } from '#server/cache/cache-query.ts';
import { createContentCache } from '#server/cache/content-cache.ts';
import { DependencyTracker } from '#server/cache/dependency-tracker.ts';
import { DEFAULT_POLICIES } from '#server/cache/resources.ts';
import { openSecondLevelCache } from '#server/redis/second-level-cache.ts';

/** An upstream that several instances ask: what it says, and how often it was asked. */
export interface SharedUpstream {
  asked: number;
  response: () => Promise<string>;
}

/** The cache of one instance, and what it shares. */
export type Instance = Awaited<ReturnType<typeof startInstance>>;

export interface InstanceOptions {
  url: string;
  upstream: SharedUpstream;
  version?: string;
  /** As promised, where a test is about that; otherwise no test depends on how busy its machine is. */
  budgetMs?: number;
  since?: string | null;
}

/** Starts one with ages of its own clock, which a test moves by hand. */
export async function startInstance({
  url,
  upstream,
  version = 'test',
  budgetMs = 5_000,
  since = null,
}: InstanceOptions) {
  let ahead = 0;
  const clock = () => performance.now() + ahead;
  const warnings: string[] = [];
  const secondLevel = await openSecondLevelCache({
    url,
    clock,
    budgetMs,
    version,
    site: ['https://cms.example.com', null],
    upstreamTimeoutMs: 3_000,
    logger: { warn: (_about, message) => void warnings.push(message) },
  });
  const cache = createContentCache({
    policies: DEFAULT_POLICIES,
    maxBytes: 10_000_000,
    clock,
    random: () => 0.5,
    secondLevel: secondLevel.loads,
  });
  secondLevel.shareInvalidations({ cache, since, onPolicies: () => undefined });

  function request(name: string): CacheQuery<string> {
    return {
      resource: 'article',
      key: `article/${name}`,
      tags: () => [`post:${name}`],
      async load() {
        upstream.asked++;
        return upstream.response();
      },
    };
  }

  return {
    cache,
    secondLevel,
    warnings,
    read: (name: string): Promise<string> => cache.read(request(name), new DependencyTracker()),
    /** Lets time pass for this instance alone. */
    pass(seconds: number): void {
      ahead += seconds * 1_000;
    },
    /** Resolves when the log of changes was read: from then on copies are shared. */
    async joined(): Promise<void> {
      while (secondLevel.knownChange() === null) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    close: () => secondLevel.close(),
  };
}

/** The upstream's word that there is nothing. */
export const nothing = () => Promise.reject(new Absent());
