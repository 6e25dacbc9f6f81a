import { describe, expect, it } from 'vitest';
import { createFaultRules, type FaultRule } from './fault-rules.ts';

function hits(rules: FaultRule[], paths: string[]): string[][] {
  const switches = createFaultRules();
  switches.set(rules);
  return paths.map((path) => switches.hit(path).map(({ kind }) => kind));
}

describe('createFaultRules', () => {
  it('takes a path without a star for the start of one', () => {
    const paths = ['/api/post/latest', '/api/post/latestPost', '/api/event/latest'];
    expect(hits([{ path: '/api/post/latest', kind: 'hang' }], paths)).toEqual([['hang'], ['hang'], []]);
  });

  it('takes a path with stars for the pattern of a whole one', () => {
    const paths = [
      '/api/post/topic/news',
      '/api/post/topic/news/commerce',
      '/api/post/topic',
      '/api/postXtopic/a',
    ];
    expect(hits([{ path: '/api/post/topic/*', kind: 'hang' }], paths)).toEqual([['hang'], ['hang'], [], []]);
    expect(hits([{ path: '/api/*/news', kind: 'hang' }], paths)).toEqual([['hang'], [], [], []]);
  });

  it('ends a rule after as many hits as it has', () => {
    expect(hits([{ path: '/', kind: 'reset', times: 2 }], ['/a', '/b', '/c'])).toEqual([
      ['reset'],
      ['reset'],
      [],
    ]);
  });

  it('adds latency to the first other fault', () => {
    const rules: FaultRule[] = [
      { path: '/', kind: 'latency' },
      { path: '/', kind: 'html' },
      { path: '/', kind: 'status' },
    ];
    expect(hits(rules, ['/a'])).toEqual([['latency', 'html']]);
  });

  it('hits a share of the calls, the same ones each time', () => {
    const rules: FaultRule[] = [{ path: '/', kind: 'status', rate: 0.3 }];
    const paths = Array.from({ length: 2000 }, () => '/a');
    const once = hits(rules, paths);
    const share = once.filter(({ length }) => length > 0).length / paths.length;
    expect(share).toBeGreaterThan(0.27);
    expect(share).toBeLessThan(0.33);
    expect(hits(rules, paths)).toEqual(once);
  });
});
