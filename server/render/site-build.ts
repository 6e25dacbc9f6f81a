import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { paperColours, readTokens, themeColorTags } from '#server/site/theme.ts';
import type { PageAssets, PageScripts, RenderBundle } from './render-response.ts';

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

/** Fonts of text above the fold on every page. */
const PRELOADED_FONTS = /(newsreader|inter)-core/;

/**
 * Loads what `npm run build` made: the server bundle, the render worker's code, the tags and the style sheet of the client.
 * `reportsViews`: documents of articles report their own view, because a CDN sends them.
 * Throws where a part is missing or broken, or a page of the page table has no chunk.
 */
export async function loadBuild(root: string, { reportsViews = false } = {}) {
  const built = (file: string) => pathToFileURL(join(root, 'dist/server', file));
  const bundle: RenderBundle = await import(built('entry-server.js').href);
  const manifest = Manifest.parse(
    JSON.parse(await readFile(join(root, 'dist/client/.vite/manifest.json'), 'utf8')),
  );
  const { file: reporter } = chunkOf(manifest, 'client/analytics/document-views.ts');
  const scripts = Object.fromEntries(
    bundle.pages.map((page) => {
      const { files, tags } = scriptsOf(manifest, moduleOf(page, bundle.pages));
      const isReported = reportsViews && page.name === 'article';
      const report = isReported ? `<script type="module" src="/${reporter}"></script>` : '';
      return [page.name, { files, tags: tags + report }];
    }),
  );
  const sheets = new Set(
    Object.values(manifest).flatMap(({ file }) => (file.endsWith('.css') ? [file] : [])),
  );
  const texts = [...sheets].map((file) => readFile(join(root, 'dist/client', file), 'utf8'));
  const styles = (await Promise.all(texts)).join('\n');
  const head = headTags(manifest, [...sheets], styles);
  const assets: PageAssets = { head, scripts };
  return { bundle, worker: built('render-worker.js'), assets, styles };
}

function headTags(manifest: Manifest, sheets: readonly string[], styles: string): string {
  const files = Object.values(manifest);
  const fonts = files.map(({ file }) => file).filter((file) => PRELOADED_FONTS.test(file));
  return [
    themeColorTags(paperColours(readTokens(styles))),
    ...new Set(
      fonts.map((file) => `<link rel="preload" as="font" type="font/woff2" href="/${file}" crossorigin="">`),
    ),
    ...sheets.map((file) => `<link rel="stylesheet" href="/${file}">`),
  ].join('');
}

/** Returns the tags that start a page's scripts, and the files that its own module imports, fetched together with the entry. */
function scriptsOf(manifest: Manifest, pageModule: string): PageScripts {
  const loader = chunkOf(manifest, 'client/load-scripts.ts').file;
  const files = filesOf(manifest, ['client/entry-client.tsx', pageModule]).map((file) => `/${file}`);
  return { files, tags: `<script type="module" src="/${loader}" fetchpriority="low"></script>` };
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
