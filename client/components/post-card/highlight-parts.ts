/** A piece of a text: where it starts, and whether it is one of the words looked for. */
export interface HighlightPart {
  start: number;
  part: string;
  isMarked: boolean;
}

/** More words than that mark nothing better, and cost time. */
const WORDS_AT_MOST = 10;

/** A text in pieces: those that are one of `words`, whatever their case, and those between them. */
export function highlightParts(text: string, words: string): HighlightPart[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word.length > 1)
    .slice(0, WORDS_AT_MOST);
  const lower = text.toLowerCase();
  // A few letters change their length with their case; marking would then be off.
  if (wanted.length === 0 || lower.length !== text.length) return [{ start: 0, part: text, isMarked: false }];
  const parts: HighlightPart[] = [];
  let from = 0;
  for (let found = nearest(lower, wanted, from); found !== null; found = nearest(lower, wanted, from)) {
    if (found.at > from) parts.push({ start: from, part: text.slice(from, found.at), isMarked: false });
    parts.push({ start: found.at, part: text.slice(found.at, found.at + found.length), isMarked: true });
    from = found.at + found.length;
  }
  if (from < text.length) parts.push({ start: from, part: text.slice(from), isMarked: false });
  return parts;
}

function nearest(
  text: string,
  words: readonly string[],
  from: number,
): { at: number; length: number } | null {
  let best: { at: number; length: number } | null = null;
  for (const word of words) {
    const at = text.indexOf(word, from);
    if (at >= 0 && (best === null || at < best.at)) best = { at, length: word.length };
  }
  return best;
}
