import type { Page, Request } from '@playwright/test';

/** What is told of the past at most, in entries. */
const LATEST = 40;

/** Writes down what a page asks for and where it goes, for whoever wonders why a test failed. */
export function recordTrace(page: Page) {
  const entries: string[] = [];
  const open = new Set<Request>();
  const start = Date.now();

  function enter(what: string): void {
    entries.push(`${Date.now() - start} ms  ${what}`);
    if (entries.length > LATEST) entries.shift();
  }

  page.on('request', (request) => {
    open.add(request);
    enter(`asks for ${request.method()} ${request.url()}`);
  });
  page.on('requestfinished', (request) => {
    open.delete(request);
    enter(`has ${request.url()}`);
  });
  page.on('requestfailed', (request) => {
    open.delete(request);
    enter(`has not ${request.url()}: ${request.failure()?.errorText}`);
  });
  page.on('framenavigated', (frame) => enter(`is at ${frame.url()}`));

  return {
    /** All of it in lines: the entries, what got no response, and what has the focus. */
    async told(): Promise<string> {
      const focused = await page
        .evaluate(() => document.activeElement?.outerHTML.slice(0, 200) ?? 'nothing')
        .catch(() => 'unknown');
      const waiting = [...open].map((request) => `  ${request.url()}`);
      return ['The page', ...entries, 'waits for', ...waiting, `and has the focus on ${focused}`].join('\n');
    },
  };
}
