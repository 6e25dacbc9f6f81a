import { describe, expect, it } from 'vitest';
import {
  ALERT_RULES,
  isAlarming,
  OBJECTIVES,
  SLOW_SECONDS,
  severityOf,
} from '#shared/alerts-on-dashboard.ts';
import { readAlerts, readRecordings } from '../../prometheus/rule-files.ts';

describe('the rules of the dashboard’s verdict', () => {
  it('are those of the alerts, each once', () => {
    expect(Object.keys(ALERT_RULES).toSorted()).toEqual(
      readAlerts()
        .map(({ alert }) => alert)
        .toSorted(),
    );
  });

  it.each(Object.entries(ALERT_RULES))('have the threshold and severity of the alert: %s', (name, rule) => {
    const { expr = '', labels } = readAlerts().find(({ alert }) => alert === name) ?? {};
    expect(labels?.severity).toBe(severityOf(name));
    if (!('above' in rule)) return;
    const factors = [...expr.matchAll(/> ([\d.]+)(?: \* ([\d.]+))?/g)].map(
      ([, factor = '', share = '1']) => Number(factor) * Number(share),
    );
    expect(factors).toContain(rule.above);
  });

  it.each(Object.entries(OBJECTIVES))('have the objective of the burn rates: %s', (slo, share) => {
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
    expect(isAlarming('StaleRatioHigh', 0.51)).toBe(true);
    expect(isAlarming('StaleRatioHigh', 0.5)).toBe(false);
    expect(isAlarming('StaleRatioHigh', null)).toBe(false);
  });
});
