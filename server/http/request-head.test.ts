import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeSegment, searchPath } from '#shared/urls.ts';
import { isHost, parseRequestTarget } from './request-head.ts';

describe('a request target', () => {
  it.each([
    '/',
    '/?',
    '/about',
    '/news/a-story?page=2&utm_source=x',
    '/feed.xml',
    '/media/posts/a.b-1.jpg?width=320',
    '/@vite/client',
    "/a!$&'()*+,;=:@~_-.b",
    '/news/caf%C3%A9',
    '/a/...',
    '/a%5Cb',
    '/news/%5cevil.example/',
    '//evil.example/',
    '/%2f/evil.example',
    '/%5cevil.example',
    '/a/..b/c..',
    '/search?term=a..b',
    '/search?term=%2e%2e%2f',
    '/?next=//evil.example/..\\',
    '/%',
    '/%zz',
    '/search/all/50%25',
    '/search/all/%252E%252E',
    '/search/all/%252E',
    '/api/search/all/%252e%252e',
    '/search/all/a%2F..%2Fb',
    '/search/all/..%2F..%2Fetc%2Fpasswd?page=2',
    '/search/all/a%5C..%5Cb',
    '/search/all/%252525252525252525252525252E',
  ])('in origin form stays as it is: %s', (target) => {
    expect(parseRequestTarget(target)).toBe(target);
  });

  it.each([
    ['http://x/about', '/about'],
    ['http://x', '/'],
    ['http://x?a=b', '/?a=b'],
    ['HTTPS://WWW.EXAMPLE.COM:443/news/a?page=2', '/news/a?page=2'],
    ['http://127.0.0.1:3001/metrics', '/metrics'],
    ['http://[::1]:3001/metrics', '/metrics'],
  ])('in absolute form is its path, whatever the host: %s', (target, path) => {
    expect(parseRequestTarget(target)).toBe(path);
  });

  it.each([
    '',
    '*',
    'about',
    '?a=b',
    'evil.example:443',
    'ftp://x/about',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http:/about',
    'http:///about',
    'http://user@x/about',
    'http://x y/about',
    'http://x:99999/',
    'http://x/about#top',
    'http://x/../metrics',
    'http://x\\@evil.example/',
    '/\\evil.example',
    '\\\\evil.example',
    '/about#top',
    '/about?x#top',
    '/a b',
    '/a\tb',
    '/a\r\nb',
    '/a\0b',
    '/a\x7fb',
    '/é',
    '/..',
    '/../',
    '/a/..',
    '/a/../b',
    '/a\\..\\b',
    '/a/%2e%2e/b',
    '/a/.%2E/b',
    '/a%2f..%2fb',
    '/a/..%5c..%5cb',
    '/a/%252e%252e/b',
    '/a/%25252e%25252e%25252fb',
    '/a/%%32%65%%32%65/b',
    '/news/%00',
    '/news/a%0d%0aset-cookie:x',
    '/news/%2500',
    `/a/%${'25'.repeat(20)}2e.`,
    '/search/%2e%2e/x',
    '/search/all/..',
    '/search/all/%2e%2E',
    '/search/all/../x',
    '/api/search/all/.%2e?page=2',
    '/media/search/all/%252e%252e',
  ])('is refused: %j', (target) => {
    expect(parseRequestTarget(target)).toBeNull();
  });

  it('may contain any search term', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (term) => {
        const path = searchPath('all', term);
        expect(parseRequestTarget(path)).toBe(path);
        expect(parseRequestTarget(`http://x${path}`)).toBe(path);
      }),
    );
  });

  it('is never a path traversal, whoever decodes it however often', () => {
    const PIECE = fc.constantFrom(
      '/',
      '..',
      '.',
      '\\',
      'a',
      '%',
      '25',
      '2e',
      '2F',
      '5c',
      '%2e',
      '%252e',
      '%%32%65',
    );
    fc.assert(
      fc.property(fc.array(PIECE, { maxLength: 12 }), (pieces) => {
        let path = parseRequestTarget(`/media/${pieces.join('')}`);
        for (let pass = 0; path !== null && pass < 12; pass++) {
          expect(path.split(/[/\\]/)).not.toContain('..');
          expect(new URL(path, 'http://x').href).toMatch(/^http:\/\/x\/media(?:\/|$)/);
          path = path.replace(/%([0-7][\da-f])/gi, (_all, hex) =>
            String.fromCharCode(Number.parseInt(hex, 16)),
          );
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('is parsed in linear time', () => {
    const long = [
      `/${'%25'.repeat(5_000)}`,
      `/${'?'.repeat(15_000)}#`,
      `/${'../'.repeat(5_000)}`,
      `http://${'a.'.repeat(7_500)}!/`,
      `/search/${'a/'.repeat(7_500)}`,
    ];
    const began = process.threadCpuUsage();
    for (const target of long) parseRequestTarget(target);
    expect(process.threadCpuUsage(began).user / 1000).toBeLessThan(200);
  });

  it('of our own links is accepted, unless a slug is a path traversal after one more decoding', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w.~ é&?#/+-]{1,20}$/), (slug) => {
        fc.pre(!/(^|\/)\.\.(\/|$)/.test(slug));
        const path = `/news/${encodeSegment(slug)}`;
        expect(parseRequestTarget(path)).toBe(path);
      }),
    );
  });
});

describe('a host', () => {
  it.each([
    'x',
    'www.example.com',
    'www.example.com.',
    'web_1:3000',
    '127.0.0.1:80',
    '[::1]',
    '[::1]:3000',
    'x:',
  ])('%s is valid', (text) => expect(isHost(text)).toBe(true));

  it.each([
    '',
    ' ',
    'a b',
    'a/b',
    'a\\b',
    'u@a',
    'a?b',
    'a#b',
    'a,b',
    'a..b',
    '.a',
    'a:x',
    'a:99999',
    'a:80:80',
    '::1',
    '[::1',
    '[x]',
    'http://a',
    '<a>',
    'ä',
    'a\0',
    'a'.repeat(400),
  ])('%j is not valid', (text) => expect(isHost(text)).toBe(false));
});
