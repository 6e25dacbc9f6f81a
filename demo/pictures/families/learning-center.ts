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
  polygon,
  rect,
  type Scene,
  stroke,
  times,
} from '../drawing.ts';
import { block, isometric } from '../isometric.ts';
import { meridianMark } from '../meridian.ts';
import { INK, mix, PAPER, pickScheme, type Scheme } from '../palette.ts';
import type { Random } from '../random.ts';

const WIDTH = 1200;
const HEIGHT = 800;

/** Learning center: stepped architecture and blueprints. */
export function drawLearningCenter(random: Random): Scene {
  const scheme = pickScheme(random, 'learning-center', ['paper', 'wash', 'wash', 'deep', 'ink']);
  const compose = random.pick([steps, facade, blueprint, ascent]);
  const light = linear('light', [scheme.ground, mix(scheme.ground, scheme.glow, scheme.dark ? 0.1 : 0.3)]);
  const ground = light.definition + rect(0, 0, WIDTH, HEIGHT, { fill: light.paint });
  return { width: WIDTH, height: HEIGHT, markup: ground + compose(random, scheme) };
}

/** Blocks that rise in steps toward one light. */
function steps(random: Random, scheme: Scheme): string {
  const cells = random.whole(5, 7);
  const unit = 490 / cells;
  const origin: Point = [random.between(520, 680), random.between(260, 300)];
  const rise = random.between(26, 42);
  const kind = random.whole(0, 2);
  const level = (column: number, row: number): number => {
    if (kind === 0) return cells - Math.max(column, row);
    if (kind === 1) return Math.max(1, cells - column - (row % 2));
    return Math.max(1, Math.round(cells * 0.9 - Math.hypot(column - 1, row - 1) * 0.9));
  };
  const marked = [random.whole(0, 1), random.whole(0, 1)];
  const blocks = times(cells * cells, (index) => {
    const [column, row] = [index % cells, Math.floor(index / cells)];
    const lead = column === marked[0] && row === marked[1];
    const colour = lead ? scheme.accent : mix(PAPER, scheme.tint, 0.2 + ((column * 3 + row * 5) % 4) * 0.16);
    return block(origin, {
      x: column * unit,
      y: row * unit,
      width: unit,
      depth: unit,
      height: level(column, row) * rise + (lead ? rise : 0),
      colour,
    });
  });
  const sun = circle([origin[0] + random.between(-260, 260), 250], random.between(130, 190), {
    fill: scheme.tone(0.22),
  });
  return (
    sun + construction(scheme, origin, 520) + meridianMark(random, scheme, [origin[0], 200]) + blocks.join('')
  );
}

function construction(scheme: Scheme, origin: Point, span: number): string {
  const drawn = stroke(scheme.figure, 1.1, 0.3);
  return times(7, (index) => {
    const at = -span * 0.3 + (index / 6) * span * 1.6;
    return (
      line(isometric(origin, at, -300, 0), isometric(origin, at, span + 400, 0), drawn) +
      line(isometric(origin, -300, at, 0), isometric(origin, span + 400, at, 0), drawn)
    );
  }).join('');
}

/** A front of arches over stairs, in flat sunlight. */
function facade(random: Random, scheme: Scheme): string {
  const storeys = random.whole(2, 3);
  const arches = random.whole(4, 6);
  const left = random.between(120, 260);
  const wide = 1200 - left - random.between(120, 260);
  const tall = 460 / storeys;
  const marked = random.whole(0, arches - 1);
  const floor = random.whole(0, storeys - 1);
  const wall = linear('wall', [mix(PAPER, scheme.tint, 0.3), mix(PAPER, scheme.tint, 0.62)], [1, 1]);
  const openings = times(storeys * arches, (index) => {
    const [column, row] = [index % arches, Math.floor(index / arches)];
    const cell = wide / arches;
    const lead = column === marked && row === floor;
    return opening(
      scheme,
      [left + column * cell + cell * 0.16, 170 + row * tall + tall * 0.14],
      cell * 0.68,
      tall * 0.86,
      lead,
    );
  });
  const eaves = times(storeys, (row) =>
    rect(left - 12, 170 + row * tall - 8, wide + 24, 14, { fill: mix(scheme.tint, INK, 0.4) }),
  );
  const stairs = times(8, (index) =>
    rect(left - 20 - index * 26, 630 + index * 21, wide + 40 + index * 52, 22, {
      fill: mix(PAPER, scheme.tint, 0.18 + (index % 2) * 0.3 + index * 0.03),
    }),
  );
  const slant = polygon(
    [
      [left, 630],
      [left, 170],
      [left + wide * random.between(0.25, 0.5), 630],
    ],
    { fill: INK, opacity: 0.13 },
  );
  const sun = circle([random.pick([left, left + wide]), 180], random.between(110, 150), {
    fill: mix(scheme.accent, scheme.glow, 0.65),
  });
  const mark = meridianMark(random, scheme, [left + (marked + 0.5) * (wide / arches), 300]);
  return (
    wall.definition +
    mark +
    sun +
    rect(left, 170, wide, 460, { fill: wall.paint }) +
    openings.join('') +
    slant +
    eaves.join('') +
    stairs.join('')
  );
}

