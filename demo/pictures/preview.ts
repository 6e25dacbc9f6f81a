import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { drawAdvertisement } from './advertisement.ts';
import type { Scene } from './drawing.ts';
import { drawEvent } from './families/events.ts';
import { drawFigure } from './families/figures.ts';
import { type Family, SECTION_FAMILIES } from './families/sections.ts';
import { drawPortrait } from './portrait.ts';
import { KNOWN_PEOPLE } from './portrait-features.ts';
import { createRandom, seedOf } from './random.ts';
import { svgOf } from './raster.ts';

const FIRMS = [
  {
    advertiser: 'Lumenfold',
    headline: 'One view of every customer',
    line: 'The quiet platform behind loud brands.',
    callToAction: 'See it work',
  },
  {
    advertiser: 'Harbour & Pike',
    headline: 'Consent that people understand, records that auditors like',
    line: 'Privacy operations for teams in forty markets.',
    callToAction: 'Read the guide',
  },
  {
    advertiser: 'Tessellate',
    headline: 'Attribution, settled',
    line: 'Know what worked before the quarter ends.',
    callToAction: 'Book a walk-through',
  },
];

const CELL = 400;
const COLUMNS = 4;
const GAP = 12;

/** Writes one contact sheet of scenes as a PNG into the directory. */
async function writeSheet(dir: string, name: string, scenes: readonly Scene[]): Promise<void> {
  const cells = scenes.map((scene) => ({
    svg: svgOf(scene, CELL),
    height: Math.round((CELL * scene.height) / scene.width),
  }));
  const tall = Math.max(...cells.map(({ height }) => height));
  const rows = Math.ceil(cells.length / COLUMNS);
  const placed = cells.map(({ svg }, index) => ({
    input: Buffer.from(svg),
    left: GAP + (index % COLUMNS) * (CELL + GAP),
    top: GAP + Math.floor(index / COLUMNS) * (tall + GAP),
  }));
  const size = { width: COLUMNS * (CELL + GAP) + GAP, height: rows * (tall + GAP) + GAP };
  await sharp({ create: { ...size, channels: 3, background: '#ffffff' } })
    .composite(placed)
    .png()
    .toFile(join(dir, `${name}.png`));
}

const sheets: Record<string, () => Scene[]> = Object.fromEntries(
  Object.entries(SECTION_FAMILIES).map(([name, family]) => [
    name,
    () => Array.from({ length: 12 }, (_, index) => family(createRandom(seedOf(`${name}-${index}`)))),
  ]),
);

const samples = (name: string, family: Family): Scene[] =>
  Array.from({ length: 12 }, (_, index) => family(createRandom(seedOf(`${name}-${index}`))));

sheets.events = () => samples('events', drawEvent);
sheets.figures = () =>
  samples('figures', (random) => drawFigure(random, random.pick(Object.keys(SECTION_FAMILIES))));
for (const slot of ['Post-1', 'Home-2', 'Footer-3'] as const) {
  sheets[`ads-${slot}`] = () =>
    samples(slot, (random) => drawAdvertisement({ key: slot, slot, ...random.pick(FIRMS) }, random));
}
sheets.authors = () =>
  [...KNOWN_PEOPLE, 'a', 'b', 'c', 'd', 'e', 'f'].map((key) => drawPortrait(key, createRandom(seedOf(key))));

const [dir = 'data/pictures', ...only] = process.argv.slice(2);
await mkdir(dir, { recursive: true });
for (const [name, scenes] of Object.entries(sheets)) {
  if (only.length === 0 || only.includes(name)) await writeSheet(dir, name, scenes());
}
