import { highlightParts } from './highlight-parts.ts';

/** Renders a text with a `<mark>` around each word of a search. */
export function Highlight({ text, words }: { text: string; words: string }) {
  return highlightParts(text, words).map(({ start, part, isMatch }) =>
    isMatch ? <mark key={start}>{part}</mark> : part,
  );
}
