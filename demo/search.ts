import { htmlToText } from './html-to-text.ts';
import type { Post } from './publish-content.ts';

/** Posts of a category (or of `all`) in which every word of the term occurs: most words in the title first, then newest. */
export type Search = (category: string, term: string) => Post[];

/** Makes a search over posts that are sorted newest first. Reads their text at the first search. */
export function createSearch(posts: readonly Post[]): Search {
  let index: { post: Post; title: string; text: string }[] | undefined;

  return (category, term) => {
    const words = [...new Set(folded(term).split(/\s+/).filter(Boolean))];
    if (words.length === 0) return [];
    index ??= posts.map((post) => ({ post, title: folded(post.title), text: folded(textOf(post)) }));
    const titleHits = (title: string) => words.filter((word) => title.includes(word)).length;
    return index
      .filter(({ post, text }) => isIn(category, post) && words.every((word) => text.includes(word)))
      .map(({ post, title }) => ({ post, hits: titleHits(title) }))
      .sort((a, b) => b.hits - a.hits)
      .map(({ post }) => post);
  };
}

function isIn(category: string, post: Post): boolean {
  return category === 'all' || post.category === category;
}

function textOf({ title, deck, keywords, authorName, bodyHtml }: Post): string {
  return [title, deck, keywords.join(' '), authorName, htmlToText(bodyHtml)].join('\n');
}

/** Removes case, accents and the difference between straight and typographic quotes. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"');
}
