import { type Point, polygon } from './drawing.ts';
import { INK, mix, PAPER } from './palette.ts';

/** A block on the floor of the isometric room; lengths in units of the picture, colour as hex. */
export interface Block {
  x: number;
  y: number;
  width: number;
  depth: number;
  height: number;
  colour: string;
}

/** A place in the isometric room, on the sheet. */
export function isometric([ox, oy]: Point, x: number, y: number, z: number): Point {
  return [ox + (x - y) * 0.866, oy + (x + y) * 0.5 - z];
}

/** A block with its three visible sides, each in its own light. */
export function block(origin: Point, { x, y, width, depth, height, colour }: Block): string {
  const at = (dx: number, dy: number, z: number): Point => isometric(origin, x + dx, y + dy, z);
  const top = [at(0, 0, height), at(width, 0, height), at(width, depth, height), at(0, depth, height)];
  const left = [at(0, depth, height), at(width, depth, height), at(width, depth, 0), at(0, depth, 0)];
  const right = [at(width, 0, height), at(width, depth, height), at(width, depth, 0), at(width, 0, 0)];
  return (
    polygon(right, { fill: mix(colour, INK, 0.48) }) +
    polygon(left, { fill: mix(colour, INK, 0.2) }) +
    polygon(top, { fill: mix(colour, PAPER, 0.22) })
  );
}
