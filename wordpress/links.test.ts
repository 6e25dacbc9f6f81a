import { expect, it } from 'vitest';
import { linkTarget } from './links.ts';

const SITE = { homes: ['https://example.org', 'https://cms.example.org'] };

it.each([
  ['https://example.org/2026/01/a-post/', { by: 'slug', value: 'a-post' }],
  ['http://cms.example.org/a-post', { by: 'slug', value: 'a-post' }],
  ['https://example.org/%ce%b1', { by: 'slug', value: 'α' }],
  ['https://example.org/?page_id=12', { by: 'slug', value: '' }],
  ['https://example.org/?p=12', { by: 'include', value: '12' }],
  ['https://example.org/?p=twelve', { by: 'slug', value: '' }],
  ['https://example.org/archives/12', { by: 'include', value: '12' }],
  ['https://example.org/index.php/archives/12', { by: 'include', value: '12' }],
  ['https://example.org/archives/12/?replytocom=3', { by: 'include', value: '12' }],
  ['https://example.org/2026/', { by: 'slug', value: '2026' }],
  ['https://example.org/author/ada/', { by: 'slug', value: '' }],
  ['https://example.org/wp-content/uploads/a.pdf', { by: 'slug', value: '' }],
  ['https://example.organic/a-post', null],
  ['http://www.example.org/a-post', { by: 'slug', value: 'a-post' }],
  ['https://www.example.com/a-post', null],
])('finds in %s %o', (href, expected) => {
  expect(linkTarget(href, SITE)).toEqual(expected);
});
