import { expect, it } from 'vitest';
import { maxCacheMiB, memoryOfProcess } from './memory-limit.ts';

const MIB = 1024 * 1024;

it.each([
  ['a container of 512 MB', { heap: 280, machine: 512 }, 167],
  ['a container of 768 MB', { heap: 400, machine: 768 }, 335],
  ['a small heap on a large machine', { heap: 256, machine: 16_384 }, 196],
  ['hardly any memory', { heap: 64, machine: 128 }, 1],
])('the largest cache of %s fits into heap and memory', (_, { heap, machine }, expected) => {
  expect(maxCacheMiB({ heap: heap * MIB, machine: machine * MIB })).toBe(expected);
});

it('the memory of a process is that of its container where it has one, and never more than that of the machine', () => {
  const { heap, machine } = memoryOfProcess();
  expect(heap).toBeGreaterThan(64 * MIB);
  expect(machine).toBeGreaterThan(64 * MIB);
  expect(machine).toBeLessThan(2 ** 50);
});
