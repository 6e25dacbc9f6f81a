import { describe, expect, it } from 'vitest';
import type { Term } from './post-fields.ts';
import { createSections } from './sections.ts';

const category = (id: number, slug: string, parent = 0): Term => ({
  id,
  slug,
  name: slug,
  parent,
  count: 1,
  link: '',
});
const CATEGORIES = [
  category(1, 'uncategorized'),
  category(2, 'news'),
  category(3, 'podcast'),
  category(4, 'interviews'),
  category(5, 'founders', 4),
  category(6, 'privacy'),
];

describe('createSections', () => {
  const sections = createSections(CATEGORIES, '');

  it('gives a post the first of its sections, in the order of the specification', () => {
    expect(sections.sectionOf([4, 3])).toBe('podcasts');
    expect(sections.sectionOf([3, 2])).toBe('news');
    expect(sections.sectionOf([5])).toBe('interview');
    expect(sections.sectionOf([6])).toBe('news');
    expect(sections.sectionOf([])).toBe('news');
  });

  it('asks for a section alone in one request', () => {
    expect(sections.queryOf(['podcasts'])).toEqual({ categories: '3', categories_exclude: '2' });
    expect(sections.queryOf(['news'])).toEqual({
      categories: '2',
      categories_exclude: '3,4,5',
      tax_relation: 'OR',
    });
    expect(sections.queryOf(['featured'])).toBeNull();
    expect(createSections([category(1, 'uncategorized')], '').queryOf(['news'])).toEqual({});
  });

  it('names as sub-categories what has no section of its own', () => {
    expect(sections.subcategories.map(({ slug }) => slug)).toEqual(['founders', 'privacy']);
    expect(sections.pathOf(category(4, 'interviews'))).toBe('/topic/interview');
    expect(sections.pathOf(category(5, 'founders', 4))).toBe('/tag/founders');
    expect(sections.pathOf(category(1, 'uncategorized'))).toBe('/topic/news');
    expect(sections.pathOf(category(90, 'news'))).toBe('/tag/news');
  });

  it('takes categories of WORDPRESS_SECTIONS in place of the usual ones, and other sections after those', () => {
    const mapped = createSections(CATEGORIES, 'interview=founders; reviews = privacy');
    expect(mapped.sectionOf([4])).toBe('news');
    expect(mapped.sectionOf([5])).toBe('interview');
    expect(mapped.sectionOf([6, 3])).toBe('podcasts');
    expect(mapped.sectionOf([6])).toBe('reviews');
    expect(mapped.queryOf(['reviews'])).toEqual({ categories: '6', categories_exclude: '2,3,5' });
    expect(mapped.unknown).toEqual([]);
  });

  it('says which of them the WordPress does not have', () => {
    expect(createSections(CATEGORIES, 'interview=founders,q-and-a;reviews=review').unknown).toEqual([
      'q-and-a',
      'review',
    ]);
  });
});
