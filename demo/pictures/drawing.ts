/** A point in the units of the picture's view box. */
export type Point = readonly [x: number, y: number];
/** Attributes of an SVG element; values are written as they stand. */
export type Attributes = Readonly<Record<string, string | number>>;

/** A finished drawing: SVG markup in a view box of the given size. */
export interface Scene {
  width: number;
  height: number;
  markup: string;
}

/** Something to paint with: `definition` stands anywhere in the picture, `paint` is the value of a fill. */
export interface Paint {
  definition: string;
  paint: string;
}

/** A number as SVG wants it, to two places. */
export function figure(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** One SVG element; numbers are written to two places, an empty content closes it at once. */
export function tag(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${typeof value === 'number' ? figure(value) : value}"`,
  );
  return `<${name}${written.join('')}${content === '' ? '/>' : `>${content}</${name}>`}`;
}

/** Several pieces of markup under common attributes. */
export function group(attributes: Attributes, ...content: readonly string[]): string {
  return tag('g', attributes, content.join(''));
}

/** A circle about a point; a negative radius draws nothing. */
export function circle([cx, cy]: Point, r: number, attributes: Attributes): string {
  return tag('circle', { cx, cy, r: Math.max(0, r), ...attributes });
}

/** An upright ellipse about a point. */
export function ellipse([cx, cy]: Point, rx: number, ry: number, attributes: Attributes): string {
  return tag('ellipse', { cx, cy, rx: Math.abs(rx), ry: Math.abs(ry), ...attributes });
}

/** A rectangle by its upper left corner; negative sizes draw nothing. */
export function rect(x: number, y: number, width: number, height: number, attributes: Attributes): string {
  return tag('rect', { x, y, width: Math.max(0, width), height: Math.max(0, height), ...attributes });
}

/** A straight line between two points. */
export function line([x1, y1]: Point, [x2, y2]: Point, attributes: Attributes): string {
  return tag('line', { x1, y1, x2, y2, ...attributes });
}

/** A path by its data. */
export function path(d: string, attributes: Attributes): string {
  return tag('path', { d, ...attributes });
}

/** A closed shape of straight sides. */
export function polygon(points: readonly Point[], attributes: Attributes): string {
  return tag('polygon', { points: points.map(pair).join(' '), ...attributes });
}

/** Attributes of a line without filling. */
export function stroke(colour: string, width: number, opacity = 1): Attributes {
  const seen = opacity === 1 ? {} : { 'stroke-opacity': opacity };
  return { fill: 'none', stroke: colour, 'stroke-width': width, ...seen };
}

/** `x,y`, for the data of a path. */
export function pair([x, y]: Point): string {
  return `${figure(x)},${figure(y)}`;
}

/** The point at an angle in degrees (0 to the right, clockwise). */
export function polar([cx, cy]: Point, radius: number, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)];
}

/** Path data of an arc of a circle from one angle to a greater one, degrees, clockwise. */
export function arc(centre: Point, radius: number, from: number, to: number): string {
  const r = figure(radius);
  const wide = to - from > 180 ? 1 : 0;
  return `M${pair(polar(centre, radius, from))}A${r},${r} 0 ${wide} 1 ${pair(polar(centre, radius, to))}`;
}

/** Path data of a pie slice. */
export function wedge(centre: Point, radius: number, from: number, to: number): string {
  return `${arc(centre, radius, from, to)}L${pair(centre)}Z`;
}

/** Path data of a smooth open curve through all points (Catmull-Rom as cubic curves). */
export function smooth(points: readonly Point[]): string {
  const at = (index: number): Point => points[Math.min(points.length - 1, Math.max(0, index))] ?? [0, 0];
  const curves = points.slice(1).map((end, index) => {
    const [before, start, after] = [at(index - 1), at(index), at(index + 2)];
    const leave: Point = [start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6];
    const reach: Point = [end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6];
    return `C${pair(leave)} ${pair(reach)} ${pair(end)}`;
  });
  return `M${pair(at(0))}${curves.join('')}`;
}

/** A gradient along a direction in shares of the painted shape's box; stops are colours at equal steps. */
export function linear(id: string, colours: readonly string[], to: Point = [0, 1]): Paint {
  const definition = tag('linearGradient', { id, x1: 0, y1: 0, x2: to[0], y2: to[1] }, stops(colours));
  return { definition, paint: `url(#${id})` };
}

/** A gradient from a point (shares of the painted shape's box) outwards. */
export function radial(id: string, colours: readonly string[], [fx, fy]: Point = [0.5, 0.5], r = 0.6): Paint {
  const definition = tag('radialGradient', { id, cx: fx, cy: fy, r, fx, fy }, stops(colours));
  return { definition, paint: `url(#${id})` };
}

/** A gradient of one colour from an opacity to another, downwards or in the direction given. */
export function fade(id: string, colour: string, from: number, until: number, to: Point = [0, 1]): Paint {
  const stop = (offset: number, opacity: number): string =>
    tag('stop', { offset, 'stop-color': colour, 'stop-opacity': opacity });
  const content = stop(0, from) + stop(1, until);
  return {
    definition: tag('linearGradient', { id, x1: 0, y1: 0, x2: to[0], y2: to[1] }, content),
    paint: `url(#${id})`,
  };
}

/** Shows of the content only what lies within the shape. */
export function clipped(id: string, shape: string, ...content: readonly string[]): string {
  return tag('clipPath', { id }, shape) + group({ 'clip-path': `url(#${id})` }, ...content);
}

/** The soft shadow beneath a shape: the same shape in one colour, blurred and moved. */
export function shadow(id: string, shape: string, blur: number, [dx, dy]: Point, opacity: number): string {
  const blurred = tag('feGaussianBlur', { stdDeviation: blur });
  const filter = tag('filter', { id, x: '-20%', y: '-20%', width: '140%', height: '150%' }, blurred);
  return filter + group({ filter: `url(#${id})`, transform: `translate(${dx} ${dy})`, opacity }, shape);
}

/** What `make` gives for each index from 0 up to, not including, the count. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => make(index));
}

function stops(colours: readonly string[]): string {
  const last = Math.max(1, colours.length - 1);
  return colours.map((colour, index) => tag('stop', { offset: index / last, 'stop-color': colour })).join('');
}
