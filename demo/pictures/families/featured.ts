import {
  circle,
  clipped,
  ellipse,
  group,
  line,
  type Point,
  path,
  polar,
  radial,
  rect,
  type Scene,
  stroke,
  times,
} from '../drawing.ts';
import { meridianMark, meridianNet, parallels } from '../meridian.ts';
import { INK, mix, PAPER, pickScheme, type Scheme } from '../palette.ts';
import type { Random } from '../random.ts';

const WIDTH = 1200;
const HEIGHT = 800;

/** Features: large globes of meridians, whole, cut and orbited. */
export function drawFeatured(random: Random): Scene {
  const scheme = pickScheme(random, 'featured', ['paper', 'paper', 'wash', 'deep', 'ink']);
  const compose = random.pick([orbits, sliced, limb, phases]);
  const ground = rect(0, 0, WIDTH, HEIGHT, { fill: scheme.ground });
  return { width: WIDTH, height: HEIGHT, markup: ground + compose(random, scheme) };
}

/** A shaded sphere with its net of lines. */
function globe(
  random: Random,
  scheme: Scheme,
  id: string,
  centre: Point,
  radius: number,
  warm: boolean,
): string {
  const light = warm ? mix(scheme.accent, scheme.glow, 0.7) : mix(scheme.tone(0.42), scheme.glow, 0.3);
  const dark = warm ? mix(scheme.accent, INK, 0.35) : mix(scheme.tint, INK, 0.62);
  const middle = warm ? scheme.accent : scheme.tint;
  const face = radial(id, [light, middle, dark], [random.pick([0.3, 0.7]), 0.28], 0.85);
  const net = meridianNet(centre, radius, random.whole(6, 9), random.between(-32, 32), {
    colour: PAPER,
    width: 1.3,
    opacity: 0.5,
  });
  const rings = group(
    {
      transform: `rotate(${random.between(-20, 20).toFixed(1)} ${centre[0].toFixed(1)} ${centre[1].toFixed(1)})`,
    },
    parallels(centre, radius, 7, 0.24, { colour: PAPER, width: 1.1, opacity: 0.34 }),
  );
  return (
    face.definition +
    circle(centre, radius, { fill: face.paint }) +
    clipped(`${id}c`, circle(centre, radius, {}), net, rings)
  );
}

/** A globe within its orbits; each orbit passes before and behind. */
function orbits(random: Random, scheme: Scheme): string {
  const centre: Point = [random.between(440, 760), random.between(370, 430)];
  const radius = random.between(180, 240);
  const tilt = random.pick([-1, 1]) * random.between(12, 30);
  const marked = random.whole(0, 2);
  const paths = times(random.whole(4, 6), (index) => ({
    rx: radius * (1.36 + index * 0.3),
    ry: radius * (0.3 + index * 0.085),
    lead: index === marked,
    at: random.between(20, 160),
  }));
  const ring = (rx: number, ry: number, from: 0 | 1, lead: boolean): string => {
    const [a, b] = from === 0 ? [centre[0] - rx, centre[0] + rx] : [centre[0] + rx, centre[0] - rx];
    return path(
      `M${a.toFixed(1)},${centre[1].toFixed(1)}A${rx.toFixed(1)},${ry.toFixed(1)} 0 0 1 ${b.toFixed(1)},${centre[1].toFixed(1)}`,
      stroke(lead ? scheme.accent : scheme.figure, lead ? 6 : 1.6, lead ? 1 : 0.62),
    );
  };
  const moons = paths.map(({ rx, ry, lead, at }) => {
    const angle = (at * Math.PI) / 180;
    const spot: Point = [centre[0] + rx * Math.cos(angle), centre[1] + ry * Math.sin(angle)];
    return circle(spot, lead ? 26 : random.between(6, 13), { fill: lead ? scheme.accent : scheme.figure });
  });
  const turn = { transform: `rotate(${tilt.toFixed(1)} ${centre[0].toFixed(1)} ${centre[1].toFixed(1)})` };
  return (
    meridianMark(random, scheme, centre) +
    group(turn, ...paths.map(({ rx, ry, lead }) => ring(rx, ry, 0, lead))) +
    globe(random, scheme, 'globe', centre, radius, false) +
    group(turn, ...paths.map(({ rx, ry, lead }) => ring(rx, ry, 1, lead)), ...moons)
  );
}

