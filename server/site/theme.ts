import type { Section } from '#shared/site.ts';

/** Custom properties by name, without the dashes. */
export type Tokens = ReadonlyMap<string, string>;

/** Colours of text, each with its background. */
const COLOURS_OF_TEXT: readonly (readonly [token: string, on: string])[] = [
  ['ink', 'paper'],
  ['ink', 'paper-raised'],
  ['ink-soft', 'paper'],
  ['ink-faint', 'paper'],
  ['accent', 'paper'],
  ['accent-ink', 'accent'],
  ['error', 'paper'],
  ['success', 'paper'],
  ['band-ink', 'band'],
  ['band-soft', 'band'],
  ['band-accent', 'band'],
  ['band-accent-ink', 'band-accent'],
];
/** Of a text and its background (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = 4.5;

const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

/** Returns the custom properties of the first rule for `:root` in a style sheet, comments left out. */
export function readTokens(css: string): Tokens {
  const [, rule = ''] = /:root\s*\{([^{}]*)/.exec(css.replace(/\/\*[\s\S]*?\*\//g, '')) ?? [];
  const found = rule.matchAll(/--([\w-]+)\s*:\s*([^;]+)/g);
  return new Map(Array.from(found, ([, name = '', value = '']) => [name, value.trim()]));
}

/** More than any theme has: what goes on is a circle, which browsers take for no value. */
const MAX_REFERENCES = 20;

/** Returns a token's value in a scheme, `light-dark()` and references to other tokens resolved. */
function resolveToken(tokens: Tokens, name: string, scheme: Scheme, left = MAX_REFERENCES): string {
  const value = tokens.get(name) ?? '';
  const [, light, dark] =
    /^light-dark\(((?:[^(),]|\([^()]*\))+),((?:[^(),]|\([^()]*\))+)\)$/.exec(value) ?? [];
  const chosen = ((scheme === 'light' ? light : dark) ?? value).trim();
  const [, reference] = /^var\(--([\w-]+)\)$/.exec(chosen) ?? [];
  return reference === undefined || left === 0 ? chosen : resolveToken(tokens, reference, scheme, left - 1);
}

/** Returns the relative luminance of a colour (WCAG 2.2). Null for other forms than `#rgb`, `#rrggbb` and `rgb()`. */
function luminanceOf(text: string): number | null {
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text)?.[1];
  const digits = hex?.length === 3 ? hex.replace(/./g, '$&$&') : hex;
  const channels =
    digits?.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ??
    /^rgb\((\d+)[\s,]+(\d+)[\s,]+(\d+)\)$/.exec(text)?.slice(1).map(Number);
  if (!channels) return null;
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns a line for each pair of colours whose contrast is too small. Colours that cannot be read are not checked. */
export function lowContrasts(tokens: Tokens, sections: readonly Section[]): string[] {
  const tints = sections.flatMap(({ slug, color }) =>
    color === undefined ? [] : [[`color of ${slug}`, color] as const],
  );
  const all: Tokens = new Map([...tokens, ...tints]);
  const pairs = [
    ...COLOURS_OF_TEXT.map(([name, on]) => [`theme.css: --${name}`, name, on] as const),
    ...tints.map(([name]) => [`site.json: ${name}`, name, 'paper'] as const),
  ];
  return pairs.flatMap(([given, name, on]) =>
    SCHEMES.flatMap((scheme) => {
      const [text, ground] = [name, on].map((token) => luminanceOf(resolveToken(all, token, scheme)));
      if (text == null || ground == null) return [];
      const contrast = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
      if (contrast >= LEAST_CONTRAST) return [];
      const found = `${given} on --${on} has a contrast of ${contrast.toFixed(2)} in the ${scheme} scheme`;
      return [`${found}, ${LEAST_CONTRAST} expected`];
    }),
  );
}

/** Returns the colours of the page's background, for the browser's own parts. */
export function paperColours(tokens: Tokens): Record<Scheme, string> {
  return { light: resolveToken(tokens, 'paper', 'light'), dark: resolveToken(tokens, 'paper', 'dark') };
}

/** Returns the tags by which the browser's own parts take the page's background colour. */
export function themeColorTags({ light, dark }: Record<Scheme, string>): string {
  return (
    `<meta name="theme-color" content="${light}" media="(prefers-color-scheme: light)">` +
    `<meta name="theme-color" content="${dark}" media="(prefers-color-scheme: dark)">`
  );
}

/** Returns the rules of the sections' own colours, which follow the theme. */
export function sectionRules(sections: readonly Section[]): string {
  return sections
    .flatMap(({ slug, color }) => (color === undefined ? [] : [`[data-section="${slug}"]{--tint:${color}}`]))
    .join('\n');
}

/** Font families of the build by the token that names them. */
const FONTS = { serif: 'newsreader', sans: 'inter' };

/** Returns the build's tags for the head without the fonts that a theme replaces, and with its colours. */
export function themedHead(headTags: string, theme: Tokens, paper: Record<Scheme, string>): string {
  const replaced = Object.entries(FONTS).filter(
    ([token, font]) => theme.get(token)?.toLowerCase().includes(font) === false,
  );
  return replaced
    .reduce(
      (tags, [, font]) => tags.replace(new RegExp(`<link rel="preload" as="font"[^>]*${font}[^>]*>`), ''),
      headTags,
    )
    .replace(/(<meta name="theme-color"[^>]*>)+/, themeColorTags(paper));
}
