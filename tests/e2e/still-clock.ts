import type { Page } from '@playwright/test';

const NOON = new Date('2026-11-20T12:00:00Z');

/** Stops the page's clock before it is opened: time passes only by `page.clock.runFor`, however slow the machine. */
export async function stillClock(page: Page): Promise<void> {
  await page.clock.install({ time: NOON });
  await page.clock.pauseAt(new Date(NOON.getTime() + 1_000));
}
