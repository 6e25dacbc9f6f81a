import type { Page } from '@playwright/test';

interface LayoutShift {
  /** Part of the window that moved, times how far: 0 to 1. */
  value: number;
  /** Markup of what moved. */
  elements: string[];
}

/** Records layout shifts from before a page's first byte. Returns a function that reads all of them. */
export async function recordLayoutShifts(page: Page): Promise<() => Promise<LayoutShift[]>> {
  await page.addInitScript(() => {
    const shifts: LayoutShift[] = [];
    const record = (entries: PerformanceEntry[]) => {
      for (const entry of entries) {
        const sources: { node: Node | null }[] = Reflect.get(entry, 'sources');
        const elements = sources.map(({ node }) =>
          node instanceof Element ? node.outerHTML.slice(0, 100) : String(node?.textContent),
        );
        shifts.push({ value: Number(Reflect.get(entry, 'value')), elements });
      }
    };
    const observer = new PerformanceObserver((list) => record(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    Reflect.set(window, 'readLayoutShifts', async () => {
      // Fonts that have loaded may not be painted yet, and a shift is reported after the frame that paints it.
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      record(observer.takeRecords());
      return shifts;
    });
  });
  return () => page.evaluate(() => Reflect.get(window, 'readLayoutShifts')());
}
