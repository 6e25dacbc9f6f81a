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
  shadow,
  stroke,
  times,
  wedge,
} from '../drawing.ts';
import { meridianMark } from '../meridian.ts';
import { INK, mix, PAPER, pickScheme, type Scheme } from '../palette.ts';
import type { Random } from '../random.ts';

const WIDTH = 1200;
const HEIGHT = 800;

/** Quick bytes: modular tiles and punched cards. */
export function drawQuickbytes(random: Random): Scene {
  const scheme = pickScheme(random, 'quickbytes', ['paper', 'paper', 'wash', 'deep', 'ink']);
  const compose = random.pick([tiles, tiles, cards, counters]);
  const ground = rect(0, 0, WIDTH, HEIGHT, { fill: scheme.ground });
  return { width: WIDTH, height: HEIGHT, markup: ground + compose(random, scheme) };
}

/** A floor of tiles, dense about one place and open elsewhere. */
function tiles(random: Random, scheme: Scheme): string {
  const size = random.pick([100, 133.33, 200]);
  const columns = Math.round(WIDTH / size);
  const rows = Math.round(HEIGHT / size);
  const block = size === 200 ? 2 : 3;
  const focus = {
    column: random.whole(1, columns - block - 1),
    row: random.whole(size === 200 ? 0 : 1, rows - block - (size === 200 ? 0 : 1)),
  };
  const reach = columns * random.between(0.36, 0.5);
  const laid = times(columns * rows, (index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    const inside =
      column >= focus.column && column < focus.column + block && row >= focus.row && row < focus.row + block;
    const away = Math.hypot(column - focus.column - block / 2 + 0.5, row - focus.row - block / 2 + 0.5);
    if (inside || !random.chance(Math.max(0, 1.25 - away / reach))) return '';
    return tile(random, scheme, [column * size, row * size], size);
  });
  const wide = size * block;
  const corner: Point = [focus.column * size, focus.row * size];
  const centre: Point = [corner[0] + wide / 2, corner[1] + wide / 2];
  return (
    gridLines(scheme, size) +
    laid.join('') +
    centrepiece(random, scheme, corner, wide) +
    meridianMark(random, scheme, centre)
  );
}

function centrepiece(random: Random, scheme: Scheme, [x, y]: Point, wide: number): string {
  const centre: Point = [x + wide / 2, y + wide / 2];
  const back = linear('back', [scheme.tone(0.42), scheme.tone(0.62)], [1, 1]);
  const sun = linear('sun', [mix(scheme.accent, scheme.glow, 0.35), scheme.accent]);
  const from = random.pick([0, 90, 180, 270]);
  const rings = times(4, (index) =>
    path(arc(centre, wide * (0.31 + index * 0.035), from, from + 180), stroke(PAPER, 2.4, 0.75)),
  );
  return (
    back.definition +
    sun.definition +
    rect(x, y, wide, wide, { fill: back.paint }) +
    path(wedge(centre, wide * 0.5, from + 180, from + 360), {
      fill: scheme.dark ? mix(INK, scheme.tint, 0.2) : INK,
    }) +
    rings.join('') +
    circle(centre, wide * 0.235, { fill: sun.paint })
  );
}

function tile(random: Random, scheme: Scheme, [x, y]: Point, size: number): string {
  const colour = scheme.tone(random.pick([0.16, 0.16, 0.3, 0.5, 0.72, 0.94]));
  const corner = random.pick<readonly [Point, number]>([
    [[x, y], 0],
    [[x + size, y], 90],
    [[x + size, y + size], 180],
    [[x, y + size], 270],
  ]);
  const [at, from] = corner;
  const fill = { fill: colour };
  const middle: Point = [x + size / 2, y + size / 2];
  const makers: readonly (() => string)[] = [
    () => path(wedge(at, size, from, from + 90), fill),
    () => rect(x, y, size, size, fill) + circle(middle, size * 0.24, { fill: scheme.ground }),
    () => path(wedge(middle, size / 2, from, from + 180), fill),
    () =>
      times(4, (index) =>
        path(arc(at, (size * (index + 1)) / 4.4, from, from + 90), stroke(scheme.figure, 2.2, 0.8)),
      ).join(''),
    () =>
      times(9, (index) =>
        circle(
          [x + size * (0.2 + (index % 3) * 0.3), y + size * (0.2 + Math.floor(index / 3) * 0.3)],
          size * 0.055,
          { fill: scheme.figure },
        ),
      ).join(''),
    () =>
      times(5, (index) =>
        line(
          [x + size * (0.1 + index * 0.2), y],
          [x + size * (0.1 + index * 0.2), y + size],
          stroke(colour, size * 0.07),
        ),
      ).join(''),
    () =>
      polygon(
        [
          [x, y + size],
          [x + size, y],
          [x + size, y + size],
        ],
        fill,
      ),
  ];
  return random.pick(makers)();
}

