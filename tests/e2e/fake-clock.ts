import type { Page } from '@playwright/test';

const NOON = new Date('2026-11-20T12:00:00Z');

/** Installs a paused clock before the page is opened: time passes only by `page.clock.runFor`. */
export async function fakeClock(page: Page): Promise<void> {
  await page.clock.install({ time: NOON });
  await page.clock.pauseAt(new Date(NOON.getTime() + 1_000));
}

/**
 * Waits until React has handled what has happened so far: it works in message tasks, which run in order. To be called
 * before `runFor` where a timer is set in response to a change.
 */
export async function flushTasks(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let round = 0; round < 10; round++) {
      await new Promise((done) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = done;
        port2.postMessage(null);
      });
    }
  });
}
