import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createSnapshotFile } from '#server/cache/snapshot/snapshot-file.ts';
import type { ArchiveSource } from './archive-walk.ts';
import { type ArchivedPost, createPostArchive, type PostArchive } from './post-archive.ts';

export interface ArchiveSnapshotOptions {
  source: ArchiveSource;
  /** Folder of the file; made if it is missing. */
  dir: string;
  /** Version of our model: a snapshot of another version is ignored. */
  version: string;
  /** Monotonic milliseconds. */
  clock: () => number;
  /** Wall-clock milliseconds: the only clock that goes on while the process does not run. */
  wallClock: () => number;
  /** Resolves after so many milliseconds; rejects when the signal aborts. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  logger: { warn(about: object, message: string): void };
}

/** Layout of the lines: JSON, a header, then posts, some a line. */
const FORMAT = 1;
const FILE = 'post-archive.snapshot';
const POSTS_A_LINE = 100;

const headerSchema = z.object({
  format: z.literal(FORMAT),
  version: z.string(),
  savedAt: z.number(),
  nextWalkInMs: z.number().min(0),
});
/** Path, date, category. */
const postsSchema = z.array(z.tuple([z.string(), z.string().nullable(), z.string()]));

/** Opens the archive of posts, which a file beside the cache's snapshot keeps across restarts. Never rejects. */
export async function openPostArchive({
  source,
  dir,
  version,
  clock,
  wallClock,
  pause = (ms, signal) => sleep(ms, undefined, { signal, ref: false }),
  logger,
}: ArchiveSnapshotOptions) {
  const stopping = new AbortController();
  const archive = createPostArchive({
    source,
    clock,
    logger,
    pause: (ms) => pause(ms, stopping.signal),
  });
  const file = createSnapshotFile(dir, FILE);
  await load(archive);
  let saved = archive.version();
  let saving: Promise<void> | null = null;

  async function load(into: PostArchive): Promise<void> {
    try {
      const lines = await file.read();
      if (lines === null) return;
      const { header, posts } = parse(lines);
      if (header.version !== version) throw new Error(`it is of version ${header.version}`);
      const elapsedMs = Math.max(0, wallClock() - header.savedAt);
      into.restore(posts, Math.max(0, header.nextWalkInMs - elapsedMs));
    } catch (error) {
      logger.warn({ err: error }, 'the snapshot of the sitemap archive was ignored');
    }
  }

  async function write(): Promise<void> {
    const current = archive.version();
    try {
      await file.write(linesOf(archive, { format: FORMAT, version, savedAt: wallClock() }));
      saved = current;
    } catch (error) {
      logger.warn({ err: error }, 'the snapshot of the sitemap archive could not be written');
    }
  }

  return {
    archive,
    /** Writes the file where the archive has changed. One at a time. */
    async save(): Promise<void> {
      // A write in progress may have begun before the last change.
      await saving;
      if (archive.version() === saved) return;
      saving ??= write().finally(() => {
        saving = null;
      });
      await saving;
    },
    /** Ends a walk in progress. */
    stop: (): void => stopping.abort(),
  };
}

function* linesOf(archive: PostArchive, about: object): Generator<string> {
  yield JSON.stringify({ ...about, nextWalkInMs: archive.nextWalkInMs() });
  const posts = archive.posts();
  for (let from = 0; from < posts.length; from += POSTS_A_LINE) {
    const some = posts.slice(from, from + POSTS_A_LINE);
    yield JSON.stringify(some.map(({ path, publishedAt, category }) => [path, publishedAt, category]));
  }
}

/** Throws for lines that are no snapshot. */
function parse([header = '', ...lines]: readonly string[]) {
  const posts = lines
    .flatMap((line) => postsSchema.parse(JSON.parse(line)))
    .map(([path, publishedAt, category]): ArchivedPost => ({ path, publishedAt, category }));
  return { header: headerSchema.parse(JSON.parse(header)), posts };
}
