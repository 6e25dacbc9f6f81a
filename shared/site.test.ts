import { expect, it } from 'vitest';
import { defaultSite, sectionName } from './site.ts';

it.each([
  ['quickbytes', 'Quick Bytes'],
  ['brand-safety', 'brand safety'],
  // What every object inherits is no section.
  ['constructor', 'constructor'],
  ['__proto__', '__proto__'],
])('the category %s is called %s', (category, name) => {
  expect(sectionName(defaultSite, { category })).toBe(name);
});

it('a category that is no section is called as the upstream does', () => {
  const categoryName = 'Brand Safety & Trust';
  expect(sectionName(defaultSite, { category: 'brand-safety', categoryName })).toBe(categoryName);
  expect(sectionName(defaultSite, { category: 'quickbytes', categoryName })).toBe('Quick Bytes');
});
