import {
  arc,
  circle,
  clipped,
  ellipse,
  group,
  line,
  linear,
  type Point,
  pair,
  path,
  polar,
  polygon,
  rect,
  type Scene,
  stroke,
  times,
} from '../drawing.ts';
import { meridianMark, meridianNet } from '../meridian.ts';
import { INK, mix, PAPER, pickScheme, type Scheme } from '../palette.ts';
import type { Random } from '../random.ts';

const WIDTH = 1280;
const HEIGHT = 720;
const TINTS = ['events', 'news', 'featured', 'future-ready', 'guest-author', 'podcasts'] as const;

/** Events: halls, rows of seats, rays and badges of arcs, 16:9. */
export function drawEvent(random: Random): Scene {
  const scheme = pickScheme(random, random.pick(TINTS), ['paper', 'wash', 'deep', 'ink']);
  const compose = random.pick([amphitheatre, amphitheatre, vault, badge, pavilion, pavilion]);
  const ground = rect(0, 0, WIDTH, HEIGHT, { fill: scheme.ground });
  return { width: WIDTH, height: HEIGHT, markup: ground + compose(random, scheme) };
}

/** Rows of seats bent about a lit stage. */
function amphitheatre(random: Random, scheme: Scheme): string {
  const centre: Point = [640 + random.between(-120, 120), random.between(200, 250)];
  const radius = random.between(90, 120);
  const rows = random.whole(7, 9);
  const face = linear('stage', [mix(scheme.accent, scheme.glow, 0.6), scheme.accent]);
  const marked = { row: random.whole(2, rows - 2), seat: random.between(0.3, 0.7) };
  const seats = times(rows, (row) => {
    const distance = radius + 86 + row * (46 + row * 3.4);
    const size = 11 + row * 2.6;
    const count = Math.round((distance * Math.PI * 0.86) / (size * 3));
    return times(count, (seat) => {
      const at = polar(centre, distance, 12 + (seat / (count - 1)) * 156);
      const lead = row === marked.row && seat === Math.round(count * marked.seat);
      const taken = random.chance(0.72);
      const colour = lead
        ? scheme.accent
        : taken
          ? scheme.tone(0.3 + (row / rows) * 0.55)
          : scheme.tone(0.12);
      return circle(at, size, { fill: colour });
    }).join('');
  });
  const rays = times(17, (index) => {
    const angle = 186 + index * 10.5;
    return line(
      polar(centre, radius + 24, angle),
      polar(centre, 900, angle),
      stroke(scheme.figure, 1.3, 0.35),
    );
  });
  const wall = path(arc(centre, radius + 40, 180, 360), stroke(scheme.figure, 2));
  const size = { width: WIDTH, height: HEIGHT };
  return (
    face.definition +
    rays.join('') +
    meridianMark(random, scheme, centre, size) +
    wall +
    circle(centre, radius, { fill: face.paint }) +
    seats.join('')
  );
}

/** Arches one within another down to a bright end. */
function vault(random: Random, scheme: Scheme): string {
  const count = random.whole(7, 10);
  const end: Point = [640 + random.between(-150, 150), random.between(420, 460)];
  const shape = (share: number): string => {
    const half = 66 + share ** 1.7 * 640;
    const middle = end[0] + (640 - end[0]) * share;
    const floor = end[1] + 60 + share ** 1.7 * 330;
    const spring = end[1] - 10 - share ** 1.7 * 120;
    return `M${pair([middle - half, floor])}V${spring.toFixed(1)}A${half.toFixed(1)},${(half * 0.92).toFixed(1)} 0 0 1 ${pair([middle + half, spring])}V${floor.toFixed(1)}Z`;
  };
  const arches = times(count, (index) => {
    const share = 1 - index / count;
    const colour = scheme.dark
      ? mix(scheme.ground, scheme.tint, (index / count) * 0.9)
      : mix(mix(scheme.tint, INK, 0.42), scheme.glow, (index / count) * 0.72);
    return path(shape(share), { fill: colour, stroke: PAPER, 'stroke-width': 1.3, 'stroke-opacity': 0.55 });
  });
  const nearest = rect(0, 0, WIDTH, HEIGHT, {
    fill: scheme.dark ? scheme.ground : mix(scheme.tint, INK, 0.5),
  });
  const light = linear('end', [mix(scheme.accent, scheme.glow, 0.55), scheme.accent]);
  const door = path(shape(0), { fill: light.paint });
  const spill = polygon(
    [
      [end[0] - 66, end[1] + 60],
      [end[0] + 66, end[1] + 60],
      [end[0] + 290, 760],
      [end[0] - 290, 760],
    ],
    { fill: scheme.glow, opacity: 0.32 },
  );
  const people = times(random.whole(4, 7), (index) =>
    visitor(
      random,
      [end[0] - 260 + index * 92 + random.between(-24, 24), end[1] + random.between(110, 200)],
      random.between(0.75, 1.25),
    ),
  );
  const size = { width: WIDTH, height: HEIGHT };
  return (
    light.definition +
    nearest +
    arches.join('') +
    door +
    spill +
    meridianMark(random, { ...scheme, figure: PAPER }, end, size) +
    people.join('')
  );
}

