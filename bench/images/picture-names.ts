import { globSync } from 'node:fs';
import { PICTURES_DIR } from '#demo/picture-folder.ts';

/** Returns the names of some pictures of the demo, at equal distances in the order of their names. */
export function pickPictures(count: number): string[] {
  const names = globSync('*/*', { cwd: PICTURES_DIR })
    .map((file) => file.replace(/\.\w+$/, ''))
    .sort();
  return Array.from(
    { length: count },
    (_, index) => names[Math.round((index * (names.length - 1)) / (count - 1))] ?? '',
  );
}
