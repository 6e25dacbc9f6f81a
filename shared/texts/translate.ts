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

/** Returns the form of a text for a number, in the site's language, with the number for `{count}`. */
export function countText(
  text: string,
  count: number,
  { language, texts }: Pick<SiteSettings, 'language' | 'texts'>,
): string {
  const category = new Intl.PluralRules(texts ? language : 'en').select(count);
  const form = new RegExp(`${category}:([^|]*)`).exec(texts?.[text] ?? text)?.[1] ?? '{count}';
  return form.replace('{count}', texts ? count.toLocaleString(language) : String(count));
}
