import {
  circle,
  clipped,
  fade,
  group,
  line,
  linear,
  type Point,
  pair,
  path,
  polar,
  radial,
  rect,
  type Scene,
  smooth,
  stroke,
  times,
} from '../drawing.ts';
import { meridianMark, meridianNet } from '../meridian.ts';
import { mix, pickScheme, type Scheme } from '../palette.ts';
import type { Random } from '../random.ts';

const WIDTH = 1200;
const HEIGHT = 800;

/** News: signal traces and crossing routes. */
export function drawNews(random: Random): Scene {
  const scheme = pickScheme(random, 'news', ['paper', 'paper', 'wash', 'deep', 'ink']);
  const compose = random.pick([narrows, pulses, relays, interchange]);
  const ground = rect(0, 0, WIDTH, HEIGHT, { fill: scheme.ground });
  return { width: WIDTH, height: HEIGHT, markup: ground + compose(random, scheme) };
}

/** Many routes drawn through one narrow place. */
function narrows(random: Random, scheme: Scheme): string {
  const count = random.whole(24, 40);
  const waist: Point = [random.between(380, 820), random.between(280, 520)];
  const gap = random.between(4, 7);
  const marked = random.whole(Math.floor(count * 0.3), Math.floor(count * 0.7));
  const cross = random.chance(0.5);
  const routes = times(count, (index) => {
    const share = index / (count - 1);
    const middle = waist[1] + (share - 0.5) * count * gap;
    const left = -160 + share * (HEIGHT + 320);
    const right = cross ? HEIGHT + 160 - share * (HEIGHT + 320) : -80 + share * share * (HEIGHT + 260);
    return { left, middle, right };
  });
  const bend = random.between(150, 260);
  const course = ({ left, middle, right }: (typeof routes)[number]): string =>
    `M-20,${left.toFixed(1)}C${waist[0] - bend * 1.4},${left.toFixed(1)} ${waist[0] - bend},${middle.toFixed(1)} ` +
    `${pair([waist[0], middle])}S${waist[0] + bend * 1.2},${right.toFixed(1)} 1220,${right.toFixed(1)}`;
  const glow = linear('disc', [scheme.tone(0.16), scheme.tone(0.42)], [1, 1]);
  const disc = circle([waist[0] + random.between(-60, 60), waist[1]], random.between(190, 270), {
    fill: glow.paint,
  });
  const drawn = routes.map((route, index) => {
    const heavy = index % 7 === 3;
    return path(
      course(route),
      stroke(heavy ? scheme.tone(0.5) : scheme.figure, heavy ? 7 : 1.6, heavy ? 1 : 0.75),
    );
  });
  const lead = routes.slice(marked, marked + 1).map((route) => path(course(route), stroke(scheme.accent, 8)));
  const stop = circle([waist[0], waist[1] + (marked / (count - 1) - 0.5) * count * gap], 19, {
    fill: scheme.ground,
    stroke: scheme.accent,
    'stroke-width': 8,
  });
  return glow.definition + disc + drawn.join('') + lead.join('') + stop + meridianMark(random, scheme, waist);
}

/** Rows of a seismograph, each hiding what lies behind it. */
function pulses(random: Random, scheme: Scheme): string {
  const rows = random.whole(15, 20);
  const focus: Point = [random.between(420, 780), 0];
  const marked = random.whole(Math.floor(rows * 0.45), Math.floor(rows * 0.75));
  const step = 560 / rows;
  const glow = linear('sun', [scheme.glow, scheme.tone(0.2)]);
  const sun = circle([focus[0] + random.between(-120, 120), 250], random.between(150, 200), {
    fill: glow.paint,
  });
  const traces = times(rows, (row) => {
    const base = 260 + row * step;
    const tall = random.between(60, 130) * (0.55 + Math.sin((row / rows) * Math.PI) * 0.7);
    const shift = focus[0] + random.between(-70, 70);
    const points = times(49, (index): Point => {
      const x = index * 25;
      const near = Math.exp(-(((x - shift) / random.between(150, 210)) ** 2));
      return [x, base - near * tall * random.between(0.35, 1.15) - random.between(0, 3)];
    });
    const trace = smooth(points);
    const fill = row === marked ? scheme.accent : row % 6 === 2 ? scheme.tone(0.3) : scheme.ground;
    const body = path(`${trace}L1200,820L0,820Z`, { fill: row === marked ? scheme.ground : fill });
    return (
      body + path(trace, stroke(row === marked ? scheme.accent : scheme.figure, row === marked ? 6 : 1.8))
    );
  });
  return glow.definition + sun + meridianMark(random, scheme, [focus[0], 250]) + traces.join('');
}

