import { createHash } from 'node:crypto';
import { copyFile, link, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** Builds before the present one whose files are still served: tabs stay open over a deploy, seldom over three. */
const EARLIER = 2;

export interface PreviousAssetsOptions {
  /** The folder of the built client. */
  clientDir: string;
  /** Where builds are kept; made where it is missing. */
  folder: string;
  logger: { warn(about: object, message: string): void };
}

/** What stands of earlier builds, and how this one is kept for later ones. */
export interface PreviousAssets {
  /** Folders of hashed files, the latest build's first. */
  earlier: string[];
  /** Keeps this build's files. Never rejects: without them only old tabs have to load anew. */
  keep(): Promise<void>;
}

/**
 * The hashed files of the last builds, in a folder that outlives a container: a tab that was opened before
 * a deploy still finds the code that it asks for. Files are linked, or copied where the folder is on another disk.
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
  const earlier = others.slice(0, EARLIER).map((name) => join(folder, name));

  async function keepOwn(): Promise<void> {
    const place = join(folder, own);
    const now = new Date();
    const stands = await utimes(place, now, now).then(
      () => true,
      () => false,
    );
    if (!stands) await fill(place);
    for (const name of others.slice(EARLIER)) await rm(join(folder, name), { recursive: true, force: true });
  }

  /** First beside its place, so that no start ever finds half of a build. */
  async function fill(place: string): Promise<void> {
    const beside = `${place}.${process.pid}.tmp`;
    await rm(beside, { recursive: true, force: true });
    await mkdir(beside, { recursive: true });
    const assets = join(clientDir, 'assets');
    for (const name of await readdir(assets)) {
      const [from, to] = [join(assets, name), join(beside, name)];
      await link(from, to).catch(() => copyFile(from, to));
    }
    await rename(beside, place).catch(() => rm(beside, { recursive: true, force: true }));
  }

  return {
    earlier,
    keep: () =>
      keepOwn().catch((error) => logger.warn({ err: error }, 'the files of this build could not be kept')),
  };
}

/** Names of kept builds, the one served last first. */
async function buildsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const dated = await Promise.all(
    names
      .filter((name) => /^[0-9a-f]{16}$/.test(name))
      .map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
  );
  return dated.sort((a, b) => b.at - a.at).map(({ name }) => name);
}
