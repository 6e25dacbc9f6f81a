import { markedParts } from './highlight-parts.ts';

/** A text in which the words of a search are marked. */
export function Marked({ text, words }: { text: string; words: string }) {
  return markedParts(text, words).map(({ start, part, isMarked }) =>
    isMarked ? <mark key={start}>{part}</mark> : part,
  );
}
