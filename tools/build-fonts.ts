import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { FONT_SUBSET } from '#shared/font-subset.ts';

/**
 * Writes the subsets of two fonts to `client/fonts` (`npm run fonts`): the characters of English text and of the
 * interface, the weights that the style sheets use, and the OpenType features that text needs.
 */
const FONTS = { newsreader: 'newsreader-latin-wght-normal', inter: 'inter-latin-wght-normal' };
const OPTIONS = {
  targetFormat: 'woff2',
  variationAxes: { wght: { min: 400, max: 700 } },
  keepFeatures: ['kern', 'liga', 'calt', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum', 'lnum'],
} as const;

const require = createRequire(import.meta.url);

for (const [name, file] of Object.entries(FONTS)) {
  const whole = await readFile(require.resolve(`@fontsource-variable/${name}/files/${file}.woff2`));
  const core = await subsetFont(whole, FONT_SUBSET, OPTIONS);
  const path = join(import.meta.dirname, '../client/fonts', `${name}-core.woff2`);
  await writeFile(path, core);
  process.stdout.write(`${name}: ${whole.length} bytes, core ${core.length}\n`);
}
