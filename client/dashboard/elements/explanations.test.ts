import { describe, expect, it } from 'vitest';
import { PROCESS, SERVED } from '#client/dashboard/live/plotted-metrics.ts';
import { SIMULATED, SIMULATED_TTLS } from '#client/dashboard/policies/simulated-metrics.ts';
import page from '../../../docs/operating/dashboard.md?raw';
import metricsPage from '../../../docs/operating/metrics-and-alerts.md?raw';
import { docsSection } from './explanations.ts';

describe('the page of the docs on the dashboard', () => {
  it.each([...SERVED, ...PROCESS])('explains each line of the plot $title', ({ title, lines }) => {
    const { numbers } = docsSection(title) ?? {};
    expect([...(numbers?.keys() ?? [])]).toEqual(lines.map(({ label }) => label));
  });

  it('explains what the simulator shows', () => {
    const { numbers } = docsSection(SIMULATED_TTLS) ?? {};
    for (const { label } of Object.values(SIMULATED)) expect(numbers?.get(label)?.about).toMatch(/\.$/);
  });

  it('has first paragraphs, metrics and addresses', () => {
    expect(docsSection('Hit ratio by route')).toMatchObject({
      address: '/docs/dashboard/hit-ratio-by-route',
      intro: expect.stringMatching(/^Of the last minute/),
      metrics: ['http_requests_total', 'http_cache_miss_duration_seconds', 'http_request_duration_seconds'],
    });
    expect(docsSection('Hit ratio')).toMatchObject({
      intro: '',
      metrics: ['response_cache_requests_total', 'cache_requests_total'],
    });
    expect(docsSection('Resources')?.numbers.get('TTL')?.metric).toBe('');
  });

  it('links to metrics that the page on metrics names', () => {
    const metrics = [...page.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name = '']) => name);
    expect(metrics.length).toBeGreaterThan(50);
    for (const name of metrics) expect(metricsPage).toContain(`\`${name}`);
  });
});
