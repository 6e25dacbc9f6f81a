import { highlightParts } from './highlight-parts.ts';

/** A text in which the words of a search are marked. */
export function Highlight({ text, words }: { text: string; words: string }) {
  return highlightParts(text, words).map(({ start, part, isMarked }) =>
    isMarked ? <mark key={start}>{part}</mark> : part,
  );
}