/** A globe cut in slices that have slid apart, with a warm core. */
function sliced(random: Random, scheme: Scheme): string {
  const centre: Point = [random.between(480, 720), 400];
  const radius = random.between(260, 310);
  const count = random.whole(3, 5);
  const turn = random.between(-34, 34);
  const thick = (radius * 2) / count;
  const warm = random.whole(1, count - 1);
  const slices = times(count, (index) => {
    const slide = (index % 2 === 0 ? 1 : -1) * random.between(26, 90);
    const drop = (index - (count - 1) / 2) * random.between(10, 16);
    const y = centre[1] - radius + index * thick;
    const band = rect(centre[0] - radius, y, radius * 2, thick, {});
    const height = (y - centre[1]) / radius;
    const half = radius * Math.sqrt(Math.max(0, 1 - height * height));
    const lid =
      index === 0
        ? ''
        : ellipse([centre[0], y], half, half * 0.16, {
            fill: mix(scheme.tone(0.3), scheme.glow, 0.5),
            stroke: scheme.figure,
            'stroke-width': 1.2,
          });
    const body = clipped(
      `band${index}`,
      band,
      globe(random, scheme, `g${index}`, centre, radius, index === warm),
    );
    return group({ transform: `translate(${slide.toFixed(1)} ${drop.toFixed(1)})` }, body, lid);
  });
  const axis = line([centre[0], -200], [centre[0], 1000], stroke(scheme.figure, 1.4, 0.55));
  const place = { transform: `rotate(${turn.toFixed(1)} ${centre[0].toFixed(1)} ${centre[1].toFixed(1)})` };
  const rings = times(3, (index) =>
    circle(centre, radius + 60 + index * 46, stroke(scheme.figure, 1.1, 0.24)),
  );
  return rings.join('') + meridianMark(random, scheme, centre) + group(place, axis, ...slices.reverse());
}

/** A part of a vast globe, crossing the frame, and a small warm one. */
function limb(random: Random, scheme: Scheme): string {
  const side = random.pick([-1, 1]);
  const radius = random.between(430, 560);
  const centre: Point = [600 + side * random.between(260, 380), random.between(420, 640)];
  const toward = side === 1 ? random.between(195, 225) : random.between(-45, -15);
  const spot = polar(centre, radius + random.between(100, 170), toward);
  const halos = times(5, (index) =>
    circle(centre, radius + 30 + index * (26 + index * 8), stroke(scheme.figure, 1.2, 0.4 - index * 0.06)),
  );
  const small = random.between(52, 84);
  const path_ = line(spot, polar(centre, radius, toward), stroke(scheme.accent, 3));
  return (
    halos.join('') +
    meridianMark(random, scheme, spot) +
    globe(random, scheme, 'world', centre, radius, false) +
    path_ +
    globe(random, scheme, 'moon', spot, small, true)
  );
}

/** One globe in several states, from line to body. */
function phases(random: Random, scheme: Scheme): string {
  const count = random.whole(4, 6);
  const radius = random.between(130, 165);
  const step = (1200 - 2 * (radius + 70)) / (count - 1);
  const lift = random.between(-110, 110);
  const warm = random.whole(1, count - 1);
  const states = times(count, (index) => {
    const share = index / (count - 1);
    const centre: Point = [
      radius + 70 + index * step,
      400 + (share - 0.5) * lift - Math.sin(share * Math.PI) * 50,
    ];
    const look = { colour: scheme.figure, width: 1.4, opacity: 0.8 };
    const net = meridianNet(centre, radius, 2 + index, -20 + share * 50, look);
    const back = circle(centre, radius, { fill: scheme.tone(share * 0.4) });
    return index === warm ? globe(random, scheme, `state${index}`, centre, radius, true) : back + net;
  });
  const focus: Point = [radius + 70 + warm * step, 400];
  return (
    meridianMark(random, scheme, focus) +
    states.join('') +
    line([0, 700], [WIDTH, 700], stroke(scheme.figure, 1.2, 0.4))
  );
}
