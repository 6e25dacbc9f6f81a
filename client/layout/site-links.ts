import type { NamedLink } from '#shared/site.ts';
import * as en from '#shared/texts/en.ts';
import { useSettings, useTexts } from './site-context.tsx';

/** The page with the newsletter form. */
export const SUBSCRIBE_PATH = '/subscribe';

/** Where links to pages stand: the header, two columns of the footer, the sitemap for readers. */
type Place = 'header' | 'about' | 'policies' | 'sitemap';

/** Links to the site's pages besides its sections, in order, with the names that the specification gives them. */
const SITE_LINKS: readonly (NamedLink & { places: readonly Place[] })[] = [
  { href: '/', name: en.homePage, places: ['sitemap'] },
  { href: '/events', name: en.events, places: ['header'] },
  { href: '/about', name: en.aboutUs, places: ['about'] },
  { href: '/about', name: en.about, places: ['sitemap'] },
  { href: '/contact-us', name: en.contactUs, places: ['header', 'about', 'sitemap'] },
  { href: SUBSCRIBE_PATH, name: en.subscribe, places: ['about'] },
  { href: '/sitemap', name: en.sitemap, places: ['about'] },
  { href: '/privacy-policy', name: en.privacyPolicy, places: ['policies', 'sitemap'] },
  { href: '/opt-out-form', name: en.doNotSell, places: ['policies', 'sitemap'] },
];

/** Returns the links of a place, then those to the publisher's own pages that belong there. */
export function useSiteLinks(place: Place): NamedLink[] {
  const t = useTexts();
  const own = useSettings()
    .pages.filter(({ footer, inSitemap }) => (place === 'sitemap' ? inSitemap : footer === place))
    .map(({ name, title }) => ({ href: `/${encodeURIComponent(name)}`, name: title }));
  const replaced = new Set(own.map(({ href }) => href));
  const links = SITE_LINKS.filter(({ places, href }) => places.includes(place) && !replaced.has(href));
  return [...links.map(({ href, name }) => ({ href, name: t(name) })), ...own];
}
