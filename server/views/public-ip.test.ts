import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeClock, fakeClock } from '../../tests/fixtures/clocks.ts';
import { createPublicIp, type PublicIp, publicAddress } from './public-ip.ts';

describe('publicAddress', () => {
  it.each([
    ['93.184.216.34', '93.184.216.34'],
    ['2606:2800:220:1::1', '2606:2800:220:1::1'],
    ['2606:2800:0220:0001:0:0:0:1', '2606:2800:220:1::1'],
    ['::ffff:93.184.216.34', '93.184.216.34'],
    // Reserved for documentation, but none of the kinds that a lookup stands in for.
    ['192.0.2.1', '192.0.2.1'],
    ['198.51.100.7', '198.51.100.7'],
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8::1', '2001:db8::1'],
    // With the port that some proxies write beside it.
    ['93.184.216.34:49152', '93.184.216.34'],
    ['[2606:2800:220:1::1]:49152', '2606:2800:220:1::1'],
  ])('accepts %s, spelled as %s', (ip, text) => {
    expect(publicAddress(ip)).toBe(text);
  });

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.1.1',
    '100.64.0.1',
    '::1',
    'fe80::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    'fec0::1',
    'ff02::1',
    '8',
    '0x7f.1',
    'fe80::1%eth0',
    '2001:db8::1%eth0',
    '2001:db8::1%-',
    '1::%a.b',
    'nonsense',
    '',
  ])('rejects %s', (ip) => {
    expect(publicAddress(ip)).toBeNull();
  });
});

describe('the public IP', () => {
  let clock: FakeClock;
  let responses: (() => Promise<unknown>)[];
  let lookups: number;
  let warnings: number;
  let publicIp: PublicIp;

  beforeEach(() => {
    clock = fakeClock();
    lookups = 0;
    warnings = 0;
    responses = [];
    publicIp = createPublicIp({
      lookup: () => {
        lookups++;
        return responses.shift()?.() ?? Promise.reject(new Error('down'));
      },
      clock,
      logger: { warn: () => warnings++ },
    });
  });

  it('is the client IP where that is public, without a lookup', async () => {
    expect(await publicIp.resolve('93.184.216.34')).toBe('93.184.216.34');
    expect(lookups).toBe(0);
  });

  it('is looked up once in ten minutes where the client IP is not public', async () => {
    responses = [async () => ({ ip: '93.184.216.34' }), async () => ({ ip: '93.184.216.35' })];
    expect(await Promise.all([publicIp.resolve('10.0.0.1'), publicIp.resolve('127.0.0.1')])).toEqual([
      '93.184.216.34',
      '93.184.216.34',
    ]);
    clock.monotonicMs += 599_999;
    await publicIp.resolve('10.0.0.1');
    expect(lookups).toBe(1);
    clock.monotonicMs += 1;
    expect(await publicIp.resolve('10.0.0.1')).toBe('93.184.216.35');
  });

  it.each([
    [{ ip: 'not an address' }],
    [{ ip: { evil: true } }],
    [{ ip: '1' }],
    [{ ip: `${'0'.repeat(50)}::1` }],
    [null],
    ['text'],
    [{}],
  ])('is the client IP when the lookup returns %j', async (response) => {
    responses = [async () => response];
    expect(await publicIp.resolve('10.0.0.1')).toBe('10.0.0.1');
    expect(warnings).toBe(1);
  });

  it('is the client IP while the lookup fails, which is not repeated for every view', async () => {
    expect(await publicIp.resolve('10.0.0.1')).toBe('10.0.0.1');
    expect(await publicIp.resolve('10.0.0.1')).toBe('10.0.0.1');
    expect(lookups).toBe(1);
    clock.monotonicMs += 5_000;
    responses = [async () => ({ ip: '93.184.216.34' })];
    expect(await publicIp.resolve('10.0.0.1')).toBe('93.184.216.34');
  });

  it('failures are logged once a minute at most', async () => {
    for (; clock.monotonicMs < 60_000; clock.monotonicMs += 5_000) await publicIp.resolve('10.0.0.1');
    expect(lookups).toBe(12);
    expect(warnings).toBe(1);
    await publicIp.resolve('10.0.0.1');
    expect(warnings).toBe(2);
  });

  it('is looked up in advance by `prepare`, which never throws', async () => {
    responses = [
      () => {
        throw new Error('broken');
      },
    ];
    publicIp.prepare('10.0.0.1');
    expect(await publicIp.resolve('10.0.0.1')).toBe('10.0.0.1');
    clock.monotonicMs += 5_000;
    responses = [async () => ({ ip: '93.184.216.34' })];
    publicIp.prepare('10.0.0.1');
    expect(await publicIp.resolve('10.0.0.1')).toBe('93.184.216.34');
    expect(lookups).toBe(2);
  });
});
