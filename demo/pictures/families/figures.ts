import {
  circle,
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
import { mix, PAPER, type Scheme, schemeOn } from '../palette.ts';
import type { Random } from '../random.ts';

const WIDTH = 1280;
const HEIGHT = 720;

/** Figures within articles: diagrams without words, 16:9, in the tint of the article's section. */
export function drawFigure(random: Random, section: string): Scene {
  const scheme = schemeOn(random.pick(['paper', 'paper', 'wash']), section);
  const compose = random.pick([flow, flow, nested, plates, plates, exchange, narrowing]);
  const ground = rect(0, 0, WIDTH, HEIGHT, { fill: scheme.ground });
  const frame =
    line([64, 44], [1216, 44], stroke(scheme.figure, 1.4, 0.6)) +
    line([64, 676], [1216, 676], stroke(scheme.figure, 1.4, 0.3));
  return { width: WIDTH, height: HEIGHT, markup: ground + frame + compose(random, scheme) };
}

/** Streams from several sources through a middle to several ends. */
function flow(random: Random, scheme: Scheme): string {
  const stages = [random.whole(3, 5), random.whole(2, 3), random.whole(3, 5)];
  const columns = stages.map((count, stage) => {
    const room = 520 - (count - 1) * 34;
    const shares = times(count, () => random.between(0.6, 1.6));
    const all = shares.reduce((sum, share) => sum + share, 0);
    let y = 100;
    return shares.map((share) => {
      const node = { x: [130, 620, 1110][stage] ?? 0, y, height: (share / all) * room };
      y += node.height + 34;
      return node;
    });
  });
  const lead = random.whole(0, 2);
  const streams = columns.slice(0, 2).flatMap((nodes, stage) =>
    nodes.flatMap((from, index) =>
      (columns[stage + 1] ?? []).map((to, next, all) => {
        const [y1, y2] = [
          from.y + (from.height * (next + 0.5)) / all.length,
          to.y + (to.height * (index + 0.5)) / nodes.length,
        ];
        const thick = Math.min(from.height / all.length, to.height / nodes.length) * 0.86;
        const d = `M${pair([from.x + 40, y1])}C${pair([from.x + 260, y1])} ${pair([to.x - 220, y2])} ${pair([to.x, y2])}`;
        const hot = index === lead % nodes.length && next === 0;
        return path(
          d,
          stroke(hot ? scheme.accent : scheme.tint, thick, hot ? 0.85 : 0.16 + ((index + next) % 3) * 0.1),
        );
      }),
    ),
  );
  const nodes = columns.flat().map(({ x, y, height }) => rect(x, y, 40, height, { fill: scheme.figure }));
  return streams.join('') + nodes.join('');
}

/** Sets within sets, sharing one point. */
function nested(random: Random, scheme: Scheme): string {
  const count = random.whole(4, 6);
  const root: Point = [random.between(360, 480), 360];
  const rings = times(count, (index) => {
    const r = 285 - (index * 240) / count;
    const at: Point = [root[0] + 285 - r, root[1]];
    const last = index === count - 1;
    const disc = circle(at, r, {
      fill: last ? scheme.accent : scheme.tone(0.1 + (index / count) * 0.55),
      stroke: scheme.figure,
      'stroke-width': 1.4,
    });
    const y = 120 + index * (480 / (count - 1));
    const from = polar(at, r, -90 + (index / (count - 1)) * 180 * 0.98 + 1);
    const guide = path(`M${pair(from)}L${pair([820, y])}H860`, stroke(scheme.figure, 1.3, 0.6));
    const label = rect(880, y - 7, random.between(120, 300), 14, {
      fill: last ? scheme.accent : scheme.tone(0.3 + (index / count) * 0.4),
    });
    return { disc, note: guide + circle(from, 5, { fill: scheme.figure }) + label };
  });
  return rings.map(({ disc }) => disc).join('') + rings.map(({ note }) => note).join('');
}

/** Plates floating one over another. */
function plates(random: Random, scheme: Scheme): string {
  const count = random.whole(4, 5);
  const lead = random.whole(0, count - 1);
  const gap = 430 / count;
  const plate = (index: number): string => {
    const y = 530 - index * gap;
    const top: Point[] = [
      [640, y - 140],
      [1000, y],
      [640, y + 140],
      [280, y],
    ];
    const colour = index === lead ? scheme.accent : mix(PAPER, scheme.tint, 0.2 + index * 0.14);
    const face = linear(`plate${index}`, [mix(colour, PAPER, 0.3), colour], [1, 0.6]);
    const edge = polygon(
      [
        [280, y],
        [640, y + 140],
        [1000, y],
        [1000, y + 16],
        [640, y + 156],
        [280, y + 16],
      ],
      { fill: mix(colour, '#17171c', 0.45) },
    );
    const cells = times(random.whole(4, 9), () => {
      const [u, v] = [random.whole(-3, 2), random.whole(-3, 2)];
      const at: Point = [640 + (u - v) * 52, y + (u + v + 1) * 20];
      return polygon(
        [
          [at[0], at[1] - 16],
          [at[0] + 42, at[1]],
          [at[0], at[1] + 16],
          [at[0] - 42, at[1]],
        ],
        { fill: PAPER, 'fill-opacity': 0.55 },
      );
    });
    return face.definition + edge + polygon(top, { fill: face.paint, 'fill-opacity': 0.94 }) + cells.join('');
  };
  const posts = [280, 640, 1000].map((x) =>
    line([x, 530 - (count - 1) * gap], [x, 530], {
      ...stroke(scheme.figure, 1.4, 0.5),
      'stroke-dasharray': '2 7',
    }),
  );
  return posts.join('') + times(count, plate).join('');
}

/** A ring of parties and the ties between them. */
function exchange(random: Random, scheme: Scheme): string {
  const count = random.whole(9, 14);
  const centre: Point = [640, 360];
  const lead = random.whole(0, count - 1);
  const at = (index: number): Point => polar(centre, 250, (index / count) * 360 - 90);
  const ties = times(count * 2, (index) => {
    const from = index % count;
    const to = (from + random.whole(2, count - 2)) % count;
    const hot = from === lead;
    return path(
      `M${pair(at(from))}Q${pair(centre)} ${pair(at(to))}`,
      stroke(hot ? scheme.accent : scheme.tint, hot ? 5 : random.pick([1.5, 3, 8]), hot ? 1 : 0.5),
    );
  });
  const nodes = times(count, (index) =>
    circle(at(index), index === lead ? 30 : random.between(10, 24), {
      fill: index === lead ? scheme.accent : scheme.figure,
      stroke: scheme.ground,
      'stroke-width': 5,
    }),
  );
  const rim =
    circle(centre, 300, stroke(scheme.figure, 1.2, 0.35)) +
    ellipse(centre, 520, 300, stroke(scheme.figure, 1.2, 0.18));
  return rim + ties.join('') + nodes.join('');
}

/** A course in steps, each narrower than the one before. */
function narrowing(random: Random, scheme: Scheme): string {
  const count = random.whole(5, 7);
  const lead = random.whole(1, count - 2);
  const bars = times(count, (index) => {
    const half = 380 * (1 - index / count) ** 0.8 + 40;
    const next = 380 * Math.max(0, 1 - (index + 1) / count) ** 0.8 + 40;
    const y = 96 + index * (528 / count);
    const tall = 528 / count - 12;
    const colour = index === lead ? scheme.accent : scheme.tone(0.22 + (index / count) * 0.5);
    const shape = polygon(
      [
        [520 - half, y],
        [520 + half, y],
        [520 + next + 8, y + tall],
        [520 - next - 8, y + tall],
      ],
      { fill: colour },
    );
    const note = line([520 + (half + next) / 2 + 14, y + tall / 2], [1020, y + tall / 2], {
      ...stroke(scheme.figure, 1.3, 0.5),
      'stroke-dasharray': '2 6',
    });
    return (
      shape +
      note +
      circle([1050, y + tall / 2], 9 + (count - index) * 3.4, {
        fill: index === lead ? scheme.accent : scheme.tone(0.5),
        opacity: 0.9,
      })
    );
  });
  const axis = line([520, 70], [520, 650], stroke(PAPER, 1.6, 0.6));
  return group({}, ...bars, axis);
}