function visitor(random: Random, [x, y]: Point, scale: number): string {
  const colour = random.pick([INK, INK, '#3a2a26']);
  const body =
    path('M-15,0C-17,-40 -15,-62 0,-62C15,-62 17,-40 15,0Z', { fill: colour }) +
    circle([0, -76], 11, { fill: colour });
  return group({ transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(2)})` }, body);
}

/** A badge of arcs, like a seal for the occasion. */
function badge(random: Random, scheme: Scheme): string {
  const centre: Point = [640 + random.pick([-1, 0, 1]) * 230, 360];
  const radius = random.between(250, 285);
  const rings = times(random.whole(5, 7), (index) => {
    const r = radius - index * 34;
    const from = random.between(0, 360);
    const colour = index === 2 ? scheme.accent : scheme.tone(random.pick([0.25, 0.5, 0.7, 0.95]));
    return (
      path(arc(centre, r, from, from + random.between(110, 300)), stroke(colour, index % 2 === 0 ? 24 : 12)) +
      circle(centre, r + 17, stroke(scheme.figure, 1, 0.25))
    );
  });
  const ticks = times(120, (index) =>
    line(
      polar(centre, radius + 40, index * 3),
      polar(centre, radius + (index % 10 === 0 ? 66 : 52), index * 3),
      stroke(scheme.figure, 1.6, 0.6),
    ),
  );
  const face = linear('heart', [mix(scheme.accent, scheme.glow, 0.5), scheme.accent]);
  const strata = times(10, (index) =>
    line([0, 150 + index * 46], [WIDTH, 150 + index * 46], stroke(scheme.figure, 1, 0.16)),
  );
  const halo = circle(centre, radius + 84, { fill: scheme.ground });
  const heart =
    circle(centre, 54, { fill: face.paint }) +
    meridianNet(centre, 54, 3, 24, { colour: PAPER, width: 1.2, opacity: 0.7 });
  const band = rect(0, 300, WIDTH, 120, { fill: scheme.tone(0.2) });
  return (
    face.definition +
    band +
    strata.join('') +
    halo +
    ticks.join('') +
    rings.join('') +
    heart +
    meridianMark(random, scheme, centre, { width: WIDTH, height: HEIGHT })
  );
}

/** A pavilion under the open sky. */
function pavilion(random: Random, scheme: Scheme): string {
  const bays = random.whole(3, 5);
  const base = random.between(560, 600);
  const wide = 960 / bays;
  const marked = random.whole(0, bays - 1);
  const sun: Point = [160 + (marked + 0.5) * wide, base - 250];
  const sky = linear('sky', [scheme.ground, mix(scheme.ground, scheme.glow, 0.5)]);
  const roofs = times(bays, (bay) => {
    const x = 160 + bay * wide;
    const tall = random.between(150, 220);
    const colour = bay === marked ? scheme.accent : scheme.tone([0.5, 0.7, 0.38][bay % 3] ?? 0.5);
    const shell = `M${pair([x, base - 150])}Q${pair([x + wide / 2, base - 150 - tall * 1.6])} ${pair([x + wide, base - 150])}Z`;
    const ribs = times(5, (rib) =>
      path(
        `M${pair([x + (wide * (rib + 0.5)) / 5, base - 150])}Q${pair([x + wide / 2 + (rib - 2) * 26, base - 190 - tall * 0.3])} ${pair([x + wide / 2, base - 150 - tall * 0.8])}`,
        stroke(PAPER, 1.3, 0.55),
      ),
    );
    const posts = [x + 8, x + wide - 8].map((at) =>
      rect(at - 5, base - 150, 10, 150, { fill: scheme.figure }),
    );
    const glow = rect(x + 20, base - 132, wide - 40, 132, {
      fill: bay === marked ? mix(scheme.accent, scheme.glow, 0.7) : scheme.tone(0.16),
    });
    const inside = times(random.whole(1, 4), () =>
      visitor(random, [x + random.between(40, wide - 40), base], random.between(0.7, 1)),
    );
    return glow + path(shell, { fill: colour }) + ribs.join('') + posts.join('') + inside.join('');
  });
  const rays = clipped(
    'air',
    rect(0, 0, WIDTH, base, {}),
    ...times(22, (index) =>
      line(
        polar(sun, 200, 180 + index * 8.6),
        polar(sun, 1000, 180 + index * 8.6),
        stroke(scheme.figure, 1.2, 0.22),
      ),
    ),
  );
  const floor =
    rect(0, base, WIDTH, HEIGHT - base, { fill: scheme.tone(0.28) }) +
    times(4, (index) =>
      ellipse([sun[0], base + 60], 260 + index * 200, 16 + index * 20, stroke(scheme.figure, 1.2, 0.3)),
    ).join('');
  return (
    sky.definition +
    rect(0, 0, WIDTH, HEIGHT, { fill: sky.paint }) +
    rays +
    meridianMark(random, scheme, sun, { width: WIDTH, height: HEIGHT }) +
    floor +
    roofs.join('') +
    line([0, base], [WIDTH, base], stroke(scheme.figure, 2))
  );
}
