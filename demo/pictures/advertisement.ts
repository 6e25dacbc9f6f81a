import {
  arc,
  circle,
  clipped,
  group,
  linear,
  type Point,
  path,
  polar,
  rect,
  type Scene,
  stroke,
  times,
} from './drawing.ts';
import { fitted, LETTER, text, wrapped } from './lettering.ts';
import { meridianNet } from './meridian.ts';
import { mix } from './palette.ts';
import { createRandom, type Random, seedOf } from './random.ts';

/** What a banner says, and where it will stand. */
export interface AdvertisementText {
  key: string;
  slot: 'Post-1' | 'Home-2' | 'Footer-3';
  advertiser: string;
  headline: string;
  line: string;
  callToAction: string;
}

const SIZES = {
  'Post-1': { width: 600, height: 750 },
  'Home-2': { width: 600, height: 500 },
  'Footer-3': { width: 1456, height: 180 },
} as const;

interface Brand {
  ground: string;
  text: string;
  strong: string;
  button: string;
  shape: string;
}

const BRANDS: readonly Brand[] = [
  { ground: '#12343b', text: '#f3ede0', strong: '#f2b25c', button: '#f2b25c', shape: '#2a5d63' },
  { ground: '#f3e6cf', text: '#26211c', strong: '#b3402a', button: '#26211c', shape: '#e2a06c' },
  { ground: '#27264a', text: '#f2eff7', strong: '#f09a86', button: '#f09a86', shape: '#4a4a86' },
  { ground: '#dfe8e2', text: '#18302a', strong: '#2f6f5c', button: '#18302a', shape: '#86b39f' },
  { ground: '#1c1c22', text: '#f4efe6', strong: '#e9d06a', button: '#e9d06a', shape: '#45444d' },
  { ground: '#efdcd6', text: '#33202a', strong: '#8c3f5c', button: '#33202a', shape: '#cf8f8a' },
];

/** A banner of an invented firm in the size of its slot. */
export function drawAdvertisement(words: AdvertisementText, random: Random): Scene {
  // A firm looks the same in all its banners.
  const brand = createRandom(seedOf(words.advertiser)).pick(BRANDS);
  const { width, height } = SIZES[words.slot];
  const compose = words.slot === 'Footer-3' ? strip : words.slot === 'Post-1' ? poster : panel;
  const markup = rect(0, 0, width, height, { fill: brand.ground }) + compose(words, brand, random);
  return { width, height, markup };
}

function poster(words: AdvertisementText, brand: Brand, random: Random): string {
  const art = clipped(
    'art',
    rect(0, 0, 600, 330, {}),
    artwork(brand, random, [random.between(370, 420), 214], 150),
  );
  const head = wrapped(words.headline, {
    x: 48,
    y: 412,
    room: 500,
    size: 46,
    lines: 3,
    colour: brand.text,
    serif: true,
  });
  const deck = wrapped(words.line, {
    x: 48,
    y: head.bottom + 8,
    room: 500,
    size: 22,
    lines: 2,
    colour: mix(brand.text, brand.ground, 0.2),
    serif: false,
  });
  return (
    art +
    firm(words.advertiser, [48, 62], brand, 24, 500) +
    head.markup +
    deck.markup +
    button(words.callToAction, [48, 652], brand, 22, 480)
  );
}

function panel(words: AdvertisementText, brand: Brand, random: Random): string {
  const art = clipped('art', rect(300, 0, 300, 204, {}), artwork(brand, random, [470, 106], 88));
  const head = wrapped(words.headline, {
    x: 44,
    y: 254,
    room: 512,
    size: 38,
    lines: 3,
    colour: brand.text,
    serif: true,
  });
  const deck = wrapped(words.line, {
    x: 44,
    y: head.bottom + 6,
    room: 512,
    size: 20,
    lines: 1,
    colour: mix(brand.text, brand.ground, 0.2),
    serif: false,
  });
  return (
    art +
    firm(words.advertiser, [44, 60], brand, 22, 280) +
    head.markup +
    deck.markup +
    button(words.callToAction, [44, 426], brand, 20, 460)
  );
}

