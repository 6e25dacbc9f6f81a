import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules of `WCAG` whose result can change with the colour scheme. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * Runs axe on the page and returns a line for each violated rule, with its elements. `rules`: those to run; default: all
 * of WCAG A and AA, and the best practices. Frames, none of which are ours, are left out. Without `@axe-core/playwright`,
 * which loads axe twice for each run and fetches what has passed too: that takes longer than a run.
 */
export async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await readFile(AXE, 'utf8'));
  const options: RunOptions = {
    resultTypes: ['violations'],
    selectors: false,
    iframes: false,
    runOnly: rules ? { type: 'rule', values: rules } : { type: 'tag', values: WCAG },
  };
  return page.evaluate(async (given) => {
    const { violations }: AxeResults = await Reflect.get(window, 'axe').run(document, given);
    return violations.map(
      ({ id, nodes }) => `${id} ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
    );
  }, options);
}
