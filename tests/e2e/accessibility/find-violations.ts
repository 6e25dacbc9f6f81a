import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules of `WCAG` whose result can change with the colour scheme. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Script in the place of axe's own where the document has it: loading it takes as long as a run. */
const NOTHING = 'undefined';

/**
 * Runs axe on the page and returns a line for each violated rule, with its elements. `rules`: those to run; default: all
 * of WCAG A and AA, and the best practices. Legacy mode does not open a blank page for each run, which took longer than
 * the run; it skips frames of other origins, which are not ours.
 */
export async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  const isLoaded = await page.evaluate(() => 'axe' in window);
  const axe = new AxeBuilder({ page, ...(isLoaded && { axeSource: NOTHING }) }).options({
    resultTypes: ['violations'],
    runOnly: rules ? { type: 'rule', values: rules } : { type: 'tag', values: WCAG },
  });
  const { violations } = await axe.setLegacyMode().analyze();
  return violations.map(
    ({ id, nodes }) => `${id} ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
  );
}
