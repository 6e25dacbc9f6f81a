import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { PageAssets, RenderBundle } from './pages.ts';

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

/** Above the fold on every page: the headline's and the interface's letters. */
const PRELOADED_FONTS = /(newsreader|inter)-latin-wght-normal/;

/** The built server-render bundle and the tags of the built client. Throws when the build is missing or broken. */
export async function loadBuild(root: string): Promise<{ bundle: RenderBundle; assets: PageAssets }> {
  const bundle: RenderBundle = await import(pathToFileURL(join(root, 'dist/server/entry-server.js')).href);
  const manifest = Manifest.parse(
    JSON.parse(await readFile(join(root, 'dist/client/.vite/manifest.json'), 'utf8')),
  );
  return { bundle, assets: { head: headTags(manifest), scripts: scriptTags(manifest) } };
}

function headTags(manifest: Manifest): string {
  const files = Object.values(manifest);
  const styles = files.map(({ file }) => file).filter((file) => file.endsWith('.css'));
  const fonts = files.map(({ file }) => file).filter((file) => PRELOADED_FONTS.test(file));
  return [
    ...new Set(
      fonts.map((file) => `<link rel="preload" as="font" type="font/woff2" href="/${file}" crossorigin="">`),
    ),
    ...new Set(styles.map((file) => `<link rel="stylesheet" href="/${file}">`)),
  ].join('');
}

function scriptTags(manifest: Manifest): string {
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry);
  if (!entry) throw new Error('the client build has no entry');
  const imports = (entry.imports ?? []).flatMap((name) => manifest[name]?.file ?? []);
  const preloads = imports.map((file) => `<link rel="modulepreload" href="/${file}" fetchpriority="low">`);
  return `${preloads.join('')}<script type="module" src="/${entry.file}" fetchpriority="low"></script>`;
}
