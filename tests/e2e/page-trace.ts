import type { Page, Request } from '@playwright/test';

/** Entries that are kept. */
const LATEST = 40;

/** Records a page's requests and navigations, to print when a test fails. */
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
    /** Returns the trace as text: the entries, pending requests, and the focused element. */
    async told(): Promise<string> {
      const focused = await page
        .evaluate(() => document.activeElement?.outerHTML.slice(0, 200) ?? 'nothing')
        .catch(() => 'unknown');
      const waiting = [...open].map((request) => `  ${request.url()}`);
      return ['The page', ...entries, 'waits for', ...waiting, `and has the focus on ${focused}`].join('\n');
    },
  };
}
