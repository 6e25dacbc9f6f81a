import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FONT_SUBSET } from '#shared/font-subset.ts';

/** The characters of a `unicode-range`. */
function charactersOf(ranges: string): string[] {
  return [...ranges.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)].flatMap(([, first = '', last = first]) => {
    const from = Number.parseInt(first, 16);
    return Array.from({ length: Number.parseInt(last, 16) - from + 1 }, (_, i) =>
      String.fromCodePoint(from + i),
    );
  });
}

it('the characters of the preloaded fonts are the range of both, and win over those of other fonts', async () => {
  const css = await readFile(join(import.meta.dirname, 'fonts.css'), 'utf8');
  const faces = css.split('@font-face').filter((face) => face.includes('unicode-range'));
  const core = faces.filter((face) => face.includes('-core.woff2'));
  expect(core).toHaveLength(2);
  for (const face of core) expect(charactersOf(face).sort()).toEqual([...FONT_SUBSET].sort());
  // Where ranges overlap, browsers take the face that is declared last.
  const families = faces.map((face) => /font-family: "([^"]+)"/.exec(face)?.[1]);
  for (const face of core) {
    const at = faces.indexOf(face);
    expect(families.lastIndexOf(families[at])).toBe(at);
  }
});
