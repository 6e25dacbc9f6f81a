/** A mistake in a text, and its line (from 1). */
export interface Problem {
  line: number;
  expected: string;
}

const ELEMENTS = new Set(
  (
    'p h1 h2 h3 h4 ul ol li blockquote cite strong em sup abbr a figure img figcaption div ' +
    'dl dt dd details summary audio video source iframe table thead tbody tr th td code pre hr br'
  ).split(' '),
);
const VOID_ELEMENTS = new Set(['img', 'hr', 'br', 'source']);
const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s[^<>]*)?)>|</g;
const FORBIDDEN_ATTRIBUTE = /\s(style|on[a-z]+)\s*=/i;

/** Returns the mistakes in a post's HTML: elements that are not editorial, tags that do not match, presentational attributes. */
export function checkPostHtml(html: string): Problem[] {
  const problems: Problem[] = [];
  const open: { name: string; line: number }[] = [];
  for (const tag of html.matchAll(TAG)) {
    const line = lineAt(html, tag.index);
    const [, slash, name, attributes = ''] = tag;
    if (name === undefined)
      problems.push({ line, expected: 'a whole tag, or &lt; for the character itself' });
    else if (!ELEMENTS.has(name)) problems.push({ line, expected: `an editorial element, not <${name}>` });
    else if (slash) closeElement(name, line);
    else {
      const forbidden = FORBIDDEN_ATTRIBUTE.exec(attributes)?.[1];
      if (forbidden) problems.push({ line, expected: `no ${forbidden} attribute on <${name}>` });
      if (!VOID_ELEMENTS.has(name)) open.push({ name, line });
    }
  }
  for (const { name, line } of open) problems.push({ line, expected: `</${name}> to close this <${name}>` });
  return problems;

  function closeElement(name: string, line: number): void {
    const last = open.at(-1);
    if (last?.name === name) open.pop();
    else if (last) problems.push({ line, expected: `</${last.name}> before </${name}>` });
    else problems.push({ line, expected: `<${name}> before this </${name}>` });
  }
}

/** Returns the figures in a post's body, and mistakes in their names. Pictures of posts may stand in it too. */
export function checkFigures(html: string, slug: string): { figures: number; problems: Problem[] } {
  const problems: Problem[] = [];
  let figures = 0;
  for (const image of html.matchAll(/<img\s[^<>]*?src="([^"]*)"/g)) {
    if (/^\/posts\/[a-z\d-]+\.jpg$/.test(image[1] ?? '')) continue;
    figures += 1;
    const expected = `/figures/${slug}-${figures}.jpg`;
    if (image[1] !== expected)
      problems.push({ line: lineAt(html, image.index), expected: `src="${expected}", not "${image[1]}"` });
  }
  return { figures, problems };
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
