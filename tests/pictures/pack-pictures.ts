import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/**
 * Reduces the pictures that the browser has just written to a palette, a third of their size. The difference is below what
 * the comparison of pixels sees.
 */
const FOLDER = join(import.meta.dirname, '../../docs/pictures');
const COLOURS = 128;

let bytes = 0;
const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.png'));
for (const name of names) {
  const file = join(FOLDER, name);
  const { isPalette } = await sharp(file).metadata();
  if (!isPalette) {
    const picture = await readFile(file);
    const packed = sharp(picture).png({
      palette: true,
      colours: COLOURS,
      dither: 0,
      effort: 10,
      compressionLevel: 9,
    });
    await writeFile(file, await packed.toBuffer());
  }
  bytes += (await stat(file)).size;
}
process.stdout.write(`${names.length} pictures, ${(bytes / 1e6).toFixed(1)} MB\n`);
