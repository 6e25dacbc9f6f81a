import { beforeEach, describe, expect, it } from 'vitest';
import { createPublicIp, type PublicIp, publicAddress } from './public-ip.ts';

describe('publicAddress', () => {
  it.each([
    ['93.184.216.34', '93.184.216.34'],
    ['2606:2800:220:1::1', '2606:2800:220:1::1'],
    ['2606:2800:0220:0001:0:0:0:1', '2606:2800:220:1::1'],
    ['::ffff:93.184.216.34', '93.184.216.34'],
  ])('takes %s for public, and writes it %s', (ip, text) => {
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
    '192.0.2.1',
    '198.51.100.1',
    '2001:db8::1',
    'ff02::1',
    '8',
    '0x7f.1',
    'nonsense',
    '',
  ])('does not take %s for public', (ip) => {
    expect(publicAddress(ip)).toBeNull();
  });
});

describe('the reader’s address', () => {
  let now: number;
  let responses: (() => Promise<unknown>)[];
  let asked: number;
  let warnings: number;
  let address: PublicIp;

  beforeEach(() => {
    now = 0;
    asked = 0;
    warnings = 0;
    responses = [];
    address = createPublicIp({
      lookup: () => {
        asked++;
        return responses.shift()?.() ?? Promise.reject(new Error('down'));
      },
      clock: () => now,
      logger: { warn: () => warnings++ },
    });
  });

  it('is the request’s own where that is public, without a lookup', async () => {
    expect(await address.clientIpOf('93.184.216.34')).toBe('93.184.216.34');
    expect(asked).toBe(0);
  });

  it('is looked up once for ten minutes where the request’s own is not public', async () => {
    responses = [async () => ({ ip: '93.184.216.34' }), async () => ({ ip: '93.184.216.35' })];
    expect(await Promise.all([address.clientIpOf('10.0.0.1'), address.clientIpOf('127.0.0.1')])).toEqual([
      '93.184.216.34',
      '93.184.216.34',
    ]);
    now += 599_999;
    await address.clientIpOf('10.0.0.1');
    expect(asked).toBe(1);
    now += 1;
    expect(await address.clientIpOf('10.0.0.1')).toBe('93.184.216.35');
  });

  it.each([
    [{ ip: 'not an address' }],
    [{ ip: { evil: true } }],
    [{ ip: '1' }],
    [{ ip: `${'0'.repeat(50)}::1` }],
    [null],
    ['text'],
    [{}],
  ])('is the address as seen when the lookup says %j', async (response) => {
    responses = [async () => response];
    expect(await address.clientIpOf('10.0.0.1')).toBe('10.0.0.1');
    expect(warnings).toBe(1);
  });

  it('is the address as seen while the lookup is down, which is not asked for every view', async () => {
    expect(await address.clientIpOf('10.0.0.1')).toBe('10.0.0.1');
    expect(await address.clientIpOf('10.0.0.1')).toBe('10.0.0.1');
    expect(asked).toBe(1);
    now += 5_000;
    responses = [async () => ({ ip: '93.184.216.34' })];
    expect(await address.clientIpOf('10.0.0.1')).toBe('93.184.216.34');
  });

  it('is logged as failing once a minute at most', async () => {
    for (; now < 60_000; now += 5_000) await address.clientIpOf('10.0.0.1');
    expect(asked).toBe(12);
    expect(warnings).toBe(1);
    await address.clientIpOf('10.0.0.1');
    expect(warnings).toBe(2);
  });

  it('is looked up ahead by `prepare`, which never throws', async () => {
    responses = [
      () => {
        throw new Error('broken');
      },
    ];
    address.prepare('10.0.0.1');
    expect(await address.clientIpOf('10.0.0.1')).toBe('10.0.0.1');
    now += 5_000;
    responses = [async () => ({ ip: '93.184.216.34' })];
    address.prepare('10.0.0.1');
    expect(await address.clientIpOf('10.0.0.1')).toBe('93.184.216.34');
    expect(asked).toBe(2);
  });
});
