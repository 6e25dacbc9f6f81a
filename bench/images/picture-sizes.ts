import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPictureFolder } from '#demo/picture-folder.ts';
import { transformImage } from '#server/images/transform-image.ts';
import { pickPictures } from './picture-names.ts';

/** Writes the bytes of twenty pictures of the demo in each format into `docs/operating/resize-images.md`. */

const DOCUMENT = join(import.meta.dirname, '../../docs/operating/resize-images.md');
const TABLE = /(?<=<!-- picture-sizes -->\n\n).*?(?=\n\n<!-- \/picture-sizes -->)/s;
const COUNT = 20;
/** Width of a lead on a phone of three pixels for each CSS pixel. */
const WIDTH = 960;
/** Width of an original: what the demo CMS sends where no width is asked for. */
const ORIGINAL_WIDTH = 1600;
const FORMATS = ['jpeg', 'webp', 'avif'] as const;

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);

const getPicture = createPictureFolder();
const totals = [0, 0, 0, 0];
const rows: string[] = [];
for (const name of pickPictures(COUNT)) {
  const original = await getPicture({ path: `/${name}.jpg`, width: ORIGINAL_WIDTH, format: 'png' });
  if (original === null) throw new Error(`there is no picture ${name}`);
  const sizes = [original.bytes.length];
  for (const format of FORMATS)
    sizes.push((await transformImage(original.bytes, { width: WIDTH, format })).bytes.length);
  for (const [index, size] of sizes.entries()) totals[index] = (totals[index] ?? 0) + size;
  rows.push(`| \`${name}\` | ${sizes.map(kilobytes).join(' | ')} |`);
}
const table = [
  '| picture | original, PNG | JPEG | WebP | AVIF |',
  '| --- | ---: | ---: | ---: | ---: |',
  ...rows,
  `| all | ${totals.map((total) => `**${kilobytes(total)}**`).join(' | ')} |`,
].join('\n');
await writeFile(
  DOCUMENT,
  (await readFile(DOCUMENT, 'utf8')).replace(TABLE, () => table),
);
process.stdout.write(`${table}\n`);
