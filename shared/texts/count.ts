import type { SiteSettings } from '#shared/site.ts';

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
