/** `PUBLIC_ORIGIN` of a site under test. */
const ORIGIN = 'https://www.example.com';

const NAMES = [
  'title',
  'description',
  'robots',
  'canonical',
  'og:url',
  'og:title',
  'og:description',
] as const;
type Name = (typeof NAMES)[number];

function allOf(html: string, name: Name): string[] {
  const head = /<head>.*?<\/head>/s.exec(html)?.[0] ?? '';
  const pattern =
    name === 'title'
      ? /<title>([^<]*)<\/title>/g
      : name === 'canonical'
        ? /<link rel="canonical" href="([^"]*)"/g
        : new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`, 'g');
  return [...head.matchAll(pattern)].map(([, text = '']) => text.replaceAll('&amp;', '&'));
}

/** Returns a document's metadata; null for what it leaves out. */
export function headOf(html: string): Record<Name, string | null> {
  const found = NAMES.map((name) => [name, allOf(html, name)[0] ?? null] as const);
  return Object.fromEntries(found) as Record<Name, string | null>;
}

/** Returns the errors in the metadata of the document of `path`. */
export function describeHead(path: string, html: string): string[] {
  const twice = NAMES.filter((name) => allOf(html, name).length > 1);
  const head = headOf(html);
  const isIndexed = head.robots?.startsWith('index') === true;
  const address = isIndexed ? ORIGIN + path : null;
  const image = /<meta property="og:image" content="([^"]*)"/.exec(html)?.[1];
  return [
    ...twice.map((name) => `${name} twice`),
    ...(head.title && head['og:title'] && (head.title.includes(head['og:title']) || path === '/')
      ? []
      : [`titles: ${head.title}, ${head['og:title']}`]),
    ...(head.description && head.description === head['og:description'] ? [] : ['descriptions']),
    ...(head.canonical === address ? [] : [`canonical: ${head.canonical}`]),
    ...(head['og:url'] === address ? [] : [`og:url: ${head['og:url']}`]),
    ...(image === undefined || /^https?:\/\//.test(image) ? [] : [`og:image: ${image}`]),
    ...((head.description?.length ?? 0) > 320 ? ['a description that nobody shows whole'] : []),
  ];
}

/** Returns the items of a document's JSON-LD. */
export function graphOf(html: string): Record<string, unknown>[] {
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1];
  return json === undefined ? [] : JSON.parse(json)['@graph'];
}
