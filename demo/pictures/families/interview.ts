import {
  arc,
  circle,
  clipped,
  group,
  line,
  linear,
  type Point,
  pair,
  path,
  rect,
  type Scene,
  smooth,
  stroke,
  times,
} from '../drawing.ts';
import { meridianMark } from '../meridian.ts';
import { INK, mix, PAPER, pickScheme, type Scheme } from '../palette.ts';
import type { Random } from '../random.ts';

const WIDTH = 1200;
const HEIGHT = 800;

/** Interviews: two facing forms, profiles and arcs in conversation. */
export function drawInterview(random: Random): Scene {
  const scheme = pickScheme(random, 'interview', ['paper', 'paper', 'wash', 'deep', 'ink']);
  const compose = random.pick([faceToFace, faceToFace, contours, arches]);
  const ground = rect(0, 0, WIDTH, HEIGHT, { fill: scheme.ground });
  const turned = random.chance(0.5) ? { transform: `translate(${WIDTH} 0) scale(-1 1)` } : {};
  return { width: WIDTH, height: HEIGHT, markup: ground + group(turned, compose(random, scheme)) };
}

/** A head in profile, looking right, in a box about 100 wide and 130 tall, as closed path data. */
function profile(random: Random): string {
  const nose = random.between(-3, 4);
  const brow = random.between(-2, 2);
  const chin = random.between(-3, 3);
  const lips = random.between(-1, 2);
  const back = random.between(-4, 3);
  const line: readonly Point[] = [
    [-14, 172],
    [6, 138],
    [12, 116],
    [7, 92],
    [back, 66],
    [1 + back, 36],
    [18, 10],
    [46, 0],
    [68, 7],
    [79, 24],
    [82 + brow, 39],
    [80, 48],
    [87, 58],
    [94 + nose, 67],
    [91 + nose, 71],
    [84, 73],
    [85, 77],
    [88 + lips, 80],
    [85, 83.5],
    [87 + lips, 88],
    [83, 93],
    [85 + chin, 100],
    [82 + chin, 107],
    [72, 111],
    [60, 114],
    [57, 122],
    [60, 138],
    [88, 156],
    [104, 174],
  ];
  return `${smooth(line)}Z`;
}

/** Hair as a cap behind and above the face, in the profile's units. */
function hair(random: Random): string {
  return random.pick([
    'M74,12C60,-9 22,-10 4,12C-9,30 -8,62 6,88C14,96 20,90 24,80C26,70 30,66 36,66C42,58 36,46 44,40C56,36 70,26 74,12Z',
    'M78,20C66,-8 26,-12 6,8C-12,28 -10,70 -4,104C0,124 16,126 28,118C34,100 26,82 36,68C42,58 38,46 46,38C58,34 72,32 78,20Z',
    'M76,14C64,-6 34,-9 18,0C2,-20 -26,-10 -22,12C-20,26 -8,30 -3,28C-6,52 0,74 8,86C18,92 24,80 28,70C38,62 36,48 44,40C56,34 70,28 76,14Z',
    'M72,9C56,-6 26,-6 10,10C-2,26 -3,48 3,68C10,76 20,72 26,64C34,60 36,48 40,40C52,34 66,24 72,9Z',
  ]);
}

interface Sitter {
  skin: string;
  hair: string;
  at: Point;
  scale: number;
  facing: 1 | -1;
}

function sitter(random: Random, { skin, hair: dyed, at, scale, facing }: Sitter): string {
  const [x, y] = at;
  const place = `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${(scale * facing).toFixed(2)} ${scale.toFixed(2)}) translate(-50 -70)`;
  const ear = path('M38,62C44,58 48,64 45,71C43,76 39,76 38,72', { ...stroke(INK, 1, 0.4) });
  return group(
    { transform: place },
    path(profile(random), { fill: skin }),
    path(hair(random), { fill: dyed }),
    ear,
    collar(dyed),
  );
}

function collar(colour: string): string {
  return path('M-60,230C-58,176 -24,156 8,136C22,150 44,152 60,138C96,152 128,176 132,230Z', {
    fill: colour,
  });
}

