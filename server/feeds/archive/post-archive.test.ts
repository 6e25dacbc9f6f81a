import { beforeEach, describe, expect, it } from 'vitest';
import { postSummary } from '../../../tests/fixtures/post-summary.ts';
import { type ArchiveSource, createPostArchive } from './post-archive.ts';

const HOUR_MS = 3_600_000;

let now: number;
let asked: string[];
let pauses: number[];
/** Slugs by category, a list for each page. */
let lists: Record<string, string[][]>;
/** Calls that fail, as `asked` names them. */
let failing: Set<string>;
let warnings: string[];

beforeEach(() => {
  now = 0;
  asked = [];
  pauses = [];
  lists = { news: [['n1'], ['n2'], ['n3']], articles: [['a1']] };
  failing = new Set();
  warnings = [];
});

function response<T>(call: string, value: T): Promise<T> {
  asked.push(call);
  return failing.has(call) ? Promise.reject(new Error('the upstream is down')) : Promise.resolve(value);
}

const source: ArchiveSource = {
  categories: () => response('categories', Object.keys(lists)),
  page(category, page) {
    const pages = lists[category] ?? [];
    const posts = (pages[page - 1] ?? []).map((slug) => postSummary({ category, slug }));
    return response(`${category} ${page}`, { posts, totalPages: pages.length });
  },
};

const archiveOf = (pause?: () => Promise<void>) =>
  createPostArchive({
    source,
    clock: () => now,
    async pause(ms) {
      pauses.push(ms);
      now += ms;
      await pause?.();
    },
    logger: { warn: (_about, message) => void warnings.push(message) },
  });

type Archive = ReturnType<typeof archiveOf>;
const paths = (archive: Archive) => archive.posts().map(({ path }) => path);

async function walk(archive: Archive): Promise<void> {
  archive.walkIfDue();
  await archive.idle();
}

describe('the archive of posts', () => {
  it('asks nobody before a sitemap is asked for', async () => {
    await archiveOf().idle();
    expect(asked).toEqual([]);
  });

  it('walks every page of every category, the first pages first, with a pause before each call', async () => {
    const archive = archiveOf();
    await walk(archive);
    expect(asked).toEqual(['categories', 'news 1', 'articles 1', 'news 2', 'news 3']);
    expect(pauses).toEqual([250, 250, 250, 250, 250]);
    expect(paths(archive)).toEqual(['/news/n1', '/articles/a1', '/news/n2', '/news/n3']);
    expect(archive.has('/news/n3')).toBe(true);
  });

  it('holds what a walk has found before it ends', async () => {
    const seen: number[] = [];
    const archive: Archive = archiveOf(async () => void seen.push(archive.posts().length));
    await walk(archive);
    expect(seen).toEqual([0, 0, 1, 2, 3]);
  });

  it('walks again an hour after a walk has ended', async () => {
    const archive = archiveOf();
    await walk(archive);
    now += HOUR_MS - 1;
    await walk(archive);
    expect(asked).toHaveLength(5);
    now += 1;
    await walk(archive);
    expect(asked).toHaveLength(10);
  });

  it('has another version where another walk found other posts, and the same where it found the same', async () => {
    const archive = archiveOf();
    await walk(archive);
    const first = archive.version();
    now += HOUR_MS;
    await walk(archive);
    expect(archive.version()).toBe(first);
    lists['news'] = [['n2'], ['n3'], ['n4']];
    now += HOUR_MS;
    await walk(archive);
    expect(archive.version()).toBeGreaterThan(first);
    expect(paths(archive)).toEqual(['/articles/a1', '/news/n2', '/news/n3', '/news/n4']);
    expect(archive.has('/news/n1')).toBe(false);
  });

  it('forgets the posts of a category that is gone', async () => {
    const archive = archiveOf();
    await walk(archive);
    delete lists['articles'];
    now += HOUR_MS;
    await walk(archive);
    expect(paths(archive)).toEqual(['/news/n1', '/news/n2', '/news/n3']);
  });

  it('walks through a hundred thousand posts with a pause between calls', async () => {
    const pages = Array.from({ length: 1_000 }, (_, page) =>
      Array.from({ length: 100 }, (_, index) => `post-${page}-${index}`),
    );
    lists = { news: pages };
    const archive = archiveOf();
    await walk(archive);
    expect(archive.posts()).toHaveLength(100_000);
    expect(asked).toHaveLength(1_001);
    expect(now).toBe(1_001 * 250);
    lists = { news: [...pages.slice(1), ['new']] };
    now += HOUR_MS;
    await walk(archive);
    expect(archive.posts()).toHaveLength(99_901);
  });

  it('ends where the upstream never does, and bounds its memory', async () => {
    const endless: ArchiveSource = {
      categories: async () => ['news'],
      async page(category, page) {
        asked.push(`${category} ${page}`);
        const slugs = Array.from({ length: 10 }, (_, index) => `post-${page}-${index}-${'x'.repeat(280)}`);
        return { posts: slugs.map((slug) => postSummary({ category, slug })), totalPages: 1e9 };
      },
    };
    const logger = { warn: (_about: object, message: string) => void warnings.push(message) };
    const archive = createPostArchive({ source: endless, clock: () => now, pause: async () => {}, logger });
    await walk(archive);
    expect(asked).toHaveLength(10_000);
    expect(archive.posts().length).toBeLessThan(100_000);
    expect(warnings).toContain('sitemap archive: full, posts left out');
  });
});

