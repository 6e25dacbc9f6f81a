import { randomUUID } from 'node:crypto';
import { copyFile, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '#server/storage/files.ts';

/** Instances may run as different users. */
const SHARED = 0o777;

/** How often a running build updates the times of its files, in milliseconds. */
const HEARTBEAT_MS = 3_600_000;
/** A file that no running build has updated for this long (ms) is deleted. */
const MAX_UNUSED_MS = 7 * 24 * HEARTBEAT_MS;

export interface SharedAssetsOptions {
  clientDir: string;
  /** The folder of all builds, which instances share; created where it is missing. */
  folder: string;
  logger: { warn(about: object, message: string): void };
}

export type SharedAssets = NonNullable<ReturnType<typeof openSharedAssets>>;

/**
 * Opens the hashed files of all builds, in a folder that outlives a container and that all instances share, stores those of
 * this build there, and deletes old ones. A tab of an earlier build still gets its code, and during a deploy either version
 * serves the files of both. Null where the folder cannot be made.
 */
export function openSharedAssets(options: SharedAssetsOptions) {
  const { clientDir, logger } = options;
  // One of its own: all files in it are served, and deleted in the end.
  const folder = join(options.folder, 'files');
  const warn = (err: unknown) =>
    logger.warn({ err }, 'the assets of this build could not be stored for other builds');

  async function update(): Promise<void> {
    const source = join(clientDir, 'assets');
    for (const name of await readdir(source)) await storeFile(join(source, name), join(folder, name));
    for (const name of await readdir(folder)) await deleteIfUnused(join(folder, name));
  }

  try {
    createFolder(folder, SHARED);
  } catch (error) {
    warn(error);
    return null;
  }
  const heartbeat = setInterval(() => void update().catch(warn), HEARTBEAT_MS).unref();
  const stored = update().catch(warn);
  return {
    folder,
    /** Resolves once this build's files are stored. Never rejects: without them only some tabs have to reload. */
    stored,
    async close(): Promise<void> {
      clearInterval(heartbeat);
      await stored;
    },
  };
}

/** Updates a file's time, or copies the file: by a rename, so that nobody ever gets half of it. */
async function storeFile(from: string, to: string): Promise<void> {
  const now = new Date();
  const missing: unknown = await utimes(to, now, now).catch((error: unknown) => error);
  if (missing === undefined) return;
  const temporary = `${to}.${randomUUID()}.tmp`;
  try {
    await copyFile(from, temporary);
    await rename(temporary, to);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function deleteIfUnused(path: string): Promise<void> {
  // Another instance may just have deleted it.
  const found = await stat(path).catch(() => null);
  if (found?.isFile() && found.mtimeMs < Date.now() - MAX_UNUSED_MS) await rm(path, { force: true });
}
