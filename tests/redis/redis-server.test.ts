import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';

const START = `
  const { startRedis } = await import('./tests/redis/redis-server.ts');
  console.log((await startRedis()).url);
`;

it('a Redis of the tests ends with a process that throws', async () => {
  const script = `${START} setTimeout(() => { throw new Error('uncaught'); });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  await once(child, 'close');
  expect(output).toMatch(/^redis:/);
  const redis = new Redis(output.trim(), { lazyConnect: true, retryStrategy: null });
  redis.on('error', () => undefined);
  const responds = () =>
    redis.connect().then(
      () => true,
      () => false,
    );
  await expect.poll(responds).toBe(false);
  redis.disconnect();
});
