import {
  arc,
  circle,
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
} from '../drawing.ts';
import { meridianMark } from '../meridian.ts';
import { INK, mix, PAPER, pickScheme, type Scheme } from '../palette.ts';
import { paperPlane } from '../paper-plane.ts';
import type { Random } from '../random.ts';

const WIDTH = 1200;
const HEIGHT = 800;

/** Guest authors: folded sheets, paper planes and paper columns. */
export function drawGuestAuthor(random: Random): Scene {
  const scheme = pickScheme(random, 'guest-author', ['paper', 'wash', 'wash', 'deep', 'ink']);
  const compose = random.pick([screen, fan, flight, colonnade]);
  const light = linear('room', [scheme.ground, mix(scheme.ground, scheme.tint, 0.18)], [0.4, 1]);
  const ground = light.definition + rect(0, 0, WIDTH, HEIGHT, { fill: light.paint });
  return { width: WIDTH, height: HEIGHT, markup: ground + compose(random, scheme) };
}

function disc(random: Random, scheme: Scheme, id: string, at: Point, radius: number): string {
  const face = linear(
    id,
    [mix(scheme.accent, scheme.glow, random.between(0.2, 0.5)), scheme.accent],
    [0.4, 1],
  );
  return face.definition + circle(at, radius, { fill: face.paint });
}

/** A folding screen of paper, standing. */
function screen(random: Random, scheme: Scheme): string {
  const panels = random.whole(6, 9);
  const wide = random.between(780, 920) / panels;
  const left = random.between(120, 300);
  const base = random.between(640, 690);
  const marked = random.whole(1, panels - 2);
  const focus: Point = [left + (marked + 0.5) * wide, random.between(190, 260)];
  const tall = times(
    panels + 1,
    (index) =>
      300 + Math.sin((index / panels) * Math.PI * random.between(0.8, 1.1)) * 190 + random.between(-20, 20),
  );
  const sheets = times(panels, (index) => {
    const near = index % 2 === 0;
    const drop = (at: number): number => base + (at % 2 === 0 ? 34 : -20);
    const [a, b] = [left + index * wide, left + (index + 1) * wide];
    const [ya, yb] = [drop(index), drop(index + 1)];
    const corners: Point[] = [
      [a, ya],
      [a, ya - (tall[index] ?? 0)],
      [b, yb - (tall[index + 1] ?? 0)],
      [b, yb],
    ];
    const colour = index === marked ? scheme.accent : mix(PAPER, scheme.tint, near ? 0.08 : 0.5);
    const shade = linear(
      `fold${index}`,
      near ? [colour, mix(colour, scheme.tint, 0.25)] : [mix(colour, INK, 0.28), colour],
      [1, 0],
    );
    const rules = times(5, (rule) =>
      line(
        [a + wide * 0.16, ya - 90 - rule * 24],
        [b - wide * 0.16, yb - 90 - rule * 24],
        stroke(index === marked ? PAPER : INK, 1.3, 0.3),
      ),
    );
    return shade.definition + polygon(corners, { fill: shade.paint }) + rules.join('');
  });
  const ends = left + panels * wide;
  const cast = shadow(
    'cast',
    polygon(
      [
        [left, base + 30],
        [ends, base + 20],
        [ends + 150, base + 96],
        [left + 130, base + 100],
      ],
      { fill: INK },
    ),
    16,
    [0, 0],
    scheme.dark ? 0.5 : 0.24,
  );
  const sun = circle([left + (panels - marked) * wide, 250], random.between(130, 180), {
    fill: scheme.tone(0.24),
  });
  return sun + meridianMark(random, scheme, focus) + cast + sheets.join('') + floorLine(scheme, base + 8);
}

function floorLine(scheme: Scheme, y: number): string {
  return (
    line([0, y], [60, y], stroke(scheme.figure, 1.2, 0.5)) +
    line([1140, y], [WIDTH, y], stroke(scheme.figure, 1.2, 0.5))
  );
}

/** Leaves opened around one point, as of a book seen from above. */
function fan(random: Random, scheme: Scheme): string {
  const count = random.whole(9, 13);
  const pivot: Point = [random.between(480, 720), random.between(650, 720)];
  const from = random.between(-172, -160);
  const sweep = random.between(140, 156);
  const marked = random.whole(3, count - 3);
  const long = random.between(430, 510);
  const leaves = times(count, (index) => {
    const turn = from + (index / (count - 1)) * sweep;
    const lead = index === marked;
    const colour = lead ? scheme.accent : mix(PAPER, scheme.tint, [0.04, 0.34, 0.7][index % 3] ?? 0);
    const shade = linear(`leaf${index}`, [mix(colour, INK, 0.26), colour, colour], [0, 1]);
    const reach = long * (lead ? 1.1 : random.between(0.82, 1));
    const leaf = `M0,0C${pair([reach * 0.3, -74])} ${pair([reach * 0.72, -64])} ${pair([reach, -12])}L${pair([reach * 0.98, 44])}C${pair([reach * 0.7, 20])} ${pair([reach * 0.3, 14])} 0,0Z`;
    const crease = path(
      `M0,0C${pair([reach * 0.3, -30])} ${pair([reach * 0.7, -24])} ${pair([reach * 0.99, 16])}`,
      stroke(INK, 1.2, 0.35),
    );
    return `${shade.definition}<g transform="translate(${pair(pivot)}) rotate(${turn.toFixed(1)})">${path(leaf, { fill: shade.paint })}${crease}</g>`;
  });
  const back = circle([pivot[0] + random.between(-120, 120), pivot[1] - 330], random.between(200, 260), {
    fill: scheme.tone(0.2),
  });
  const base = path(arc(pivot, 92, 180, 360), { fill: scheme.figure });
  const table = rect(0, pivot[1], WIDTH, HEIGHT - pivot[1], { fill: scheme.tone(0.3) });
  return (
    back +
    meridianMark(random, scheme, [pivot[0], pivot[1] - 300]) +
    leaves.join('') +
    base +
    table +
    line([0, pivot[1]], [WIDTH, pivot[1]], stroke(scheme.figure, 2))
  );
}

