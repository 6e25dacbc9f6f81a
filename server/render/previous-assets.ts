import { createHash } from 'node:crypto';
import { copyFile, link, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** Previous builds whose files are served: tabs often stay open over a deploy, seldom over three. */
const MAX_PREVIOUS = 2;

export interface PreviousAssetsOptions {
  /** The folder of the built client. */
  clientDir: string;
  /** The folder of all builds; created where it is missing. */
  folder: string;
  logger: { warn(about: object, message: string): void };
}

export interface PreviousAssets {
  /** Folders with the hashed files of previous builds, the latest build first. */
  folders: string[];
  /** Stores this build's files and deletes old builds. Never rejects: without them only old tabs have to reload. */
  store(): Promise<void>;
}

/**
 * Opens the hashed files of the last builds, in a folder that outlives a container: a tab that was opened before a deploy
 * still gets the code that it requests. Files are hard links, or copies where the folder is on another disk.
 */
export async function openPreviousAssets({
  clientDir,
  folder,
  logger,
}: PreviousAssetsOptions): Promise<PreviousAssets> {
  const own = createHash('sha256')
    .update(await readFile(join(clientDir, '.vite/manifest.json')))
    .digest('hex')
    .slice(0, 16);
  const others = (await buildsIn(folder)).filter((name) => name !== own);

  async function storeOwn(): Promise<void> {
    const target = join(folder, own);
    const now = new Date();
    const exists = await utimes(target, now, now).then(
      () => true,
      () => false,
    );
    if (!exists) await fill(target);
    for (const name of others.slice(MAX_PREVIOUS))
      await rm(join(folder, name), { recursive: true, force: true });
  }

  /** Fills a temporary folder and renames it, so that no start ever finds half a build. */
  async function fill(target: string): Promise<void> {
    const temporary = `${target}.${process.pid}.tmp`;
    await rm(temporary, { recursive: true, force: true });
    await mkdir(temporary, { recursive: true });
    const assets = join(clientDir, 'assets');
    for (const name of await readdir(assets)) {
      const [from, to] = [join(assets, name), join(temporary, name)];
      await link(from, to).catch(() => copyFile(from, to));
    }
    await rename(temporary, target).catch(() => rm(temporary, { recursive: true, force: true }));
  }

  return {
    folders: others.slice(0, MAX_PREVIOUS).map((name) => join(folder, name)),
    store: () =>
      storeOwn().catch((error) =>
        logger.warn({ err: error }, 'the assets of this build could not be stored for later builds'),
      ),
  };
}

/** Returns the names of stored builds, the one served last first. */
async function buildsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const dated = await Promise.all(
    names
      .filter((name) => /^[0-9a-f]{16}$/.test(name))
      .map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
  );
  return dated.sort((a, b) => b.at - a.at).map(({ name }) => name);
}
