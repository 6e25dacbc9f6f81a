import {
  arc,
  circle,
  clipped,
  group,
  line,
  linear,
  type Point,
  path,
  polar,
  radial,
  rect,
  type Scene,
  stroke,
  times,
} from '../drawing.ts';
import { meridianMark } from '../meridian.ts';
import { INK, mix, pickScheme, type Scheme } from '../palette.ts';
import type { Random } from '../random.ts';

const WIDTH = 1200;
const HEIGHT = 800;

/** Podcasts: rings and waves of sound about a dark centre, mostly on dark ground. */
export function drawPodcasts(random: Random): Scene {
  const scheme = pickScheme(random, 'podcasts', ['ink', 'ink', 'deep', 'deep', 'paper']);
  const compose = random.pick([corona, record, passage, interference]);
  const air = radial('air', [scheme.tone(scheme.dark ? 0.2 : 0.1), scheme.ground], [0.5, 0.5], 0.62);
  const ground = air.definition + rect(0, 0, WIDTH, HEIGHT, { fill: air.paint });
  return { width: WIDTH, height: HEIGHT, markup: ground + compose(random, scheme) };
}

/** How loud a voice is, at a share of the way: a few waves over one another, 0 to 1. */
function voice(random: Random): (share: number) => number {
  const waves = times(5, (index) => ({
    often: (index + 1) * random.whole(2, 5),
    phase: random.between(0, 6.3),
    loud: 1 / (index + 1),
  }));
  return (share) => {
    const sum = waves.reduce(
      (all, { often, phase, loud }) => all + Math.sin(share * often * 6.283 + phase) * loud,
      0,
    );
    return Math.min(1, Math.abs(sum) / 1.7);
  };
}

function darkCentre(scheme: Scheme, centre: Point, radius: number): string {
  const core = radial(
    'core',
    [mix(INK, scheme.tint, 0.34), mix('#0c0b0f', scheme.tint, 0.1)],
    [0.4, 0.35],
    0.75,
  );
  return core.definition + circle(centre, radius, { fill: core.paint });
}

/** A voice as rays about a circle. */
function corona(random: Random, scheme: Scheme): string {
  const centre: Point = [random.pick([420, 600, 780]) + random.between(-40, 40), random.between(370, 430)];
  const inner = random.between(120, 165);
  const reach = random.between(130, 210);
  const speak = voice(random);
  const count = random.pick([90, 120, 150]);
  const from = random.between(0, 360);
  const marked = random.between(0.1, 0.7);
  const rays = times(count, (index) => {
    const share = index / count;
    const angle = from + share * 360;
    const lit = share > marked && share < marked + 0.13;
    const end = inner + 22 + speak(share) * reach;
    const look = {
      ...stroke(lit ? scheme.accent : scheme.figure, lit ? 5 : 3.2, lit ? 1 : 0.85),
      'stroke-linecap': 'round',
    };
    return line(polar(centre, inner + 20, angle), polar(centre, end, angle), look);
  });
  const rings = times(5, (index) =>
    circle(
      centre,
      inner + reach + 50 + index * index * 16 + index * 26,
      stroke(scheme.figure, 1.2, 0.3 - index * 0.05),
    ),
  );
  const halo = radial(
    'halo',
    [mix(scheme.tint, scheme.glow, 0.35), scheme.tone(0.36), scheme.tone(0.12)],
    [0.5, 0.5],
    0.5,
  );
  const light = circle(centre, inner + reach * 0.62, { fill: halo.paint });
  const dot = circle(centre, inner * 0.16, { fill: scheme.accent });
  return (
    halo.definition +
    rings.join('') +
    light +
    darkCentre(scheme, centre, inner) +
    rays.join('') +
    dot +
    meridianMark(random, scheme, centre)
  );
}