/** A paper plane, its wake and its company. */
function flight(random: Random, scheme: Scheme): string {
  const at: Point = [random.between(640, 860), random.between(230, 330)];
  const scale = random.between(1.5, 1.95);
  const wake: Point = [random.between(-80, 120), random.between(620, 780)];
  const lines = times(random.whole(5, 9), (index) => {
    const off = index * random.between(13, 18);
    return path(
      `M${pair([wake[0], wake[1] + off])}C${pair([at[0] - 380, wake[1] + off])} ${pair([at[0] - 380 + off, at[1] + 330])} ${pair([at[0] - 70, at[1] + 36 + off * 0.2])}`,
      stroke(index === 0 ? scheme.accent : scheme.figure, index === 0 ? 5 : 1.4, index === 0 ? 1 : 0.5),
    );
  });
  const sun = disc(
    random,
    scheme,
    'sun',
    [at[0] - random.between(180, 320), at[1] - random.between(-10, 60)],
    random.between(90, 140),
  );
  const cloud = circle([at[0] + random.between(-40, 120), at[1] + 60], random.between(230, 290), {
    fill: scheme.tone(0.2),
  });
  const company = times(random.whole(1, 3), (index) =>
    paperPlane(
      scheme,
      [at[0] - 330 + index * 290 + random.between(-40, 40), at[1] + 300 + random.between(-30, 90)],
      random.between(0.5, 0.8),
      random.between(-14, 10),
      `mate${index}`,
    ),
  );
  return (
    cloud +
    sun +
    meridianMark(random, scheme, at) +
    lines.join('') +
    company.join('') +
    paperPlane(scheme, at, scale, random.between(-16, 4), 'lead')
  );
}

/** Fluted columns of folded strips under one beam. */
function colonnade(random: Random, scheme: Scheme): string {
  const count = random.whole(3, 5);
  const gap = 1000 / count;
  const marked = random.whole(0, count - 1);
  const top = random.between(210, 270);
  const wide = gap * random.between(0.42, 0.52);
  const sun = disc(
    random,
    scheme,
    'sun',
    [100 + (marked + random.pick([0, 1])) * gap, random.between(330, 460)],
    random.between(110, 150),
  );
  const columns = times(count, (index) => {
    const x = 100 + (index + 0.5) * gap - wide / 2;
    const flutes = 6;
    const strips = times(flutes, (strip) => {
      const colour = mix(
        mix(PAPER, scheme.tint, 0.1),
        mix(scheme.tint, INK, 0.5),
        (strip / (flutes - 1)) * 0.85,
      );
      const shade = linear(`c${index}s${strip}`, [colour, mix(colour, INK, 0.3)], [1, 0]);
      return (
        shade.definition +
        rect(x + (strip * wide) / flutes, top + 50, wide / flutes + 0.5, 640 - top, { fill: shade.paint })
      );
    });
    const capital = path(
      `M${pair([x - 26, top + 10])}H${(x + wide + 26).toFixed(1)}Q${pair([x + wide + 4, top + 24])} ${pair([x + wide, top + 52])}H${x.toFixed(1)}Q${pair([x - 4, top + 24])} ${pair([x - 26, top + 10])}Z`,
      { fill: mix(PAPER, scheme.tint, 0.66) },
    );
    const foot = rect(x - 20, 676, wide + 40, 24, { fill: mix(PAPER, scheme.tint, 0.72) });
    const cast = polygon(
      [
        [x + wide + 20, 700],
        [x - 20, 700],
        [x + 110, 800],
        [x + wide + 190, 800],
      ],
      { fill: INK, opacity: 0.2 },
    );
    return cast + strips.join('') + capital + foot;
  });
  const beam =
    rect(60, top - 44, 1080, 54, { fill: mix(PAPER, scheme.tint, 0.5) }) +
    rect(40, top - 58, 1120, 16, { fill: scheme.dark ? PAPER : INK });
  const floor = rect(0, 700, WIDTH, 100, { fill: scheme.tone(0.22) });
  return (
    floor + meridianMark(random, scheme, [100 + (marked + 0.5) * gap, 380]) + sun + columns.join('') + beam
  );
}
