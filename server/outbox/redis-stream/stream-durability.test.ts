import { describe, expect, it } from 'vitest';
import { createDurabilityCheck } from './stream-durability.ts';

/** Makes the check over a Redis with this reply to `WAITAOF`. */
function checkWith(response: () => Promise<unknown>) {
  const asked: unknown[][] = [];
  const check = createDurabilityCheck(
    {
      set: async (...given: unknown[]) => {
        asked.push(['SET', ...given]);
        return 'OK';
      },
      call: (...given: unknown[]) => {
        asked.push(given);
        return response();
      },
    },
    'key',
  );
  return { check, asked };
}

describe('what was written to Redis', () => {
  it('is durable when its append-only file is on disk', async () => {
    const { check, asked } = checkWith(async () => [1, 0]);
    expect(await check()).toBe(true);
    expect(asked).toEqual([
      ['SET', 'key', '1'],
      ['WAITAOF', 1, 0, 2_000],
    ]);
  });

  it.each([
    ['the file was not written in time', async () => [0, 0], false],
    ['Redis is away', () => Promise.reject(new Error('Connection is closed.')), false],
    ['it is older than 7.2', () => Promise.reject(new Error("ERR unknown command 'WAITAOF'")), true],
    [
      'it keeps no such file',
      () =>
        Promise.reject(
          new Error('ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.'),
        ),
      true,
    ],
  ])('when %s', async (_, response, expected) => {
    expect(await checkWith(response).check()).toBe(expected);
  });

  it('is asked for once by all who come while it is asked', async () => {
    const gates: (() => void)[] = [];
    const { check, asked } = checkWith(() => new Promise((resolve) => gates.push(() => resolve([1, 0]))));
    const told = [check()];
    await new Promise((resolve) => setImmediate(resolve));
    told.push(check(), check());
    for (let round = 0; round < 2; round++) {
      await new Promise((resolve) => setImmediate(resolve));
      gates[round]?.();
    }
    expect(await Promise.all(told)).toEqual([true, true, true]);
    expect(asked.filter(([command]) => command === 'WAITAOF')).toHaveLength(2);
  });
});
