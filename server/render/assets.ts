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
type Page = RenderBundle['pages'][number];

/** The browser's own parts take the page's background color, as in `client/styles/tokens.css`. */
const THEME =
  '<meta name="theme-color" content="#faf6ee" media="(prefers-color-scheme: light)">' +
  '<meta name="theme-color" content="#16140f" media="(prefers-color-scheme: dark)">';

/** Fonts of text above the fold on every page. */
const PRELOADED_FONTS = /(newsreader|inter)-core/;

/** The built server bundle, the render worker's code, and the tags of the built client. */
export interface Build {
  bundle: RenderBundle;
  worker: URL;
  assets: PageAssets;
}

/**
 * Loads what `npm run build` made. `reportsViews`: documents of articles report their own view, because a CDN sends them.
 * Throws where a part is missing or broken, or a page of the page table has no chunk.
 */
export async function loadBuild(root: string, { reportsViews = false } = {}): Promise<Build> {
  const built = (file: string) => pathToFileURL(join(root, 'dist/server', file));
  const bundle: typeof EntryServer = await import(built('entry-server.js').href);
  const manifest = Manifest.parse(
    JSON.parse(await readFile(join(root, 'dist/client/.vite/manifest.json'), 'utf8')),
  );
  const { file: reporter } = chunkOf(manifest, 'client/analytics/document-views.ts');
  const scripts = Object.fromEntries(
    bundle.pages.map((page) => {
      const tags = scriptTags(manifest, moduleOf(page, bundle.pages));
      const isReported = reportsViews && page.name === 'article';
      return [page.name, isReported ? `${tags}<script type="module" src="/${reporter}"></script>` : tags];
    }),
  );
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
 * Returns the tags that start a page's scripts, and the list of what to load for it: the files that its own module
 * imports are fetched together with the entry.
 */
function scriptTags(manifest: Manifest, pageModule: string): string {
  const loader = chunkOf(manifest, 'client/load-scripts.ts').file;
  const files = filesOf(manifest, ['client/entry-client.tsx', pageModule]).map((file) => `/${file}`);
  return (
    `<script type="application/json" id="scripts">${JSON.stringify(files)}</script>` +
    `<script type="module" src="/${loader}" fetchpriority="low"></script>`
  );
}

/** Returns a page's module: folder and file have the page's name; pages that share a module have that of the first. */
function moduleOf({ module }: Page, pages: readonly Page[]): string {
  const name = pages.find((page) => page.module === module)?.name;
  return `client/pages/${name}/${name}-page.tsx`;
}

function chunkOf(manifest: Manifest, name: string) {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`the client build has no ${name}`);
  return chunk;
}

/** Returns the files of some modules and of all that they import, each once, in the order of first need. */
function filesOf(manifest: Manifest, names: string[], seen = new Set<string>()): string[] {
  return names.flatMap((name) => {
    if (seen.has(name)) return [];
    seen.add(name);
    const { file, imports = [] } = chunkOf(manifest, name);
    return [file, ...filesOf(manifest, imports, seen)];
  });
}