function gridLines(scheme: Scheme, size: number): string {
  const drawn = stroke(scheme.figure, 1, 0.13);
  const down = times(Math.round(WIDTH / size) - 1, (index) =>
    line([(index + 1) * size, 0], [(index + 1) * size, HEIGHT], drawn),
  );
  const across = times(Math.round(HEIGHT / size) - 1, (index) =>
    line([0, (index + 1) * size], [WIDTH, (index + 1) * size], drawn),
  );
  return [...down, ...across].join('');
}

/** Punched cards, fanned. */
function cards(random: Random, scheme: Scheme): string {
  const focus: Point = [random.between(500, 700), random.between(380, 440)];
  const count = random.whole(3, 4);
  const lean = random.between(-24, -8);
  const glow = linear('disc', [scheme.glow, scheme.tone(0.2)]);
  const disc = circle([focus[0] + random.pick([-250, 250]), focus[1] - 120], random.between(190, 250), {
    fill: glow.paint,
  });
  const fan = times(count, (index) => {
    const top = index === count - 1;
    const fill = top ? PAPER : mix(PAPER, scheme.tint, 0.75 - index * 0.24);
    return group(
      { transform: `rotate(${(lean + index * 9).toFixed(1)} ${focus[0].toFixed(0)} 900)` },
      card(random, scheme, focus, fill, `card${index}`, top),
    );
  });
  return glow.definition + disc + meridianMark(random, scheme, focus) + fan.join('');
}

function card(
  random: Random,
  scheme: Scheme,
  [cx, cy]: Point,
  fill: string,
  id: string,
  top: boolean,
): string {
  const [x, y] = [cx - 310, cy - 190];
  const outline = `M${pair([x + 60, y])}H${(x + 620).toFixed(1)}V${(y + 380).toFixed(1)}H${x.toFixed(1)}V${(y + 60).toFixed(1)}Z`;
  const marked = random.whole(20, 60);
  const hole = top ? mix(INK, scheme.tint, 0.16) : mix(fill, INK, 0.4);
  const holes = times(17 * 6, (index) => {
    const [column, row] = [index % 17, Math.floor(index / 17)];
    if (!random.chance(0.42) && index !== marked) return '';
    const lit = top && index === marked;
    return rect(x + 46 + column * 32, y + 78 + row * 48, 13, 30, {
      rx: 6.5,
      fill: lit ? scheme.accent : hole,
    });
  });
  const dots = times(17, (column) =>
    circle([x + 52.5 + column * 32, y + 44], 1.8, { fill: INK, opacity: column < 1 ? 0 : 0.45 }),
  );
  return (
    (top ? shadow(`${id}s`, path(outline, { fill: INK }), 12, [6, 16], 0.3) : '') +
    path(outline, { fill }) +
    holes.join('') +
    dots.join('')
  );
}

/** Columns of counters on a shelf of rules, like a tally. */
function counters(random: Random, scheme: Scheme): string {
  const columns = random.whole(9, 13);
  const size = 960 / columns;
  const peak = random.whole(3, columns - 3);
  const most = Math.floor(600 / size);
  const stacks = times(columns, (column) => {
    const near = Math.exp(-(((column - peak) / (columns * 0.24)) ** 2));
    const tall = Math.max(1, Math.round(near * most - random.between(0, 1.6)));
    return times(tall, (level) => {
      const at: Point = [120 + (column + 0.5) * size, 690 - (level + 0.5) * size];
      const lead = column === peak && level === tall - 1;
      return counter(random, scheme, at, size * 0.5, lead);
    }).join('');
  });
  const shelf = line([0, 690], [WIDTH, 690], stroke(scheme.figure, 3));
  const under = times(5, (index) =>
    line([0, 708 + index * 14], [WIDTH, 708 + index * 14], stroke(scheme.figure, 1.2, 0.34 - index * 0.06)),
  );
  const focus: Point = [120 + (peak + 0.5) * size, 250];
  const frame = clipped('frame', rect(0, 0, WIDTH, 690, {}), meridianMark(random, scheme, focus));
  return frame + stacks.join('') + shelf + under.join('');
}

function counter(random: Random, scheme: Scheme, [x, y]: Point, r: number, lead: boolean): string {
  const colour = lead ? scheme.accent : scheme.tone(random.pick([0.18, 0.32, 0.5, 0.5, 0.7, 0.95]));
  const whole = circle([x, y], r, { fill: colour });
  const kind = lead ? 3 : random.whole(0, 3);
  if (kind === 0)
    return path(wedge([x, y], r, 90, 270), { fill: colour }) + circle([x, y], r, stroke(scheme.figure, 1.6));
  if (kind === 1) return whole + circle([x, y], r * 0.42, { fill: scheme.ground });
  if (kind === 2)
    return times(4, (index) =>
      circle([x, y], r * (0.96 - index * 0.24), stroke(scheme.figure, 1.8, 0.85)),
    ).join('');
  return whole;
}
