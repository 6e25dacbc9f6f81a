import * as en from '#shared/texts/en.ts';
import { useSettings, useTexts } from './site-context.tsx';

/** The page with the newsletter form. */
export const SUBSCRIBE_PATH = '/subscribe';

interface SiteLink {
  path: string;
  name: string;
}

/** Where links to pages stand: the header, two columns of the footer, the sitemap for readers. */
type Place = 'header' | 'about' | 'policies' | 'sitemap';

/** Links to the site's pages besides its sections, in order, with the names that the specification gives them. */
const SITE_LINKS: readonly (SiteLink & { places: readonly Place[] })[] = [
  { path: '/', name: en.homePage, places: ['sitemap'] },
  { path: '/events', name: en.events, places: ['header'] },
  { path: '/about', name: en.aboutUs, places: ['about'] },
  { path: '/about', name: en.about, places: ['sitemap'] },
  { path: '/contact-us', name: en.contactUs, places: ['header', 'about', 'sitemap'] },
  { path: SUBSCRIBE_PATH, name: en.subscribe, places: ['about'] },
  { path: '/sitemap', name: en.sitemap, places: ['about'] },
  { path: '/privacy-policy', name: en.privacyPolicy, places: ['policies', 'sitemap'] },
  { path: '/opt-out-form', name: en.doNotSell, places: ['policies', 'sitemap'] },
];

/** Returns the links of a place, then those to the publisher's own pages that belong there. */
export function useSiteLinks(place: Place): SiteLink[] {
  const t = useTexts();
  const own = useSettings()
    .pages.filter(({ footer, inSitemap }) => (place === 'sitemap' ? inSitemap : footer === place))
    .map(({ name, title }) => ({ path: `/${encodeURIComponent(name)}`, name: title }));
  const replaced = new Set(own.map(({ path }) => path));
  const links = SITE_LINKS.filter(({ places, path }) => places.includes(place) && !replaced.has(path));
  return [...links.map(({ path, name }) => ({ path, name: t(name) })), ...own];
}
