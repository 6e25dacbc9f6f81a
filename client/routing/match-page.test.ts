import fc from 'fast-check';
import { matchRoutes } from 'react-router';
import { expect, it } from 'vitest';
import { createRoutes, pages } from '#client/routes.tsx';
import { isSectionSlug } from '#shared/non-page-path.ts';
import { canonicalUrl } from './canonical-url.ts';
import { matchPage } from './match-page.ts';

/** Static segments of the table, in any case, and others. */
const words = pages.flatMap(({ path }) => path.split('/')).filter((word) => /^[a-z]/.test(word));
const SEGMENT = fc.oneof(
  fc.constantFrom(...words),
  fc.constantFrom(...words).map((word) => word.toUpperCase()),
  fc.string({ minLength: 1, maxLength: 6 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('%2F', '.', '%252E', 'caf%C3%A9', ':slug', '*'),
);

it('finds the page that the router finds', () => {
  fc.assert(
    fc.property(fc.array(SEGMENT, { maxLength: 4 }), (segments) => {
      const { page, url } = canonicalUrl(`/${segments.join('/')}`);
      const [path = ''] = url.split('?', 1);
      expect(page).toBe(matchRoutes(createRoutes([]), path)?.at(-1)?.route.id);
      expect(matchPage(path)?.page.name ?? 'not-found').toBe(page);
    }),
    { numRuns: 2_000 },
  );
});

it('no section may have a slug that begins the addresses of another page', () => {
  const others = pages.flatMap(({ path }) => /^\/([a-z-]+)\/[^/]+$/.exec(path)?.[1] ?? []);
  expect(others).toContain('topic');
  expect(others.filter(isSectionSlug)).toEqual([]);
  expect(['news', 'quickbytes', 'guest-author', 'about', 'media', 'search'].every(isSectionSlug)).toBe(true);
});