describe('a walk with failures', () => {
  it('loses nothing by a page that fails once: it is tried again, after a longer pause', async () => {
    failing.add('news 2');
    const archive = archiveOf(async () => {
      if (asked.at(-1) === 'news 2') failing.clear();
    });
    await walk(archive);
    expect(asked).toEqual(['categories', 'news 1', 'articles 1', 'news 2', 'news 2', 'news 3']);
    expect(pauses).toEqual([250, 250, 250, 250, 1_000, 250]);
    expect(paths(archive)).toHaveLength(4);
    expect(warnings).toEqual([]);
  });

  it('goes on behind a page that always fails, and comes back sooner', async () => {
    failing.add('news 2');
    const archive = archiveOf();
    await walk(archive);
    expect(asked.filter((call) => call === 'news 2')).toHaveLength(5);
    expect(paths(archive)).toEqual(['/news/n1', '/articles/a1', '/news/n3']);
    expect(warnings).toEqual(['sitemap archive: pages could not be loaded']);
    failing.clear();
    now += 300_000;
    await walk(archive);
    expect(paths(archive)).toEqual(['/news/n1', '/articles/a1', '/news/n3', '/news/n2']);
  });

  it('takes nothing away that the failed page may hold', async () => {
    const archive = archiveOf();
    await walk(archive);
    lists = { news: [['n1'], ['n2'], ['n4']], articles: [['a2']] };
    failing.add('news 3');
    now += HOUR_MS;
    await walk(archive);
    expect(paths(archive)).toEqual(['/news/n1', '/news/n2', '/news/n3', '/articles/a2']);
  });

  it('backs off up to a minute from an upstream that is down, gives up, and keeps what there was', async () => {
    const archive = archiveOf();
    await walk(archive);
    for (const call of ['news 1', 'articles 1']) failing.add(call);
    [asked, pauses] = [[], []];
    now += HOUR_MS;
    await walk(archive);
    expect(asked).toHaveLength(11);
    expect(pauses.slice(0, 7)).toEqual([250, 250, 1_000, 4_000, 16_000, 60_000, 250]);
    expect(paths(archive)).toHaveLength(4);
  });

  it('keeps what there was where not even the categories can be had', async () => {
    const archive = archiveOf();
    await walk(archive);
    failing.add('categories');
    asked = [];
    now += HOUR_MS;
    await walk(archive);
    expect(asked).toHaveLength(5);
    expect(paths(archive)).toHaveLength(4);
    failing.clear();
    now += 300_000;
    asked = [];
    await walk(archive);
    expect(asked).toHaveLength(5);
  });

  it('ends with the server', async () => {
    const archive = archiveOf(async () => {
      if (asked.length === 2) throw new Error('the server stops');
    });
    await walk(archive);
    expect(asked).toEqual(['categories', 'news 1']);
    expect(paths(archive)).toEqual(['/news/n1']);
    expect(archive.version()).toBe(1);
    await walk(archive);
    expect(asked).toHaveLength(2);
  });
});
