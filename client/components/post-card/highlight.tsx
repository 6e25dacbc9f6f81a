import type { ReactNode } from 'react';

/** Bounds the work: it grows with words times length. */
const MAX_WORDS = 10;

/** Characters that mean something in a regular expression. */
const SYNTAX = /[\\^$.*+?()[\]{}|]/g;

/** Renders a text with a `<mark>` around each word of a search, whatever its case. */
export function Highlight({ text, words = '' }: { text: string; words: string | undefined }): ReactNode {
  const wanted = words
    .split(/\s+/)
    .filter((word) => word.length > 1)
    .slice(0, MAX_WORDS)
    .map((word) => word.replace(SYNTAX, '\\$&'));
  if (wanted.length === 0) return text;
  const parts: ReactNode[] = [];
  let from = 0;
  for (const { 0: word, index } of text.matchAll(new RegExp(wanted.join('|'), 'giu'))) {
    parts.push(text.slice(from, index), <mark key={index}>{word}</mark>);
    from = index + word.length;
  }
  return [...parts, text.slice(from)];
}
