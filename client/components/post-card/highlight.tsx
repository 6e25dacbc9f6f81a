/** A part of a text, from index `start`. */
interface HighlightPart {
  start: number;
  part: string;
  /** It matches a search word. */
  isMatch: boolean;
}

/** Bounds the work: it grows with words times length. */
const MAX_WORDS = 10;

/** Splits a text into the parts that match one of `words`, whatever their case, and the parts between them. */
export function highlightParts(text: string, words: string): HighlightPart[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word.length > 1)
    .slice(0, MAX_WORDS);
  const lower = text.toLowerCase();
  // Some letters change their length in lower case, which would shift the matches.
  if (wanted.length === 0 || lower.length !== text.length) return [{ start: 0, part: text, isMatch: false }];
  const parts: HighlightPart[] = [];
  let from = 0;
  for (let found = nearest(lower, wanted, from); found !== null; found = nearest(lower, wanted, from)) {
    if (found.at > from) parts.push({ start: from, part: text.slice(from, found.at), isMatch: false });
    parts.push({ start: found.at, part: text.slice(found.at, found.at + found.length), isMatch: true });
    from = found.at + found.length;
  }
  if (from < text.length) parts.push({ start: from, part: text.slice(from), isMatch: false });
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

/** Renders a text with a `<mark>` around each word of a search. */
export function Highlight({ text, words }: { text: string; words: string }) {
  return highlightParts(text, words).map(({ start, part, isMatch }) =>
    isMatch ? <mark key={start}>{part}</mark> : part,
  );
}
