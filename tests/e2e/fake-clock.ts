import type { Page } from '@playwright/test';

const NOON = new Date('2026-11-20T12:00:00Z');

/** Stops the page's clock before it is opened: time passes only by `page.clock.runFor`, however slow the machine. */
export async function fakeClock(page: Page): Promise<void> {
  await page.clock.install({ time: NOON });
  await page.clock.pauseAt(new Date(NOON.getTime() + 1_000));
}

/**
 * Waits until what the page has heard of has had its effect: React works in message tasks, which run in their order.
 * To be called before time goes on, where a timer follows from something that has just changed.
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