/** Broken grooves of a record, one lit. */
function record(random: Random, scheme: Scheme): string {
  const side = random.pick([0, 1]);
  const centre: Point = [
    side === 0 ? random.between(300, 460) : random.between(740, 900),
    random.between(400, 620),
  ];
  const inner = random.between(90, 140);
  const count = random.whole(12, 17);
  const lit = random.whole(3, count - 4);
  const grooves = times(count, (index) => {
    const radius = inner + 34 + index * random.between(25, 30);
    const start = random.between(0, 360);
    const parts = times(random.whole(1, 3), (part) => {
      const from = start + part * 120;
      const look = stroke(
        index === lit ? scheme.accent : scheme.tone(random.pick([0.35, 0.5, 0.7, 0.95])),
        index === lit ? 11 : random.pick([2, 2, 5, 9]),
      );
      return path(arc(centre, radius, from, from + random.between(30, 105)), {
        ...look,
        'stroke-linecap': 'round',
      });
    });
    return circle(centre, radius, stroke(scheme.figure, 1, 0.14)) + parts.join('');
  });
  const label = linear('label', [scheme.glow, mix(scheme.accent, scheme.glow, 0.3)], [0.6, 1]);
  const hub = circle(centre, inner, { fill: label.paint }) + darkCentre(scheme, centre, inner * 0.62);
  return (
    label.definition +
    grooves.join('') +
    hub +
    circle(centre, 7, { fill: scheme.figure }) +
    meridianMark(random, scheme, centre)
  );
}

/** A wave of bars passing through a disc and changing its colour there. */
function passage(random: Random, scheme: Scheme): string {
  const centre: Point = [random.between(420, 780), random.between(370, 430)];
  const radius = random.between(210, 270);
  const speak = voice(random);
  const step = random.pick([16, 20, 24]);
  const bars = (colour: string): string =>
    times(Math.floor(1080 / step), (index) => {
      const x = 60 + (index + 0.5) * step;
      const near = Math.exp(-(((x - centre[0]) / 360) ** 2));
      const tall = 8 + speak(index / 60) * near * 210 + near * 36;
      return rect(x - step * 0.2, centre[1] - tall, step * 0.4, tall * 2, { rx: step * 0.2, fill: colour });
    }).join('');
  const face = linear('face', [mix(scheme.accent, scheme.glow, 0.5), scheme.accent], [0.4, 1]);
  const disc = circle(centre, radius, { fill: face.paint });
  const rings = times(4, (index) =>
    circle(centre, radius + 28 + index * 34, stroke(scheme.figure, 1.2, 0.42 - index * 0.09)),
  );
  const within = clipped('within', circle(centre, radius, {}), bars(mix('#120f15', scheme.tint, 0.12)));
  return (
    face.definition +
    rings.join('') +
    bars(scheme.tone(0.78)) +
    disc +
    within +
    meridianMark(random, scheme, centre)
  );
}

/** Two sources of rings that answer each other. */
function interference(random: Random, scheme: Scheme): string {
  const gap = random.between(150, 230);
  const lean = random.between(-70, 70);
  const first: Point = [600 - gap, 400 + lean];
  const second: Point = [600 + gap, 400 - lean];
  const count = random.whole(9, 13);
  const step = random.between(27, 34);
  const rings = (centre: Point, colour: string, wide: number): string =>
    times(count, (index) =>
      circle(centre, 106 + index * step, stroke(colour, wide, 0.95 - (index / count) * 0.75)),
    ).join('');
  const lens = clipped(
    'lens',
    circle(first, 106 + step * 7, {}),
    circle(second, 106 + step * 7, { fill: scheme.tone(0.34) }),
  );
  const light = linear('light', [mix(scheme.accent, scheme.glow, 0.35), scheme.accent]);
  return (
    light.definition +
    lens +
    group({}, rings(first, scheme.tone(0.75), 2.4), rings(second, scheme.glow, 2.4)) +
    darkCentre(scheme, first, 84) +
    circle(second, 84, { fill: light.paint }) +
    circle(first, 84, stroke(scheme.figure, 2)) +
    meridianMark(random, scheme, random.pick([first, second]))
  );
}
