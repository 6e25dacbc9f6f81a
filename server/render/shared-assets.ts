import { createHash, randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Builds that are kept beside this one. All that run are among them: each updates its own folder's time. */
const MAX_OTHERS = 4;
/** How often a running build updates the time of its folder, in milliseconds. */
const HEARTBEAT_MS = 3_600_000;
/** A temporary folder this old (ms) was left by a process that died. */
const MAX_FILL_MS = 3_600_000;
/** For how long (ms) a name that no build has is not looked up again. */
const MISS_MS = 250;

const BUILD = /^[0-9a-f]{16}$/;
const TEMPORARY = /^[0-9a-f]{16}\.[0-9a-f-]{36}\.tmp$/;

export interface SharedAssetsOptions {
  /** The folder of the built client. */
  clientDir: string;
  /** The folder of all builds, which instances share; created where it is missing. */
  folder: string;
  logger: { warn(about: object, message: string): void };
  /** Monotonic milliseconds. */
  clock: () => number;
  /** Waits for some milliseconds. */
  wait?: (ms: number) => Promise<unknown>;
}

export interface SharedAssets {
  /**
   * Resolves to the folder of the other build that has a file of this name; null where none has. Names are compared with
   * listings, so that no name leads out of a build. Reads the disk only for a name that is not known, and at most four
   * times a second however many are asked for.
   */
  folderOf(name: string): Promise<string | null>;
  /**
   * Stores this build's files and deletes old builds. Once it resolves, every instance finds them. Never rejects: without
   * them only some tabs have to reload.
   */
  store(): Promise<void>;
  /** Ends the heartbeat. */
  close(): void;
}

/** Returns the identity of a client build: the first 16 hexadecimal digits of its manifest's SHA-256. */
export async function readBuildId(clientDir: string): Promise<string> {
  const manifest = await readFile(join(clientDir, '.vite/manifest.json'));
  return createHash('sha256').update(manifest).digest('hex').slice(0, 16);
}

/**
 * Opens the hashed files of other builds, in a folder that outlives a container and that all instances share. A tab of an
 * earlier build still gets its code, and during a deploy either version serves the files of both. Files are hard links,
 * or copies where the folder is on another disk.
 */
export async function openSharedAssets(options: SharedAssetsOptions): Promise<SharedAssets> {
  const { clientDir, folder, logger, clock, wait = pause } = options;
  const own = await readBuildId(clientDir);
  /** The files of each other build. A build does not change once it is there. */
  let filesByBuild = new Map<string, ReadonlySet<string>>();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  let heartbeat: NodeJS.Timeout | undefined;

  function knownFolderOf(name: string): string | null {
    for (const [build, files] of filesByBuild) if (files.has(name)) return join(folder, build);
    return null;
  }

  async function readBuilds(): Promise<void> {
    const builds = (await readdir(folder).catch(() => [])).filter((name) => BUILD.test(name) && name !== own);
    const listed = builds.map(async (build): Promise<[string, ReadonlySet<string>]> => {
      const known = filesByBuild.get(build);
      return [build, known ?? new Set(await readdir(join(folder, build)).catch(() => []))];
    });
    filesByBuild = new Map((await Promise.all(listed)).filter(([, files]) => files.size > 0));
    readAt = clock();
  }

  /** Updates the folder’s time, or makes the folder. Resolves to whether it was made. */
  async function storeOwn(): Promise<boolean> {
    const target = join(folder, own);
    const now = new Date();
    const exists = await utimes(target, now, now).then(
      () => true,
      () => false,
    );
    if (!exists) await fill(target);
    return !exists;
  }

  /** Fills a temporary folder and renames it, so that nobody ever finds half a build. */
  async function fill(target: string): Promise<void> {
    // A process id would not be unique: in each container it is 1.
    const temporary = `${target}.${randomUUID()}.tmp`;
    await mkdir(temporary, { recursive: true });
    try {
      const assets = join(clientDir, 'assets');
      for (const name of await readdir(assets)) {
        const [from, to] = [join(assets, name), join(temporary, name)];
        await link(from, to).catch(() => copyFile(from, to));
      }
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { recursive: true, force: true });
      // Another instance of this build was first.
      if (!(await stat(target).catch(() => null))) throw error;
    }
  }

  async function deleteOld(): Promise<void> {
    const entries = await datedEntries(folder);
    const others = entries.filter(({ name }) => BUILD.test(name) && name !== own);
    const abandoned = entries.filter(({ name, at }) => TEMPORARY.test(name) && at < Date.now() - MAX_FILL_MS);
    for (const { name } of [...others.slice(MAX_OTHERS), ...abandoned])
      await rm(join(folder, name), { recursive: true, force: true });
  }

  const warn = (err: unknown) =>
    logger.warn({ err }, 'the assets of this build could not be stored for other builds');

  return {
    async folderOf(name) {
      const known = knownFolderOf(name);
      if (known !== null || clock() - readAt < MISS_MS) return known;
      reading ??= readBuilds().finally(() => {
        reading = null;
      });
      await reading;
      return knownFolderOf(name);
    },
    async store() {
      try {
        heartbeat ??= setInterval(() => void storeOwn().catch(warn), HEARTBEAT_MS).unref();
        const isNew = await storeOwn();
        await deleteOld();
        // Another instance may just have looked for these files: it looks again after that time.
        if (isNew) await wait(2 * MISS_MS);
      } catch (error) {
        warn(error);
      }
    },
    close: () => clearInterval(heartbeat),
  };
}

/** Returns the entries of a folder, the one changed last first. */
async function datedEntries(folder: string): Promise<{ name: string; at: number }[]> {
  const entries = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const found = await stat(join(folder, name)).catch(() => null);
      return found === null ? [] : [{ name, at: found.mtimeMs }];
    }),
  );
  return entries.flat().sort((a, b) => b.at - a.at);
}
