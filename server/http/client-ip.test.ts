import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { createClientIp } from './client-ip.ts';

/** Valid and invalid elements of `X-Forwarded-For`. */
const HOPS = fc.array(
  fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.constantFrom(
      '127.0.0.1',
      '::ffff:10.1.2.3',
      '10.0.0.7',
      'unknown',
      '',
      '0x7f.1',
      '8',
      '1.2.3.4:80',
      '[::1]',
    ),
    fc.string({ unit: fc.constantFrom(...'0123456789abc.:,[]% "') }),
  ),
  { maxLength: 6 },
);
const PEERS = fc.constantFrom('127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.7', '203.0.113.9');

describe('the IP of a client', () => {
  it.each([
    { trusted: false },
    { trusted: true },
    { trusted: ['127.0.0.1'] },
    { trusted: ['10.0.0.0/8', '127.0.0.0/8', '::1'] },
  ])(
    'is the one that Fastify finds, whatever X-Forwarded-For contains, with $trusted',
    async ({ trusted }) => {
      const clientIpOf = createClientIp(trusted);
      const app = Fastify({ trustProxy: trusted });
      app.get('/', async (request) => ({ ours: clientIpOf(request.raw), fastifys: request.ip }));
      await fc.assert(
        fc.asyncProperty(HOPS, PEERS, async (hops, remoteAddress) => {
          const headers = { 'x-forwarded-for': hops.join(', ') };
          const { ours, fastifys } = (await app.inject({ url: '/', headers, remoteAddress })).json();
          expect(ours).toBe(fastifys);
        }),
        { numRuns: 200 },
      );
      await app.close();
    },
  );

  /** What a proxy passes on that appends to what it gets. */
  function behindProxy(forwardedFor: string): IncomingMessage {
    const request = new IncomingMessage(new Socket());
    request.headers['x-forwarded-for'] = forwardedFor;
    return request;
  }

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7:4919', '203.0.113.7'],
    ['[2001:db8::7]:4919', '2001:db8::7'],
    ['2001:db8:1:2:3:4:5:6:49190', '2001:db8:1:2:3:4:5:6'],
    ['203.0.113.7, 203.0.113.8', '198.51.100.1'],
    ['x:4919', '198.51.100.1'],
  ])('is that of the CDN’s header, with or without a port: %s', (value, expected) => {
    const request = behindProxy('198.51.100.1');
    request.headers['cdn-client'] = value;
    Object.defineProperty(request.socket, 'remoteAddress', { value: '127.0.0.1' });
    expect(createClientIp(['127.0.0.1'], 'cdn-client')(request)).toBe(expected);
  });

  it('does not keep the header in memory that it is a substring of', () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc');
    const clientIpOf = createClientIp(true);
    const used = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = used();
    const kept: string[] = [];
    for (let i = 0; i < 4_000; i++)
      kept.push(
        clientIpOf(behindProxy(`2001:db8:${(i + 4_096).toString(16)}:1::1${', junk'.repeat(2_000)}`)),
      );
    expect(used() - before).toBeLessThan(8_000_000);
    expect(kept[0]).toBe('2001:db8:1000:1::1');
  });

  it('takes little memory where it is a text of any length', () => {
    expect(createClientIp(true)(behindProxy('x'.repeat(16_000))).length).toBeLessThan(100);
  });

  it('is empty for a closed connection', async () => {
    const app = Fastify();
    let seen: string | null = null;
    app.get('/', async ({ raw }) => {
      raw.socket.destroy();
      seen = createClientIp(false)(raw);
      return '';
    });
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    await fetch(origin).catch(() => undefined);
    expect(seen).toBe('');
    await app.close();
  });
});
