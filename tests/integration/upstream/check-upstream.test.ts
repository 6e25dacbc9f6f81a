import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type RunningDemoCms, startDemoCms } from '#demo/start.ts';
import { RESOURCE_TABLE, RESOURCES } from '#shared/models/resources-and-policies.ts';
import { startProcess } from '../../faults/processes/server-process.ts';

let demoCms: RunningDemoCms;
beforeAll(async () => {
  demoCms = await startDemoCms({ dataDir: null, faults: true });
});
afterAll(() => demoCms.close());

async function check(address = demoCms.origin, ...more: string[]) {
  const checking = startProcess(['tools/check-upstream.ts', address, ...more]);
  const code = await checking.ended;
  return { code, lines: checking.log };
}

const setFaults = (rules: object[]) =>
  fetch(`${demoCms.origin}/demo-cms/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rules),
  });

describe('npm run check-upstream', () => {
  it('calls every read of the specification, and no write, and says what of the articles became a link or went', async () => {
    const { code, lines } = await check();
    expect(code).toBe(0);
    expect(lines.at(-1)).toBe('Every page can be made.');
    expect(lines.join('\n')).toMatch(/^ +became a link: iframe of charts\.example\.org, 1 ×$/m);
    const reads = RESOURCES.flatMap((resource) => RESOURCE_TABLE[resource].calls);
    const bodies = 1;
    expect(lines.filter((line) => line.startsWith('fits '))).toHaveLength(reads.length + bodies);
    expect(lines.filter((line) => line.includes('it would store something'))).toHaveLength(4);
    const calls: object = await (await fetch(`${demoCms.origin}/demo-cms/calls`)).json();
    expect(Object.keys(calls).filter((call) => !call.startsWith('GET '))).toEqual([]);
    const ofBodies = /post\/(postdetails|topic)\//;
    expect(Object.keys(calls).filter((call) => !ofBodies.test(call))).toHaveLength(reads.length - 2);
  });

  it('with --write tries a repeat under one Idempotency-Key, and says where to look for doubles', async () => {
    const { code, lines } = await check(demoCms.origin, '--write');
    expect(code).toBe(0);
    const said = (call: string, statuses: string) =>
      new RegExp(
        `^fits +${call} +sent twice under one Idempotency-Key: ${statuses}; look there that check-upstream-\\w+@example.com is stored once$`,
        'm',
      );
    expect(lines.join('\n')).toMatch(said('subscribe.add', '201, then 404'));
    expect(lines.join('\n')).toMatch(said('contact.add', '201, then 201'));
    expect(lines.filter((line) => line.includes('it would store something'))).toHaveLength(2);
    const Stored = z.object({ submissions: z.array(z.object({ received: z.number() })) });
    for (const [kind, received] of [
      ['subscription', 1],
      ['contact', 2],
    ] as const) {
      const response = await fetch(`${demoCms.origin}/demo-cms/submissions?kind=${kind}`);
      const { submissions } = Stored.parse(await response.json());
      expect(submissions.map((one) => one.received)).toEqual([received]);
    }
  });

  it('ends with 0 where only sections are missing, and says what was left out of a list and why', async () => {
    await setFaults([
      { path: '/api/post/latest', kind: 'wrong-json', body: [{ post_title: 'No slug' }, 7] },
      { path: '/api/author', kind: 'html' },
      { path: '/api/category/subcatlist', kind: 'status', status: 502 },
    ]);
    const { code, lines } = await check();
    expect(code).toBe(0);
    const at = lines.findIndex((line) => /^fits in part +post\.latest /.test(line));
    expect(lines[at + 1]).toMatch(/left out: 2 × .*no .*\(1\)/);
    for (const call of ['author', 'category\\.subcatlist'])
      expect(lines.join('\n')).toMatch(new RegExp(`^fails +${call} .*\\(a section is missing\\)$`, 'm'));
  });

  it.each([
    ['a topic fails', 'post.topic', '/api/post/topic'],
    [
      'the sub-categories fail with 500, which leads every topic to /404',
      'category.subcatlist',
      '/api/category/subcatlist',
    ],
  ])('ends with 1 where %s', async (_what, call, path) => {
    await setFaults([{ path, kind: 'status', status: 500 }]);
    const { code, lines } = await check();
    await setFaults([]);
    expect(code).toBe(1);
    expect(lines.find((line) => line.startsWith(`fails           ${call} `))).toMatch(
      /500.*\(its page cannot be made\)$/,
    );
  });

  it('ends with 1 where nothing answers, and for what is no address', async () => {
    expect((await check('http://127.0.0.1:9')).code).toBe(1);
    const { code, lines } = await check('no-address');
    expect({ code, lines: lines.length }).toEqual({ code: 1, lines: 1 });
  });
});
