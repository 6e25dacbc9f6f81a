import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runSteps } from '../run-steps.ts';

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(String(line)));
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => void vi.restoreAllMocks());

it('a step that has failed does not wait for the processes that it has left behind, and none that needs it starts', async () => {
  const steps = {
    bad: { command: ['bash', '-c', 'sleep 1000 & exit 3'] },
    good: { command: ['true'] },
    after: { command: ['true'], needs: ['bad'] },
  } as const;
  expect(await runSteps(steps, 2)).toBe(false);
  expect(printed.map((line) => line.replace(/ \(.*/, '')).sort()).toEqual([
    'FAILED bad',
    'FAILED bad',
    'ok     good',
  ]);
});

it('what failed is named once more after the last step, without its colours', async () => {
  const output = [
    ' \u001b[31m FAIL \u001b[39m a.test.ts > a sum > is right',
    'AssertionError: expected 3 to be 4',
    '- 4',
    ' ❯ a.test.ts:7:21',
    '  1) b.e2e.ts:3:1 › a page › is there',
  ];
  const steps = {
    bad: { command: ['bash', '-c', `printf '%s\\n' "$@"; exit 1`, 'bash', ...output] },
    good: { command: ['true'] },
  } as const;
  expect(await runSteps(steps, 2)).toBe(false);
  expect(printed.at(-1)?.split('\n')).toEqual([
    'FAILED bad',
    '  FAIL  a.test.ts > a sum > is right',
    'AssertionError: expected 3 to be 4',
    ' ❯ a.test.ts:7:21',
    '  1) b.e2e.ts:3:1 › a page › is there',
  ]);
});
