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
  expect(printed.map((line) => line.replace(/ \(.*/, '')).sort()).toEqual(['FAILED bad', 'ok     good']);
});
