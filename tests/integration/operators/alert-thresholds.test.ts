import { describe, expect, it } from 'vitest';
import { ALERT_THRESHOLDS, isAlarming, OBJECTIVES, SLOW_SECONDS } from '#shared/alert-thresholds.ts';
import { readAlerts, readRecordings } from '../../prometheus/rule-files.ts';

describe('the thresholds of the dashboard', () => {
  it.each(Object.values(ALERT_THRESHOLDS))('are those of the alert: $alert', ({ alert, above }) => {
    const { expr = '' } = readAlerts().find((rule) => rule.alert === alert) ?? {};
    const [, factor = '', share = '1'] = /> ([\d.]+)(?: \* ([\d.]+))?/.exec(expr) ?? [];
    expect(Number(factor) * Number(share)).toBe(above);
  });

  it.each(Object.entries(OBJECTIVES))('are those of the objective: %s', (slo, share) => {
    const burns = readAlerts().filter(({ labels }) => labels.slo === slo);
    const budgets = burns.flatMap(({ expr }) => [...expr.matchAll(/[\d.]+ \* ([\d.]+)/g)]);
    expect(budgets.length).toBeGreaterThan(4);
    for (const [text, budget] of budgets) expect(1 - Number(budget), text).toBeCloseTo(share);
  });

  it('count as slow what the recording rules count', () => {
    const slow = readRecordings().filter(({ record }) => record.startsWith('site:http_requests_slow:'));
    expect(slow.length).toBeGreaterThan(4);
    for (const { expr } of slow) expect(expr).toContain(`le="${SLOW_SECONDS}"`);
  });

  it('are passed above, not at them, and never where nothing was counted', () => {
    expect(isAlarming('staleRatio', 0.51)).toBe(true);
    expect(isAlarming('staleRatio', 0.5)).toBe(false);
    expect(isAlarming('staleRatio', null)).toBe(false);
  });
});
