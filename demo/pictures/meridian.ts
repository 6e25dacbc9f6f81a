import { arc, circle, ellipse, group, line, type Point, stroke, times } from './drawing.ts';
import type { Scheme } from './palette.ts';
import type { Random } from './random.ts';

/** The net of a globe: `count` lines of longitude on each side of the middle, turned by `tilt` degrees. */
export function meridianNet(
  centre: Point,
  radius: number,
  count: number,
  tilt: number,
  look: { colour: string; width: number; opacity?: number; turn?: number },
): string {
  const drawn = stroke(look.colour, look.width, look.opacity);
  const turn = look.turn ?? 0;
  const lines = times(count * 2, (index) => {
    const angle = ((index + turn) / (count * 2)) * Math.PI;
    return ellipse(centre, radius * Math.cos(angle), radius, drawn);
  });
  const rim = circle(centre, radius, drawn);
  return group({ transform: `rotate(${tilt} ${centre[0]} ${centre[1]})` }, ...lines, rim);
}

/** Lines of latitude of a globe seen from the side, as flat ellipses when `lean` (0 to 1) is above 0. */
export function parallels(
  centre: Point,
  radius: number,
  count: number,
  lean: number,
  look: { colour: string; width: number; opacity?: number },
): string {
  const drawn = stroke(look.colour, look.width, look.opacity);
  const rings = times(count, (index) => {
    const height = ((index + 1) / (count + 1)) * 2 - 1;
    const half = radius * Math.sqrt(1 - height * height);
    return ellipse(
      [centre[0], centre[1] + height * radius * Math.sqrt(1 - lean * lean)],
      half,
      half * lean,
      drawn,
    );
  });
  return rings.join('');
}

/**
 * The house motif, on every picture: one hairline from edge to edge and one wide arc, both through the
 * focal point, in a view box of 1200 by 800 or the size given.
 */
export function meridianMark(
  random: Random,
  scheme: Scheme,
  [x, y]: Point,
  size: { width: number; height: number } = { width: 1200, height: 800 },
): string {
  const drawn = stroke(scheme.figure, 1.2, scheme.dark ? 0.34 : 0.38);
  const lean = random.between(-90, 90);
  const hairline = line([x + lean, -10], [x - lean, size.height + 10], drawn);
  const radius = size.height * random.between(0.75, 1.3);
  const side = random.pick([-1, 1]);
  const centre: Point = [x + side * radius, y + random.between(-60, 60)];
  const middle = side === 1 ? 180 : 0;
  const wide = arc(centre, radius, middle - random.between(50, 80), middle + random.between(50, 80));
  return (
    hairline +
    `<path d="${wide}" fill="none" stroke="${scheme.figure}" stroke-width="1.2" stroke-opacity="0.34"/>`
  );
}
