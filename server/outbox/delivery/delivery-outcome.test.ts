import { describe, expect, it } from 'vitest';
import { parseSubmissionResult } from './delivery-outcome.ts';

describe('what an attempt means', () => {
  it('a view is counted by status 200 alone; any other status is an error', () => {
    expect(parseSubmissionResult('view', { status: 200 }, false)).toMatchObject({
      state: 'delivered',
      error: null,
    });
    for (const status of [201, 204, 302, 400, 404, 500, 503]) {
      const { state, error } = parseSubmissionResult('view', { status }, false);
      expect(state, String(status)).not.toBe('delivered');
      expect(error).toBe(`status ${status}`);
    }
  });

  it.each(['subscription', 'contact', 'opt-out'] as const)('a %s is taken by any ok status', (kind) => {
    for (const status of [200, 201, 202, 204])
      expect(parseSubmissionResult(kind, { status }, false)).toMatchObject({
        state: 'delivered',
        error: null,
      });
    expect(parseSubmissionResult(kind, { status: 302 }, false).state).not.toBe('delivered');
  });

  it('a subscription answered 404 is known already, unless an earlier attempt may have been its own', () => {
    expect(parseSubmissionResult('subscription', { status: 404 }, false).state).toBe('answered');
    expect(parseSubmissionResult('subscription', { status: 404 }, true).state).toBe('delivered');
    expect(parseSubmissionResult('contact', { status: 404 }, false).state).toBe('refused');
  });
});
