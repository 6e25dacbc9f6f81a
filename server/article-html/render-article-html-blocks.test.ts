import { describe, expect, it } from 'vitest';
import { loadContent } from '../../demo/load-content.ts';
import { CLASSES } from './blocks.ts';
import { renderArticleHtml } from './render-article-html.ts';

const { posts, categories } = loadContent();
const OPTIONS = {
  imageHost: 'https://images.example.com',
  imagesServedBelow: null,
  publicOrigin: 'https://site.example.com',
};
/** Blocks that have no class of their own. */
const ELEMENTS = ['audio', 'blockquote', 'details', 'figcaption', 'pre', 'video'];
const LEAST_KINDS = 8;

/** Returns the kinds of block that a body shows. */
function kindsIn(body: string): string[] {
  const { html } = renderArticleHtml(body, OPTIONS);
  const classes = new Set(
    [...html.matchAll(/ class="([^"]+)"/g)].flatMap(([, names = '']) => names.split(' ')),
  );
  return [
    ...CLASSES.filter((name) => classes.has(name)),
    ...ELEMENTS.filter((name) => new RegExp(`<${name}[ >]`).test(html)),
  ];
}

describe('the articles of the demo', () => {
  it.each(categories.map(({ slug }) => slug))('show many kinds of block in one of %s', (section) => {
    const kinds = posts
      .filter(({ category }) => category === section)
      .map(({ bodyHtml }) => kindsIn(bodyHtml));
    expect(Math.max(...kinds.map(({ length }) => length))).toBeGreaterThanOrEqual(LEAST_KINDS);
  });
});