/** Messages leaping from place to place over the curve of the earth. */
function relays(random: Random, scheme: Scheme): string {
  const centre: Point = [random.between(420, 780), random.between(1150, 1300)];
  const radius = centre[1] - random.between(430, 490);
  const land = linear('land', [scheme.tone(0.55), scheme.tone(0.28), scheme.tone(0.1)], [0, 0.5]);
  const globe = circle(centre, radius, { fill: land.paint });
  const net = meridianNet(centre, radius, 9, random.between(-12, 12), {
    colour: scheme.ground,
    width: 1.4,
    opacity: 0.55,
  });
  const start = random.between(-136, -128);
  const stations = times(
    random.whole(6, 8),
    (index): Point => polar(centre, radius, start + index * random.between(11, 13)),
  );
  const hop = (from: Point, to: Point, look: ReturnType<typeof stroke>): string => {
    const lift = Math.hypot(to[0] - from[0], to[1] - from[1]) * 0.78;
    return path(
      `M${pair(from)}Q${pair([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2 - lift])} ${pair(to)}`,
      look,
    );
  };
  const sent = random.whole(0, 2);
  const leaps = stations.flatMap((from, index) =>
    stations.slice(index + 1).map((to, further) => {
      const lead = index === sent && further === 2;
      return hop(from, to, stroke(lead ? scheme.accent : scheme.figure, lead ? 7 : 1.5, lead ? 1 : 0.6));
    }),
  );
  const marks = stations.map((at, index) =>
    circle(at, index === sent || index === sent + 3 ? 15 : 8, {
      fill: index === sent || index === sent + 3 ? scheme.accent : scheme.figure,
    }),
  );
  const halo = radial('halo', [scheme.glow, mix(scheme.glow, scheme.tint, 0.35)], [0.35, 0.35], 0.8);
  const moon = circle([random.between(160, 1040), random.between(120, 210)], random.between(46, 84), {
    fill: halo.paint,
  });
  const mark = meridianMark(random, scheme, [centre[0], 380]);
  return land.definition + halo.definition + moon + mark + globe + net + group({}, ...leaps) + marks.join('');
}

/** Broad lines that pass over and under one another. */
function interchange(random: Random, scheme: Scheme): string {
  const focus: Point = [random.between(430, 770), random.between(300, 500)];
  const count = random.whole(6, 9);
  const broad = random.between(15, 24);
  const marked = random.whole(2, count - 2);
  const flip = random.chance(0.5);
  const routes = times(count, (index) => {
    const start = 60 + ((index + 0.5) / count) * 680;
    const drop = (index - count / 2 + 0.5) * broad * 1.45;
    const rise = random.pick([-1, 1]) * random.between(110, 320);
    const turn = focus[0] - 230 + random.between(-70, 30);
    const leave = focus[0] + 210 + random.between(-30, 80);
    return bent([
      [-40, start],
      [turn - Math.abs(focus[1] + drop - start), start],
      [turn, focus[1] + drop],
      [leave, focus[1] + drop],
      [leave + Math.abs(rise), focus[1] + drop + rise],
      [1240, focus[1] + drop + rise],
    ]);
  });
  const drawn = routes.map((d, index) => {
    const colour = index === marked ? scheme.accent : scheme.tone([0.3, 0.85, 0.5, 0.18][index % 4] ?? 0.5);
    return (
      path(d, { ...stroke(scheme.ground, broad + 9), 'stroke-linejoin': 'round' }) +
      path(d, stroke(colour, broad))
    );
  });
  const tall = count * broad * 1.45 + 26;
  const hall = rect(focus[0] - 24, focus[1] - tall / 2, 48, tall, {
    rx: 24,
    fill: scheme.ground,
    stroke: scheme.figure,
    'stroke-width': 6,
  });
  const veil = fade('veil', scheme.tone(0.34), 0.9, 0.1, [1, 0]);
  const quarter = circle([focus[0], focus[1]], random.between(240, 300), { fill: veil.paint });
  const turned = group(flip ? { transform: 'translate(1200 0) scale(-1 1)' } : {}, quarter, ...drawn, hall);
  const centre: Point = flip ? [WIDTH - focus[0], focus[1]] : focus;
  const lines = clipped('sheet', rect(0, 0, WIDTH, HEIGHT, {}), meridianMark(random, scheme, centre));
  return veil.definition + turned + lines + line([0, 760], [1200, 760], stroke(scheme.figure, 1.2, 0.3));
}

/** Straight stretches with rounded corners. */
function bent(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const turns = rest.map((corner, index) => {
    const next = rest[index + 1];
    if (!next) return `L${pair(corner)}`;
    const before = points[index] ?? corner;
    return `L${pair(towards(corner, before, 34))}Q${pair(corner)} ${pair(towards(corner, next, 34))}`;
  });
  return `M${pair(first ?? [0, 0])}${turns.join('')}`;
}

function towards(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const share = Math.min(0.5, distance / length);
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
}
