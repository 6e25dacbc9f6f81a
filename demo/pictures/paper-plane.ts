import { line, linear, type Point, pair, polygon, stroke } from './drawing.ts';
import { INK, mix, PAPER, type Scheme } from './palette.ts';

/** A folded paper plane about a point, its nose up to the right before it is turned (degrees). */
export function paperPlane(scheme: Scheme, at: Point, scale: number, turn: number, id: string): string {
  const upper = linear(`${id}u`, [PAPER, mix(PAPER, scheme.tint, 0.3)], [1, 1]);
  const lower = linear(`${id}l`, [mix(scheme.tint, INK, 0.15), mix(scheme.tint, PAPER, 0.3)], [1, 0]);
  const wing = polygon(
    [
      [180, -70],
      [-170, -22],
      [-64, 26],
    ],
    { fill: upper.paint },
  );
  const fold = polygon(
    [
      [180, -70],
      [-64, 26],
      [-40, 108],
    ],
    { fill: mix(scheme.tint, INK, 0.45) },
  );
  const belly = polygon(
    [
      [180, -70],
      [-40, 108],
      [-6, 44],
    ],
    { fill: mix(scheme.tint, INK, 0.62) },
  );
  const near = polygon(
    [
      [180, -70],
      [-22, 40],
      [60, 88],
    ],
    { fill: lower.paint },
  );
  return `${upper.definition}${lower.definition}<g transform="translate(${pair(at)}) rotate(${turn.toFixed(1)}) scale(${scale.toFixed(2)})">${fold}${wing}${belly}${near}${line([180, -70], [-64, 26], stroke(INK, 0.8, 0.4))}</g>`;
}
