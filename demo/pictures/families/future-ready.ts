import {
  circle,
  clipped,
  fade,
  group,
  line,
  linear,
  type Point,
  path,
  rect,
  type Scene,
  smooth,
  stroke,
  times,
} from '../drawing.ts';
import { meridianMark, meridianNet } from '../meridian.ts';
import { mix, PAPER, pickScheme, type Scheme } from '../palette.ts';
import type { Random } from '../random.ts';

const WIDTH = 1200;
const HEIGHT = 800;

/** Future ready: strata of a horizon under a rising disc. */
export function drawFutureReady(random: Random): Scene {
  const scheme = pickScheme(random, 'future-ready', ['paper', 'wash', 'wash', 'deep', 'ink']);
  const compose = random.pick([ridges, ridges, water, terraces]);
  return { width: WIDTH, height: HEIGHT, markup: sky(random, scheme) + compose(random, scheme) };
}

function sky(random: Random, scheme: Scheme): string {
  const low = mix(scheme.tone(0.2), scheme.glow, random.between(0.25, 0.6));
  const air = linear('sky', [scheme.ground, scheme.ground, low]);
  return air.definition + rect(0, 0, WIDTH, HEIGHT, { fill: air.paint });
}

function risingDisc(random: Random, scheme: Scheme, centre: Point, radius: number): string {
  const face = linear('sun', [scheme.accent, mix(scheme.accent, scheme.glow, 0.75)]);
  const halos = times(4, (index) =>
    circle(centre, radius + 26 + index * 30, stroke(scheme.figure, 1.2, 0.36 - index * 0.07)),
  );
  const disc = circle(centre, radius, { fill: face.paint });
  const net = random.chance(0.5)
    ? clipped(
        'rising',
        circle(centre, radius, {}),
        meridianNet(centre, radius, 5, random.between(10, 40), { colour: PAPER, width: 1.4, opacity: 0.6 }),
      )
    : '';
  return face.definition + halos.join('') + disc + net;
}

/** Hills behind hills, lighter the farther they are. */
function ridges(random: Random, scheme: Scheme): string {
  const count = random.whole(5, 7);
  const horizon = random.between(360, 460);
  const centre: Point = [random.between(260, 940), horizon - random.between(-20, 90)];
  const layers = times(count, (index) => {
    const depth = (index + 1) / count;
    const base = horizon + 30 + (index / count) ** 1.2 * (HEIGHT - horizon - 40);
    const points = ridge(random, base, 30 + depth * 56, 150 + depth * 130);
    const colour = scheme.tone(0.18 + depth * (scheme.dark ? 0.4 : 0.7));
    const hill = linear(`hill${index}`, [colour, mix(colour, scheme.ground, 0.28)]);
    const lines = times(index % 2 === 0 ? 4 : 0, (below) =>
      path(
        smooth(points.map(([x, y]): Point => [x, y + 12 + below * 13])),
        stroke(scheme.ground, 1.3, 0.5 - below * 0.1),
      ),
    );
    return (
      hill.definition + path(`${smooth(points)}L1240,820L-40,820Z`, { fill: hill.paint }) + lines.join('')
    );
  });
  return (
    meridianMark(random, scheme, centre) +
    risingDisc(random, scheme, centre, random.between(110, 185)) +
    layers.join('')
  );
}

function ridge(random: Random, base: number, tall: number, wave: number): Point[] {
  const phase = random.between(0, 6.3);
  const second = random.between(0, 6.3);
  return times(28, (index) => {
    const x = -40 + index * 48;
    return [
      x,
      base - Math.sin(x / wave + phase) * tall * 0.6 - Math.sin(x / (wave * 0.42) + second) * tall * 0.32,
    ];
  });
}

/** A still sea that breaks the disc into bars. */
function water(random: Random, scheme: Scheme): string {
  const horizon = random.between(440, 510);
  const radius = random.between(170, 240);
  const centre: Point = [random.between(330, 870), horizon - radius * random.between(0.15, 0.7)];
  const sea = linear('sea', [scheme.tone(0.42), scheme.tone(scheme.dark ? 0.12 : 0.82)]);
  const bars = times(13, (index) => {
    const y = horizon + 12 + index * (9 + index * 1.15);
    const wide = radius * (1.02 - index * 0.055) * random.between(0.75, 1.1);
    return rect(centre[0] - wide + random.between(-24, 24), y, wide * 2, 4 + index * 0.9, {
      rx: 3,
      fill: mix(scheme.accent, scheme.glow, 0.2 + index * 0.05),
    });
  });
  const swell = times(16, (index) => {
    const y = horizon + 8 + index * (8 + index * 0.9);
    const from = random.between(-200, 900);
    return line([from, y], [from + random.between(160, 520), y], stroke(PAPER, 1.4, 0.42));
  });
  const above = clipped(
    'above',
    rect(0, 0, WIDTH, horizon, {}),
    meridianMark(random, scheme, centre),
    risingDisc(random, scheme, centre, radius),
  );
  const coast = path(
    `${smooth(ridge(random, horizon - 12, 34, 190))}L1240,${horizon.toFixed(0)}L-40,${horizon.toFixed(0)}Z`,
    { fill: scheme.tone(0.36) },
  );
  return (
    above +
    coast +
    sea.definition +
    rect(0, horizon, WIDTH, HEIGHT, { fill: sea.paint }) +
    swell.join('') +
    bars.join('')
  );
}

/** Round hills of concentric layers, one before the other. */
function terraces(random: Random, scheme: Scheme): string {
  const horizon = random.between(380, 440);
  const centre: Point = [random.between(300, 900), horizon - random.between(40, 130)];
  const rows = random.whole(3, 4);
  const hills = times(rows * 4, (index) => {
    const [row, place] = [Math.floor(index / 4), index % 4];
    const depth = (row + 1) / rows;
    const radius = (150 + depth * 150) * random.between(0.75, 1.15);
    const at: Point = [
      place * 400 + (row % 2) * 200 - 200 + random.between(-60, 60),
      horizon + 90 + depth * 330,
    ];
    const warm = row === 1 && place === 1;
    return hill(
      scheme,
      at,
      radius,
      warm ? scheme.accent : scheme.tone(0.12 + depth * (scheme.dark ? 0.42 : 0.66)),
      `hill${index}`,
    );
  });
  const haze = fade('haze', scheme.glow, 0, 0.3);
  const band = rect(0, horizon - 160, WIDTH, 300, { fill: haze.paint });
  const disc = risingDisc(random, scheme, centre, random.between(110, 170));
  return meridianMark(random, scheme, centre) + disc + haze.definition + band + group({}, ...hills);
}

function hill(scheme: Scheme, at: Point, radius: number, colour: string, id: string): string {
  const face = linear(id, [mix(colour, scheme.glow, 0.2), colour, colour], [0.2, 1]);
  const layers = times(6, (index) =>
    circle(at, radius * (0.88 - index * 0.13), stroke(PAPER, 1.3, 0.5 - index * 0.05)),
  );
  return face.definition + circle(at, radius, { fill: face.paint }) + layers.join('');
}
