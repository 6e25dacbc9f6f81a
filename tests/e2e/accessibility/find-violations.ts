import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * What axe finds on a page as it is now: a line for each rule, with the elements that break it. Legacy mode spares
 * opening a blank page for each look, which took longer than the look; nothing of another origin is on our pages.
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
