import { tag } from './drawing.ts';

const SANS = 'Inter, Helvetica, Arial, DejaVu Sans, sans-serif';
const SERIF = 'Georgia, DejaVu Serif, serif';
/** Width of a letter in shares of its size, generous: the widest of the listed fonts draws so. */
export const LETTER = { sans: 0.58, serif: 0.62 };

/** Where words stand: the baseline of the first line, the room for them and how they look. */
export interface Setting {
  x: number;
  y: number;
  room: number;
  size: number;
  lines: number;
  colour: string;
  serif: boolean;
}

/** Words set in up to so many lines, made smaller until they fit; `bottom` is where the next may begin. */
export function wrapped(words: string, setting: Setting): { markup: string; bottom: number } {
  const { x, y, room, lines, colour, serif } = setting;
  const letter = serif ? LETTER.serif : LETTER.sans;
  let size = setting.size;
  while (size > 11 && broken(words, room / (size * letter)).length > lines) size -= 1;
  const rows = broken(words, room / (size * letter)).slice(0, lines);
  const markup = rows.map((row, index) =>
    text(row, { x, y: y + index * size * 1.18, size, colour, serif, weight: serif ? 700 : 400 }),
  );
  return { markup: markup.join(''), bottom: y + rows.length * size * 1.18 };
}

function broken(words: string, most: number): string[] {
  const rows: string[] = [];
  for (const word of words.split(/\s+/)) {
    const longer = `${rows.at(-1) ?? ''} ${word}`.trim();
    if (rows.length > 0 && longer.length <= most) rows.splice(-1, 1, longer);
    else rows.push(word);
  }
  return rows;
}

/** The size, at most the one given, in which one line of words fits the room. */
export function fitted(words: string, size: number, room: number, letter: number): number {
  return Math.min(size, room / Math.max(1, words.length * letter));
}

/** One line of text by its baseline. */
export interface Line {
  x: number;
  y: number;
  size: number;
  colour: string;
  serif: boolean;
  weight: number;
  anchor?: 'middle';
}

/** One line of text as SVG; the words are escaped. */
export function text(words: string, { x, y, size, colour, serif, weight, anchor }: Line): string {
  const family = serif ? SERIF : SANS;
  return tag(
    'text',
    {
      x,
      y,
      'font-family': family,
      'font-size': size,
      'font-weight': weight,
      fill: colour,
      'text-anchor': anchor ?? 'start',
    },
    escaped(words),
  );
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