function strip(words: AdvertisementText, brand: Brand, random: Random): string {
  const art = clipped('art', rect(0, 0, 300, 180, {}), artwork(brand, random, [130, 96], 92));
  const head = wrapped(words.headline, {
    x: 330,
    y: 82,
    room: 770,
    size: 38,
    lines: 1,
    colour: brand.text,
    serif: true,
  });
  const deck = wrapped(words.line, {
    x: 330,
    y: 128,
    room: 760,
    size: 22,
    lines: 1,
    colour: mix(brand.text, brand.ground, 0.2),
    serif: false,
  });
  return (
    art +
    firm(words.advertiser, [1130, 62], brand, 20, 280) +
    head.markup +
    deck.markup +
    button(words.callToAction, [1130, 92], brand, 20, 280)
  );
}

function artwork(brand: Brand, random: Random, centre: Point, radius: number): string {
  const face = linear(
    'face',
    [mix(brand.strong, brand.ground, 0.1), mix(brand.strong, brand.shape, 0.75)],
    [0.5, 1],
  );
  const kind = random.whole(0, 3);
  const rings = times(6, (index) =>
    circle(centre, radius * (0.5 + index * 0.24), stroke(brand.strong, 1.6, 0.6 - index * 0.07)),
  );
  const disc = circle(centre, radius * 0.72, { fill: face.paint });
  const makers: readonly (() => string)[] = [
    () =>
      rings.join('') +
      disc +
      meridianNet(centre, radius * 0.72, 5, 24, { colour: brand.ground, width: 1.5, opacity: 0.7 }),
    () =>
      times(5, (index) =>
        path(
          arc(centre, radius * (0.3 + index * 0.2), 180 + index * 12, 350 + index * 6),
          stroke(index === 2 ? brand.strong : brand.shape, radius * 0.11),
        ),
      ).join(''),
    () =>
      circle(centre, radius * 1.25, { fill: brand.shape, opacity: 0.5 }) +
      times(24, (index) =>
        circle(polar(centre, radius * (0.3 + (index % 3) * 0.34), index * 15), 4 + (index % 3) * 3, {
          fill: brand.strong,
        }),
      ).join(''),
    () =>
      times(6, (index) =>
        rect(
          centre[0] - radius + index * radius * 0.36,
          centre[1] + radius * 0.8 - radius * (0.35 + index * 0.24),
          radius * 0.24,
          radius * (0.35 + index * 0.24),
          {
            fill: index === 5 ? brand.strong : mix(brand.shape, brand.strong, index * 0.08),
            rx: radius * 0.12,
          },
        ),
      ).join('') +
      circle([centre[0] + radius * 0.92, centre[1] - radius * 1], radius * 0.1, { fill: brand.strong }),
  ];
  return face.definition + group({}, ...makers.slice(kind, kind + 1).map((make) => make()));
}

function firm(name: string, [x, y]: Point, brand: Brand, size: number, room: number): string {
  const mark =
    circle([x + size * 0.45, y - size * 0.34], size * 0.45, { fill: brand.strong }) +
    circle([x + size * 0.62, y - size * 0.34], size * 0.3, { fill: brand.ground });
  return (
    mark +
    text(name, {
      x: x + size * 1.3,
      y,
      size: fitted(name, size, room - size * 1.3, LETTER.sans),
      colour: brand.text,
      serif: false,
      weight: 700,
    })
  );
}

function button(label: string, [x, y]: Point, brand: Brand, size: number, room: number): string {
  const fitting = fitted(label, size, room - size * 2.4, LETTER.sans);
  const wide = label.length * fitting * LETTER.sans + size * 2.4;
  const shape = rect(x, y, wide, size * 2.3, { fill: brand.button, rx: size * 0.2 });
  return (
    shape +
    text(label, {
      x: x + wide / 2,
      y: y + size * 1.5,
      size: fitting,
      colour: brand.ground,
      serif: false,
      weight: 700,
      anchor: 'middle',
    })
  );
}
