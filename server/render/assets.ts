import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type * as EntryServer from '#client/entry-server.tsx';
import type { PageAssets, RenderBundle } from './renderer.ts';

const Manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    isEntry: z.boolean().optional(),
    css: z.array(z.string()).optional(),
    imports: z.array(z.string()).optional(),
  }),
);

type Manifest = z.infer<typeof Manifest>;

/** What browsers tint their own parts with: the paper of `client/styles/tokens.css`. */
const THEME =
  '<meta name="theme-color" content="#faf6ee" media="(prefers-color-scheme: light)">' +
  '<meta name="theme-color" content="#16140f" media="(prefers-color-scheme: dark)">';

/** Above the fold on every page: the headline's and the interface's letters. */
const PRELOADED_FONTS = /(newsreader|inter)-core/;

/** The built pages, the code of the thread that draws them, and the tags of the built client. */
export interface Build {
  bundle: RenderBundle;
  worker: URL;
  assets: PageAssets;
}

/** Throws when the build is missing or broken. */
export async function loadBuild(root: string): Promise<Build> {
  const built = (file: string) => pathToFileURL(join(root, 'dist/server', file));
  const bundle: typeof EntryServer = await import(built('entry-server.js').href);
  const manifest = Manifest.parse(
    JSON.parse(await readFile(join(root, 'dist/client/.vite/manifest.json'), 'utf8')),
  );
  const scripts = Object.fromEntries(bundle.pages.map(({ name }) => [name, scriptTags(manifest, name)]));
  return { bundle, worker: built('render-worker.js'), assets: { head: headTags(manifest), scripts } };
}

function headTags(manifest: Manifest): string {
  const files = Object.values(manifest);
  const styles = files.map(({ file }) => file).filter((file) => file.endsWith('.css'));
  const fonts = files.map(({ file }) => file).filter((file) => PRELOADED_FONTS.test(file));
  return [
    THEME,
    ...new Set(
      fonts.map((file) => `<link rel="preload" as="font" type="font/woff2" href="/${file}" crossorigin="">`),
    ),
    ...new Set(styles.map((file) => `<link rel="stylesheet" href="/${file}">`)),
  ].join('');
}

/**
 * The tags that start the scripts of a page (a name of the page table), and the list of what to load for it: what its
 * own code imports is asked for together with the entry.
 */
function scriptTags(manifest: Manifest, page: string): string {
  const boot = chunkOf(manifest, 'client/load-scripts.ts').file;
  const entry = 'client/entry-client.tsx';
  chunkOf(manifest, entry);
  const files = filesOf(manifest, [entry, ...moduleOf(manifest, page)]).map((file) => `/${file}`);
  return (
    `<script type="application/json" id="scripts">${JSON.stringify(files)}</script>` +
    `<script type="module" src="/${boot}" fetchpriority="low"></script>`
  );
}

/** A page's own module: the one whose folder and file have the page's name, for pages of the same code their elder's. */
function moduleOf(manifest: Manifest, page: string): string[] {
  const name = page === 'subtopic' ? 'topic' : page;
  return Object.keys(manifest).filter((key) => key.endsWith(`/pages/${name}/${name}-page.tsx`));
}

function chunkOf(manifest: Manifest, name: string) {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`the client build has no ${name}`);
  return chunk;
}

/** The files of some modules and of all that they import, each once, in the order of first need. */
function filesOf(manifest: Manifest, names: string[], seen = new Set<string>()): string[] {
  return names.flatMap((name) => {
    const chunk = manifest[name];
    if (!chunk || seen.has(name)) return [];
    seen.add(name);
    return [chunk.file, ...filesOf(manifest, chunk.imports ?? [], seen)];
  });
}
