import { type ContentCache, createContentCache } from '#server/cache/content-cache.ts';
import { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import { byResource } from '#shared/models/resources.ts';
import { seeded, zipf } from '../../tests/seeded.ts';
import { redisCache, SEED, SIE_SECONDS, SWR_SECONDS } from './model.ts';

interface CdnLoad {
  documentsPerDay: number;
  /** TTL of articles: the CDN keeps a document for what is left of it. */
  ttlSeconds: number;
}

interface CdnOutcome {
  /** Share of documents that the CDN sends without waiting for the site. */
  edgeHitRatio: number;
  /** Share of documents that the upstream had a newer value of. */
  outdatedRatio: number;
  /** Misses and revalidations. */
  documentsFromSitePerMinute: number;
  purgesPerHour: number;
  upstreamCallsPerMinute: number;
}

/** A document at the CDN. Times in milliseconds of the simulated clock. */
interface EdgeEntry {
  value: string;
  freshUntil: number;
  staleUntil: number;
}

const ARTICLES = 1_000;
const INSTANCES = 2;
const CHANGED_EVERY_MS = 6 * 3_600_000;
const HOURS = 2;
const ROOM_BYTES = 100_000_000;

/**
 * Runs the content caches of two instances that share a second level behind a model of a CDN, on a simulated clock: it
 * serves what is fresh, what is stale while it revalidates, and drops what is purged. The second half counts.
 */
export async function foretellBehindCdn({ documentsPerDay, ttlSeconds }: CdnLoad): Promise<CdnOutcome> {
  const random = seeded(SEED);
  const nextArticle = zipf(ARTICLES, random);
  const phases = Array.from({ length: ARTICLES }, () => random() * CHANGED_EVERY_MS);
  let now = 0;
  const edge = new Map<string, EdgeEntry>();
  const counts = { documents: 0, edgeHits: 0, outdated: 0, fromSite: 0, purges: 0, calls: 0 };
  const secondLevel = redisCache(() => now);
  const policy = { ttl: ttlSeconds, swr: SWR_SECONDS, sie: SIE_SECONDS };
  const caches = Array.from({ length: INSTANCES }, () =>
    createContentCache({
      policies: byResource(() => policy),
      maxBytes: ROOM_BYTES,
      clock: () => now,
      random,
      secondLevel,
    }),
  );
  for (const cache of caches)
    cache.onNewValue(({ key }) => {
      counts.purges++;
      edge.delete(key);
    });

  const upstreamValue = (article: number) =>
    `${article} ${Math.floor((now + (phases[article] ?? 0)) / CHANGED_EVERY_MS)}`;

  async function readFromSite(cache: ContentCache, article: number): Promise<string> {
    counts.fromSite++;
    const key = `article/${article}`;
    const tracker = new DependencyTracker();
    const load = async () => {
      counts.calls++;
      return upstreamValue(article);
    };
    const value = await cache.read({ resource: 'article', key, tags: () => [], load }, tracker);
    const freshForMs = Math.max(1_000, tracker.freshForMs(now));
    const swrMs = cache.isSoftlyPurged([{ key }]) ? 0 : SWR_SECONDS * 1_000;
    edge.set(key, { value, freshUntil: now + freshForMs, staleUntil: now + freshForMs + swrMs });
    return value;
  }

  async function readDocument(article: number): Promise<void> {
    const entry = edge.get(`article/${article}`);
    const cache = caches[Math.floor(random() * INSTANCES)];
    if (cache === undefined) return;
    counts.documents++;
    let value: string;
    if (entry !== undefined && now < entry.staleUntil) {
      counts.edgeHits++;
      ({ value } = entry);
      if (now >= entry.freshUntil) await readFromSite(cache, article);
    } else value = await readFromSite(cache, article);
    if (value !== upstreamValue(article)) counts.outdated++;
  }

  const endMs = HOURS * 3_600_000;
  const stepMs = 86_400_000 / documentsPerDay;
  let isWarm = false;
  for (let document = 0; now < endMs; document++) {
    now = document * stepMs;
    if (!isWarm && now >= endMs / 2) {
      isWarm = true;
      Object.assign(counts, { documents: 0, edgeHits: 0, outdated: 0, fromSite: 0, purges: 0, calls: 0 });
    }
    await readDocument(nextArticle());
    // Background refreshes end before the next reader comes.
    await Promise.resolve();
  }
  const minutes = (HOURS * 60) / 2;
  return {
    edgeHitRatio: counts.edgeHits / counts.documents,
    outdatedRatio: counts.outdated / counts.documents,
    documentsFromSitePerMinute: counts.fromSite / minutes,
    purgesPerHour: (counts.purges * 60) / minutes,
    upstreamCallsPerMinute: counts.calls / minutes,
  };
}
