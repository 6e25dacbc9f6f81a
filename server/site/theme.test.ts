import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultSite } from '#shared/site.ts';
import { lowContrasts, paperColours, readTokens, sectionRules } from './theme.ts';

const tokens = readTokens(readFileSync(join(import.meta.dirname, '../../client/styles/tokens.css'), 'utf8'));

const themed = (css: string) => new Map([...tokens, ...readTokens(css)]);

describe('the default theme', () => {
  it('has enough contrast in both schemes', () => {
    expect(lowContrasts(tokens, defaultSite.sections)).toEqual([]);
  });

  it('has a colour of the background for each scheme', () => {
    expect(paperColours(tokens)).toEqual({ light: '#faf6ee', dark: '#16140f' });
  });
});

describe('a theme', () => {
  it.each([
    [':root { --accent: #ffd000; }', ['--accent on --paper', 'light']],
    [':root { --ink: light-dark(#111, rgb(40, 40, 40)); }', ['--ink on --paper', 'dark']],
    [':root { --paper: light-dark(#777777, #777777) }', ['--ink on --paper', 'dark']],
    [':root { /* --x: 1; */ --grey: #999; --ink-soft: var(--grey); }', ['--ink-soft on --paper', 'light']],
  ])('%s is named for its contrast', (css, parts) => {
    const lines = lowContrasts(themed(css), []);
    expect(lines.find((line) => parts.every((part) => line.includes(part)))).toMatch(
      /^theme\.css: .* has a contrast of \d+\.\d\d in the \w+ scheme, 4.5 expected/,
    );
  });

  it.each([':root { --ink: oklch(90% 0.1 20); }', ':root { --accent: var(--a); --a: var(--accent); }'])(
    'with colours that cannot be read is taken as it is: %s',
    (css) => {
      expect(lowContrasts(themed(css), [])).toEqual([]);
    },
  );

  it('with tokens that refer to each other in a circle is taken as it is', () => {
    const circle = themed(':root { --ink: var(--paper); --paper: var(--accent); --accent: var(--ink) }');
    expect(lowContrasts(circle, []).filter((line) => /--(ink|paper|accent) /.test(line))).toEqual([]);
  });

  it('has a tint for each section with a colour, whose contrast is checked too', () => {
    const sections = [
      { slug: 'one', label: 'One', color: '#ffee00' },
      { slug: 'two', label: 'Two' },
    ];
    expect(sectionRules(sections)).toBe('[data-section="one"]{--tint:#ffee00}');
    expect(lowContrasts(tokens, sections)[0]).toMatch(/^site\.json: color of one on --paper has/);
  });
});
