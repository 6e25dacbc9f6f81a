import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  articlePath,
  canonicalPage,
  capitalise,
  eventsPath,
  imageSources,
  imageUrl,
  pageNumber,
  pathSegment,
  phoneUrl,
  searchPath,
  topicPath,
} from './urls.ts';

describe('paths', () => {
  it('escape every segment once', () => {
    expect(articlePath({ category: 'a b', slug: 'c/d?e#f%' })).toBe('/a%20b/c%2Fd%3Fe%23f%25');
    expect(topicPath('news', 'customer data', 3)).toBe('/topic/news/customer%20data?page=3');
    expect(topicPath('news')).toBe('/topic/news');
    expect(eventsPath('all')).toBe('/events');
    expect(eventsPath('past', 2)).toBe('/events?tab=past&page=2');
    expect(eventsPath('all', 2)).toBe('/events?page=2');
  });

  it('round-trip any search term, dots and lone surrogates too', () => {
    const term = fc.oneof(
      fc.string({ minLength: 1, unit: 'binary' }),
      fc.constantFrom(
        '.',
        '..',
        '%2E',
        '%2e%2E',
        '%252E',
        '.%2E',
        '...',
        '50%',
        'a/b',
        '“x”',
        '🙂',
        '%2F',
        '?',
        '#',
      ),
    );
    fc.assert(
      fc.property(term, (given) => {
        const { pathname } = new URL(searchPath('all', given), 'https://www.example.com');
        expect(pathSegment(pathname, 2)).toBe(given.toWellFormed());
      }),
      { examples: [['.'], ['..'], ['\ud800']] },
    );
  });

  it('differ for different terms', () => {
    const terms = ['.', '..', '%2E', '%2e', '%252E', '%2E%2E', '.%2E', '%2F', '/', '...'];
    expect(new Set(terms.map((term) => searchPath('all', term))).size).toBe(terms.length);
  });
});

describe('pageNumber', () => {
  it.each([
    ['1', 1],
    ['7', 7],
    ['007', 7],
    ['0', 1],
    ['-1', 1],
    ['1.5', 1],
    ['x', 1],
    ['', 1],
    [null, 1],
    ['9999999', 9_999_999],
    ['10000000', 9_999_999],
    ['9'.repeat(400), 9_999_999],
    ['000000000002', 2],
  ])('reads %j as %i', (given, expected) => {
    expect(pageNumber(given)).toBe(expected);
  });

  it('is left out of the canonical URL on page 1', () => {
    expect(canonicalPage('1')).toBeNull();
    expect(canonicalPage('2')).toBe('2');
  });
});

describe('capitalise', () => {
  it('capitalises the first letter only', () => {
    expect(capitalise('guest-author')).toBe('Guest-author');
    expect(capitalise('')).toBe('');
  });
});

describe('imageUrl', () => {
  it('asks for a width', () => {
    expect(imageUrl('/media/a.jpg', 300)).toBe('/media/a.jpg?width=300');
    expect(imageUrl('/media/a.jpg?v=2', 300)).toBe('/media/a.jpg?v=2&width=300');
  });
});

describe('imageSources', () => {
  it('asks an image host for the widths that a place says', () => {
    expect(imageSources('https://img.example.com/a.jpg', 300, '96px', [150, 300])).toEqual({
      src: 'https://img.example.com/a.jpg?width=300',
      srcSet: 'https://img.example.com/a.jpg?width=150 150w, https://img.example.com/a.jpg?width=300 300w',
      sizes: '96px',
    });
    expect(imageSources('https://img.example.com/a.jpg', 300, '96px')).toEqual({
      src: 'https://img.example.com/a.jpg?width=300',
    });
  });

  it('asks this origin for the widths that it serves', () => {
    const { src, srcSet, sizes } = imageSources('/media/a.jpg', 1000, '(min-width: 768px) 290px, 100vw');
    expect({ src, sizes }).toEqual({
      src: '/media/a.jpg?width=1000',
      sizes: '(min-width: 768px) 290px, 100vw',
    });
    expect(srcSet).toMatch(/^\/media\/a\.jpg\?width=160 160w, .*, \/media\/a\.jpg\?width=1600 1600w$/);
  });

  it('leaves out the widths that a small place needs on no screen', () => {
    const widthsOf = (sizes: string) =>
      [...(imageSources('/media/a.jpg', 300, sizes).srcSet ?? '').matchAll(/ (\d+)w/g)].map(
        ([, width]) => width,
      );
    expect(widthsOf('96px')).toEqual(['160', '320']);
    expect(widthsOf('140px')).toEqual(['160', '320', '480']);
  });

  it('asks this origin for no more than 2.2 times the width of `src`', () => {
    const { srcSet } = imageSources('/media/a.jpg', 500, '100vw');
    expect(srcSet).toMatch(/ 640w, \/media\/a\.jpg\?width=960 960w$/);
  });
});

it('dials a phone number by its plus sign and digits', () => {
  expect(phoneUrl('+1 (202) 555-0142')).toBe('tel:+12025550142');
});
