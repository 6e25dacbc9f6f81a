import type { SiteSettings } from '#shared/site.ts';

/**
 * Returns a text of the interface in the site's language, its placeholders filled. What has no translation stays as it is.
 */
export type Translate = (text: string, values?: Readonly<Record<string, string | number>>) => string;

/** Returns the function that translates for a site. */
export function translator({ texts }: Pick<SiteSettings, 'texts'>): Translate {
  return (text, values) => {
    const translated = texts?.[text] ?? text;
    return values ? translated.replace(/\{(\w+)\}/g, (_, name: string) => `${values[name]}`) : translated;
  };
}