/** Two people, and what passes between them. */
function faceToFace(random: Random, scheme: Scheme): string {
  const scale = random.between(3.6, 4.3);
  const apart = random.between(265, 310);
  const level = random.between(400, 440);
  const middle: Point = [600, level - random.between(0, 40)];
  const warm = linear('warm', [mix(scheme.accent, scheme.glow, 0.3), scheme.accent], [0.3, 1]);
  const sides = random.chance(0.5) ? 1 : -1;
  const field = rect(sides === 1 ? 600 : 0, 0, 600, HEIGHT, { fill: scheme.tone(0.15) });
  const first = sitter(random, {
    skin: warm.paint,
    hair: scheme.dark ? mix(INK, scheme.tint, 0.15) : INK,
    at: [600 - apart, level],
    scale,
    facing: 1,
  });
  const second = sitter(random, {
    skin: scheme.dark ? mix(PAPER, scheme.tint, 0.18) : mix(scheme.tint, INK, 0.1),
    hair: scheme.dark ? scheme.tone(0.45) : mix(scheme.tint, INK, 0.66),
    at: [600 + apart, level + random.between(-20, 20)],
    scale: scale * random.between(0.94, 1.03),
    facing: -1,
  });
  const talk = times(random.whole(5, 8), (index) => {
    const radius = 24 + index * 15;
    const from = sides === 1 ? -52 : 128;
    return path(arc([middle[0] - sides * 64, middle[1] + 10], radius, from, from + 104), {
      ...stroke(scheme.figure, 2.4, 0.95 - index * 0.1),
      'stroke-linecap': 'round',
    });
  });
  return warm.definition + field + meridianMark(random, scheme, middle) + first + second + talk.join('');
}

/** One profile, its outline going out in waves toward an answering disc. */
function contours(random: Random, scheme: Scheme): string {
  const facing = random.pick<1 | -1>([1, -1]);
  const x = facing === 1 ? 400 : 800;
  const scale = random.between(4.3, 4.9);
  const outline = profile(random);
  const waves = times(random.whole(8, 12), (index) => {
    const wide = 10 + index * 11;
    return (
      path(outline, { ...stroke(scheme.figure, wide, 1), 'stroke-linejoin': 'round' }) +
      path(outline, { ...stroke(scheme.ground, wide - 0.45), 'stroke-linejoin': 'round' })
    );
  }).reverse();
  const place = `translate(${x} 430) scale(${(scale * facing).toFixed(2)} ${scale.toFixed(2)}) translate(-50 -72)`;
  const face = linear('face', [scheme.tone(0.5), scheme.tone(0.75)], [1, 1]);
  const sun = linear('sun', [mix(scheme.accent, scheme.glow, 0.4), scheme.accent]);
  const disc = circle(
    [600 + facing * random.between(300, 360), random.between(300, 460)],
    random.between(84, 120),
    { fill: sun.paint },
  );
  const head = group({ transform: place }, ...waves, path(outline, { fill: face.paint }));
  return (
    face.definition + sun.definition + head + disc + meridianMark(random, scheme, [600 + facing * 230, 380])
  );
}

/** Two leaning arches that meet under one light. */
function arches(random: Random, scheme: Scheme): string {
  const gap = random.between(14, 46);
  const wide = random.between(330, 400);
  const tall = random.between(440, 560);
  const base = 730;
  const half = (side: 1 | -1, colour: string, inner: string): string => {
    const edge = 600 + side * gap;
    const far = edge + side * wide;
    const shape = `M${pair([edge, base])}V${(base - tall).toFixed(1)}C${pair([edge + side * wide * 0.62, base - tall])} ${pair([far, base - tall * 0.55])} ${pair([far, base])}Z`;
    const nested = times(7, (index) => {
      const share = 1 - (index + 1) * 0.115;
      return path(
        `M${pair([edge + side * wide * share, base])}C${pair([edge + side * wide * share, base - tall * 0.55 * share])} ${pair([edge + side * wide * 0.62 * share, base - tall * share])} ${pair([edge, base - tall * share])}`,
        stroke(inner, 1.8, 0.75),
      );
    });
    return path(shape, { fill: colour }) + nested.join('');
  };
  const light = linear('light', [mix(scheme.accent, scheme.glow, 0.45), scheme.accent]);
  const at: Point = [
    600 + random.pick([-1, 1]) * random.between(0, 160),
    base - tall - random.between(10, 50),
  ];
  const disc = circle(at, random.between(66, 96), { fill: light.paint });
  const floor = line([0, base], [WIDTH, base], stroke(scheme.figure, 2.4));
  const shade = clipped(
    'floor',
    rect(0, base, WIDTH, 70, {}),
    rect(0, base, WIDTH, 70, { fill: scheme.tone(0.16) }),
  );
  return (
    light.definition +
    shade +
    meridianMark(random, scheme, at) +
    disc +
    half(-1, scheme.figure, scheme.ground) +
    half(1, scheme.tone(0.48), scheme.ground) +
    floor
  );
}
