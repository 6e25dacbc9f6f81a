import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Runs axe on the page and returns a line for each violated rule, with its elements. Legacy mode does not open a blank
 * page for each run, which took longer than the run; it skips frames of other origins, which are not ours.
 */
export async function findViolations(page: Page, tags: readonly string[] = WCAG): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .withTags([...tags])
    .setLegacyMode()
    .analyze();
  return violations.map(
    ({ id, nodes }) => `${id} ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
  );
}
