import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runTogether } from '../run-steps.ts';

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(String(line)));
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => void vi.restoreAllMocks());

it('a step that has failed does not wait for the processes that it has left behind', async () => {
  const steps = [
    { name: 'bad', command: ['bash', '-c', 'sleep 1000 & exit 3'] as const },
    { name: 'good', command: ['true'] as const },
  ];
  expect(await runTogether(steps)).toBe(false);
  expect(printed.map((line) => line.replace(/ \(.*/, '')).sort()).toEqual(['FAILED bad', 'ok     good']);
});
