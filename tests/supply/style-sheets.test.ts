import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const files = (pattern: string): string[] =>
  globSync(pattern, { cwd: root }).filter((file) => !file.startsWith('client/dashboard/'));
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Each style sheet without comments and strings. */
const sheets = files('client/**/*.css').map((file) => ({
  file,
  css: textOf(file)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/"[^"]*"/g, '""'),
}));
const sources = files('{client,server,shared}/**/*.{ts,tsx}').filter((file) => !file.includes('.test.'));

/** Widths of the window at which the layout changes. In em: they come sooner where the reader's letters are larger. */
const BREAKPOINTS = {
  /** Letters of twice the usual size on a phone. */
  tiny: '18em',
  small: '40em',
  /** From which an article's measure does not fill the window. */
  measure: '43em',
  medium: '48em',
  large: '64em',
  /** 1199 px, at which the specification shows a fourth slide. */
  wide: '74.9375em',
};

/** The layer of a folder's style sheets. Those of `styles` name their own. */
const LAYER_OF_FOLDER: Readonly<Record<string, string>> = {
  layout: 'layout',
  components: 'components',
  pages: 'pages',
};

describe('style sheets', () => {
  it('hold all rules in the layer of their folder', () => {
    const outside = sheets.filter(({ file, css }) => {
      if (/\/(site|fonts)\.css$/.test(file)) return false;
      const layer = LAYER_OF_FOLDER[file.split('/')[1] ?? ''] ?? '[a-z]+';
      return !new RegExp(`^\\s*@layer ${layer} \\{[\\s\\S]*\\n\\}\\s*$`).test(css) || /\n\}\s*\S/.test(css);
    });
    expect(outside.map(({ file }) => file)).toEqual([]);
  });

  it('ask for five widths of the window', () => {
    const widths = sheets.flatMap(({ css }) =>
      [...css.matchAll(/@media[^{]*/g)].flatMap(([query]) =>
        [...query.matchAll(/\bwidth\b\D*([\d.]+\w+)|([\d.]+\w+) <=? width/g)].flatMap(
          ([, after, before]) => after ?? before,
        ),
      ),
    );
    expect(new Set(widths)).toEqual(new Set(Object.values(BREAKPOINTS)));
  });

  it('name sides and sizes by the direction of writing', () => {
    const physical =
      /^\s*(?:(?:min-|max-)?(?:width|height)|top|right|bottom|left|(?:scroll-)?(?:margin|padding|border)-(?:top|right|bottom|left)[\w-]*):/gm;
    const found = sheets
      .filter(({ file }) => !file.endsWith('/fonts.css'))
      .flatMap(({ file, css }) => [...css.matchAll(physical)].map(([line]) => `${file}: ${line.trim()}`));
    expect(found).toEqual([]);
  });

  it('hold no colour but the tokens, which a publisher replaces', () => {
    const found = sheets
      .filter(({ file }) => file !== 'client/styles/tokens.css')
      .flatMap(({ file, css }) =>
        [...css.matchAll(/:[^;{]*(?:#[\da-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\()/gi)].map(
          ([line]) => `${file}${line}`,
        ),
      );
    expect(found).toEqual([]);
  });

  it('name no pseudo-element in a list that drops what it cannot match', () => {
    const found = sheets.flatMap(({ file, css }) =>
      [...css.matchAll(/:(?:is|where)\([^{}]*?::[\w-]+(?=[^()]*\))/g)].map(
        ([selector]) => `${file}: ${selector}`,
      ),
    );
    expect(found).toEqual([]);
  });

  it('name no class that nothing renders', () => {
    const words = new Set(sources.flatMap((file) => textOf(file).match(/[\w-]+/g) ?? []));
    /** Classes whose names are made of a prefix and a value. */
    const made = /^(is-step-\d|post-card-(lead|row)|b-embed-(chart|code|episode|map|post))$/;
    const unused = sheets.flatMap(({ file, css }) =>
      [...css.matchAll(/\.([a-z][\w-]*)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !words.has(name) && !made.test(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(unused).toEqual([]);
  });
});
