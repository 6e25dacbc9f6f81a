import { describe, expect, it } from 'vitest';
import { isCountableView } from './view-filter.ts';

const request = {
  method: 'GET',
  status: 200,
  headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
};

describe('isCountableView', () => {
  it('counts a document with 200 or 304', () => {
    expect(isCountableView(request)).toBe(true);
    expect(isCountableView({ ...request, status: 304 })).toBe(true);
  });

  it.each([
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36',
    'Playwright/1.65.1 (x64; ubuntu 24.04) node/24.1',
    'PostmanRuntime/7.43.0',
    'Wget/1.25.0',
    'curl/8.5.0',
    'node',
    'python-requests/2.32.3',
    '',
  ])('counts a tool that names no crawler (%j)', (agent) => {
    expect(isCountableView({ ...request, headers: { 'user-agent': agent } })).toBe(true);
  });

  it.each(['image', 'script', 'iframe', 'frame', 'embed', 'object', 'style', 'empty', ''])(
    'does not count what is asked for as %j',
    (dest) => {
      const headers = { ...request.headers, 'sec-fetch-dest': dest };
      expect(isCountableView({ ...request, headers })).toBe(false);
    },
  );

  it.each([
    { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' },
  ])('counts a navigation of a browser: %j', (headers) => {
    expect(isCountableView({ ...request, headers: { ...request.headers, ...headers } })).toBe(true);
  });

  it.each([
    'Googlebot/2.1',
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    'facebookexternalhit/1.1',
    'GPTBot/1.0',
    'Baiduspider',
  ])('does not count the crawler %s', (agent) => {
    expect(isCountableView({ ...request, headers: { 'user-agent': agent } })).toBe(false);
  });

  it.each([
    [{ method: 'HEAD' }],
    [{ status: 404 }],
    [{ status: 503 }],
    [{ headers: { ...request.headers, 'sec-purpose': 'prefetch;prerender' } }],
    [{ headers: { ...request.headers, purpose: 'prefetch' } }],
    [{ headers: { ...request.headers, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' } }],
    [{ headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' } }],
  ])('does not count %j', (difference) => {
    expect(isCountableView({ ...request, ...difference })).toBe(false);
  });
});
