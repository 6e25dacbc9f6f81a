import { describe, expect, it } from 'vitest';
import { type FoundInstance, listInstances } from './instance-list.ts';
import type { InstanceSample } from './instance-sample.ts';

const SILENT_MS = 15_000;
const NOTHING = { submissions: 0, views: 0, rejected: 0, oldestSeconds: 0 };

const sample = (change: Partial<InstanceSample> = {}): InstanceSample => ({
  name: 'web-1:3000',
  uptimeSeconds: 60,
  version: '1.0.0',
  revision: 'a',
  client: 'b',
  state: 'ready',
  mode: { mode: 'normal', ttlFactor: 1 },
  seconds: 10,
  requests: 0,
  requestErrors: 0,
  served: 0,
  made: 0,
  durations: [],
  residentBytes: 100,
  outbox: { local: NOTHING, shared: NOTHING },
  ...change,
});

const found = (change: Partial<FoundInstance> & { of?: Partial<InstanceSample> } = {}): FoundInstance => {
  const { of, ...about } = change;
  return { id: 'one', isOwn: false, ageMs: 0, isBehind: false, sample: sample(of), ...about };
};

describe('the sum of instances', () => {
  it('adds rates, and weighs ratios by requests', () => {
    const { sum } = listInstances(
      [
        found({ id: 'a', of: { requests: 900, requestErrors: 0, served: 900, made: 90 } }),
        found({ id: 'b', of: { seconds: 5, requests: 50, requestErrors: 50, served: 50, made: 50 } }),
      ],
      SILENT_MS,
    );
    expect(sum).toMatchObject({ instances: 2, ready: 2, requestsPerSecond: 100, residentBytes: 200 });
    expect(sum.errorRatio).toBeCloseTo(0.1);
    expect(sum.hitRatio).toBeCloseTo(0.81);
  });

  it('has the p95 of all requests together, not a mean of the instances’ own', () => {
    const fast: InstanceSample['durations'] = [
      [0.01, 960],
      [1, 960],
      [null, 960],
    ];
    const slow: InstanceSample['durations'] = [
      [0.01, 0],
      [1, 40],
      [null, 40],
    ];
    const { sum, instances } = listInstances(
      [found({ id: 'a', of: { durations: fast } }), found({ id: 'b', of: { durations: slow } })],
      SILENT_MS,
    );
    expect(instances.map(({ p95Seconds }) => p95Seconds)).toEqual([0.0095, expect.closeTo(0.9505)]);
    expect(sum.p95Seconds).toBeCloseTo(0.0099, 4);
  });

  it('adds histograms of other bounds, as two versions may have them', () => {
    const { sum } = listInstances(
      [
        found({
          id: 'a',
          of: {
            durations: [
              [0.1, 100],
              [null, 100],
            ],
          },
        }),
        found({
          id: 'b',
          of: {
            durations: [
              [0.2, 100],
              [null, 100],
            ],
          },
        }),
      ],
      SILENT_MS,
    );
    expect(sum.p95Seconds).toBeCloseTo(0.19);
  });

  it('is the p95 of a single instance where exactly 95 % took at most that, however many seconds it counted', () => {
    // 0.95 x (20 / 1.197) is a rounding error above 19 / 1.197.
    const durations: [number | null, number][] = [
      [0.0005, 19],
      [0.1, 19],
      [0.25, 20],
      [null, 20],
    ];
    const { sum, instances } = listInstances([found({ of: { seconds: 1.197, durations } })], SILENT_MS);
    expect(instances.map(({ p95Seconds }) => p95Seconds)).toEqual([expect.closeTo(0.0005, 9)]);
    expect(sum.p95Seconds).toBeCloseTo(0.0005, 9);
  });

  it('counts the outbox that all share once, and what each has besides', () => {
    const shared = { submissions: 5, views: 70, rejected: 1, oldestSeconds: 30 };
    const { sum } = listInstances(
      [
        found({ id: 'a', of: { outbox: { shared, local: NOTHING } } }),
        found({
          id: 'b',
          of: {
            outbox: { shared: { ...shared, views: 72 }, local: { ...NOTHING, views: 3, oldestSeconds: 90 } },
          },
        }),
      ],
      SILENT_MS,
    );
    expect(sum.outbox).toEqual({ submissions: 5, views: 75, rejected: 1, oldestSeconds: 90 });
  });

  it('is without ratios where nothing was requested', () => {
    const { sum, instances } = listInstances([found({ of: { seconds: 0 } })], SILENT_MS);
    expect(sum).toMatchObject({ requestsPerSecond: 0, errorRatio: null, hitRatio: null, p95Seconds: null });
    expect(instances).toMatchObject([{ requestsPerSecond: null, errorRatio: null, p95Seconds: null }]);
  });
});

describe('a silent instance', () => {
  it('is named, and no part of the sum', () => {
    const { sum, instances } = listInstances(
      [found({ id: 'a' }), found({ id: 'b', ageMs: 40_000, of: { name: 'web-2:3000', requests: 100 } })],
      SILENT_MS,
    );
    expect(instances.map(({ name, state, secondsAgo }) => [name, state, secondsAgo])).toEqual([
      ['web-1:3000', 'ready', 0],
      ['web-2:3000', 'silent', 40],
    ]);
    expect(sum).toMatchObject({ instances: 1, requestsPerSecond: 0 });
  });

  it('is left out once a process that started later has its name', () => {
    const ended = found({ id: 'ended', ageMs: 40_000, isBehind: true });
    const successor = found({ id: 'next', of: { uptimeSeconds: 30 } });
    const namesake = found({ id: 'beside', of: { uptimeSeconds: 300 } });
    expect(listInstances([ended, successor], SILENT_MS).instances.map(({ id }) => id)).toEqual(['next']);
    expect(listInstances([ended, namesake], SILENT_MS).instances).toHaveLength(2);
  });
});

it.each<[string, unknown]>([
  ['nothing', null],
  ['text', 'ready'],
  ['a list', []],
  ['a name too long', sample({ name: 'x'.repeat(201) })],
  ['a negative count', sample({ requests: -1 })],
  ['no number', { ...sample(), residentBytes: 'many' }],
  ['an infinite number', JSON.parse('{"residentBytes":1e999}')],
  ['an unknown state', { ...sample(), state: 'fine' }],
  ['a thousand buckets', sample({ durations: Array.from({ length: 1_000 }, () => [1, 1]) })],
])('what holds %s is left out of list and sum', (_what, hostile) => {
  const { instances, sum } = listInstances(
    [found({ id: 'a' }), found({ id: 'b', sample: hostile })],
    SILENT_MS,
  );
  expect(instances.map(({ id }) => id)).toEqual(['a']);
  expect(sum.instances).toBe(1);
});
