import type { BreadcrumbList, Organization, WebSite } from 'schema-dts';
import type { SiteSettings } from '#shared/site.ts';
import { imageUrl } from '#shared/urls.ts';

/** Returns the `@id` that other things refer to the publisher by. */
export function organizationId(origin: string): string {
  return `${origin}/#organization`;
}

/** Returns the structured data of the publisher. */
export function organization(origin: string, site: SiteSettings): Organization {
  return {
    '@type': 'Organization',
    '@id': organizationId(origin),
    name: site.name,
    legalName: site.publisher,
    url: `${origin}/`,
    description: site.description,
    foundingDate: String(site.foundedYear),
    logo: { '@type': 'ImageObject', url: `${origin}/icon-512.png`, width: '512', height: '512' },
    sameAs: site.social.map(({ href }) => href),
    contactPoint: {
      '@type': 'ContactPoint',
      contactType: 'customer service',
      email: site.emails.sales,
      ...(site.phones.helpline && { telephone: site.phones.helpline }),
    },
  };
}

/** Returns the structured data of the site and its search. */
export function website(origin: string, site: SiteSettings): WebSite {
  return {
    '@type': 'WebSite',
    '@id': `${origin}/#website`,
    name: site.name,
    url: `${origin}/`,
    inLanguage: site.language,
    publisher: { '@id': organizationId(origin) },
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${origin}/search/all/{search_term_string}` },
      // Spread, because schema-dts does not have this property, which search engines read.
      ...{ 'query-input': 'required name=search_term_string' },
    },
  };
}

/** Returns the absolute URL of an image at a width in pixels. */
export function absoluteImage(image: string, width: number, origin: string): string {
  return new URL(imageUrl(image, width), origin).href;
}

/** Returns the breadcrumbs of a page: the home page, then `steps`, the page itself last. */
export function breadcrumbs(
  origin: string,
  site: SiteSettings,
  steps: readonly { name: string; path: string }[],
): BreadcrumbList {
  const all = [{ name: site.name, path: '/' }, ...steps];
  return {
    '@type': 'BreadcrumbList',
    itemListElement: all.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: new URL(path, origin).href,
    })),
  };
}
