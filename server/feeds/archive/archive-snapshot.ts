import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createSnapshot, type SnapshotOptions } from '#server/cache/snapshot/snapshot.ts';
import { type ArchivedPost, type ArchiveSource, createPostArchive } from './post-archive.ts';

export interface ArchiveSnapshotOptions
  extends Pick<SnapshotOptions<object, ArchivedPost>, 'dir' | 'version' | 'wallClock' | 'logger'> {
  source: ArchiveSource;
  /** Monotonic milliseconds. */
  clock: () => number;
  /** Resolves after so many milliseconds; rejects when the signal aborts. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const archivedPost = z.object({ path: z.string(), publishedAt: z.string().nullable(), category: z.string() });
const about = z.object({ nextWalkInMs: z.number().min(0) });

/** Opens the archive of posts, which a file beside the cache's snapshot keeps across restarts. Never rejects. */
export async function openPostArchive({
  source,
  clock,
  pause = (ms, signal) => sleep(ms, undefined, { signal, ref: false }),
  ...options
}: ArchiveSnapshotOptions) {
  const stopping = new AbortController();
  const archive = createPostArchive({
    source,
    clock,
    logger: options.logger,
    pause: (ms) => pause(ms, stopping.signal),
  });
  const { save, load } = createSnapshot({
    ...options,
    name: 'post-archive.snapshot',
    about,
    line: archivedPost,
    content: () => ({ about: { nextWalkInMs: archive.nextWalkInMs() }, lines: archive.posts() }),
    restore({ about: { nextWalkInMs }, lines, elapsedMs }) {
      archive.restore(lines, Math.max(0, nextWalkInMs - elapsedMs));
    },
    revision: archive.version,
  });
  await load();

  return {
    archive,
    /** Writes the file where the archive has changed. */
    save,
    /** Ends a walk in progress. */
    stop: (): void => stopping.abort(),
  };
}