function opening(scheme: Scheme, [x, y]: Point, wide: number, tall: number, lead: boolean): string {
  const shape = (inset: number): string => {
    const r = wide / 2 - inset;
    return `M${pair([x + inset, y + tall])}V${(y + wide / 2).toFixed(1)}A${r.toFixed(1)},${r.toFixed(1)} 0 0 1 ${pair([x + wide - inset, y + wide / 2])}V${(y + tall).toFixed(1)}Z`;
  };
  const depth = path(shape(0), { fill: mix(scheme.tint, INK, 0.72) });
  const within = path(shape(wide * 0.13), { fill: lead ? scheme.accent : mix(scheme.tint, INK, 0.5) });
  return depth + group({ transform: `translate(${(wide * 0.08).toFixed(1)} 0)` }, within);
}

/** The drawing of a building, with its construction lines. */
function blueprint(random: Random, scheme: Scheme): string {
  const centre: Point = [random.between(500, 700), random.between(520, 580)];
  const spans = times(random.whole(4, 6), (index) => 90 + index * random.between(56, 70));
  const marked = random.whole(1, spans.length - 1);
  const drawn = stroke(scheme.figure, 1.2, 0.34);
  const grid = times(24, (index) =>
    line([index * 50 + 25, 0], [index * 50 + 25, HEIGHT], stroke(scheme.figure, 1, 0.09)),
  ).concat(
    times(16, (index) =>
      line([0, index * 50 + 25], [WIDTH, index * 50 + 25], stroke(scheme.figure, 1, 0.09)),
    ),
  );
  const domes = spans.map((radius, index) => {
    const lead = index === marked;
    const look = stroke(lead ? scheme.accent : scheme.figure, lead ? 7 : index % 2 === 0 ? 3 : 1.5);
    const legs = [-1, 1].map((side) =>
      line([centre[0] + side * radius, centre[1]], [centre[0] + side * radius, centre[1] + 140], look),
    );
    const ticks =
      circle([centre[0] + radius, centre[1]], 5, { fill: scheme.figure }) +
      circle([centre[0] - radius, centre[1]], 5, { fill: scheme.figure });
    return path(arc(centre, radius, 180, 360), look) + legs.join('') + ticks;
  });
  const fill = linear('vault', [scheme.tone(0.5), scheme.tone(0.14)]);
  const within = (spans[marked] ?? 120).toFixed(1);
  const vault = path(
    `M${pair([centre[0] - Number(within), centre[1] + 140])}v-140a${within},${within} 0 0 1 ${(Number(within) * 2).toFixed(1)},0v140Z`,
    { fill: fill.paint },
  );
  const rays = times(9, (index) =>
    line(
      centre,
      [
        centre[0] + Math.cos(Math.PI + (index / 8) * Math.PI) * 760,
        centre[1] + Math.sin(Math.PI + (index / 8) * Math.PI) * 760,
      ],
      drawn,
    ),
  );
  const base = times(4, (index) =>
    rect(centre[0] - 420 - index * 34, centre[1] + 140 + index * 20, 840 + index * 68, 20, {
      fill: scheme.tone(0.22 + index * 0.07),
      stroke: scheme.figure,
      'stroke-width': 1.4,
    }),
  );
  return (
    fill.definition +
    grid.join('') +
    rays.join('') +
    vault +
    domes.join('') +
    base.join('') +
    meridianMark(random, scheme, [centre[0], centre[1] - 200])
  );
}

/** A stair in section, climbing to a doorway of light. */
function ascent(random: Random, scheme: Scheme): string {
  const count = random.whole(7, 10);
  const flip = random.chance(0.5);
  const [run, rise] = [760 / count, 430 / count];
  const wall = linear('mass', [scheme.tone(0.62), scheme.tone(0.4)], [1, 1]);
  const treads = times(
    count,
    (index) =>
      `L${pair([120 + index * run, 760 - (index + 1) * rise])}L${pair([120 + (index + 1) * run, 760 - (index + 1) * rise])}`,
  ).join('');
  const mass = path(`M120,760${treads}L1240,${(760 - count * rise).toFixed(1)}V820H0V760Z`, {
    fill: wall.paint,
  });
  const edges = times(count, (index) =>
    rect(120 + index * run, 760 - (index + 1) * rise, run, 7, { fill: mix(PAPER, scheme.tint, 0.12) }),
  );
  const door = { x: 120 + count * run - 10, base: 760 - count * rise };
  const glow = linear('door', [mix(scheme.accent, scheme.glow, 0.4), scheme.accent]);
  const gate = path(`M${pair([door.x + 70, door.base])}v-150a75,75 0 0 1 150,0v150Z`, { fill: glow.paint });
  const rings = times(
    6,
    (index) =>
      path(
        arc([door.x + 145, door.base - 150], 105 + index * 34, 180, 360),
        stroke(scheme.figure, 1.5, 0.55 - index * 0.07),
      ) +
      line(
        [door.x + 40 - index * 34, door.base - 150],
        [door.x + 40 - index * 34, door.base + 0],
        stroke(scheme.figure, 1.5, 0.55 - index * 0.07),
      ),
  );
  const beam = polygon(
    [
      [door.x + 70, door.base],
      [door.x + 220, door.base],
      [120 + run * 1.5, 760 - rise * 2],
      [120, 760],
    ],
    { fill: scheme.glow, opacity: 0.16 },
  );
  const lines = clipped(
    'air',
    rect(0, 0, WIDTH, 760, {}),
    ...rings,
    meridianMark(random, scheme, [door.x + 145, door.base - 150]),
  );
  return (
    wall.definition +
    glow.definition +
    group(flip ? { transform: 'translate(1200 0) scale(-1 1)' } : {}, lines, mass, beam, ...edges, gate)
  );
}
