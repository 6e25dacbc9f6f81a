/** Readers of a page's HTML for tests. */

/** Returns the content of `main`. */
export function mainOf(html: string): string {
  return /<main\b.*<\/main>/s.exec(html)?.[0] ?? '';
}

/** Returns the text of the only `h1`. */
export function headingOf(html: string): string {
  const headings = [...html.matchAll(/<h1\b[^>]*>(.*?)<\/h1>/gs)].map(([, text]) => text);
  return headings.length === 1 ? textOf(headings[0] ?? '') : `${headings.length} headings`;
}

/** Returns an element's markup, from its opening tag with that class to the first closing tag of its name. */
export function partOf(html: string, tag: string, className: string): string {
  return new RegExp(`<${tag}\\b[^>]*class="${className}[^>]*>.*?</${tag}>`, 's').exec(html)?.[0] ?? '';
}

/** Returns links as `[href, text]`. */
export function linksOf(html: string): [string, string][] {
  return [...html.matchAll(/<a\b[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, href, text]) => [
    decoded(href ?? ''),
    textOf(text ?? ''),
  ]);
}

/** Returns those of the links that lead where one of `specified` leads: a site may have more pages than are specified. */
export function linksAmong(
  specified: readonly [string, string][],
  links: [string, string][],
): [string, string][] {
  return links.filter(([href]) => specified.some(([path]) => path === href));
}

/** Removes tags. */
export function textOf(html: string): string {
  return decoded(html.replaceAll(/<[^>]*>/g, ''));
}

function decoded(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
}
