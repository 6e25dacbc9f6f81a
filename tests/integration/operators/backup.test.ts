import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { promisify } from 'node:util';
import request from 'supertest';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { startSiteUnderTest } from '../site-under-test.ts';

const PAGE = join(import.meta.dirname, '../../../docs/operating/backup-and-restore.md');
const Stored = z.object({ submissions: z.array(z.object({ payload: z.object({ email: z.string() }) })) });

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'backup-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Returns the patterns of the page's table of what is in `DATA_DIR`. */
async function documentedNames(): Promise<string[]> {
  const [table = ''] = /^\| in `DATA_DIR` .*?\n\n/ms.exec(await readFile(PAGE, 'utf8')) ?? [];
  const firstCells = table.split('\n').map((row) => row.split('|')[1] ?? '');
  return firstCells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+?)\/?`/g), ([, name = '']) => name));
}

it('the page names each file, its command copies the messages of a running site, and a site on the copy delivers them', async () => {
  const [, command = ''] =
    /^## Copy it while it runs$.*?```sh\n(.*?)```/ms.exec(await readFile(PAGE, 'utf8')) ?? [];
  const paths = { DATA_DIR: join(dir, 'data'), BACKUP: join(dir, 'backup') };
  const emails = ['ada@example.com', 'ben@example.com', 'cleo@example.com'];
  const site = await startSiteUnderTest({ DATA_DIR: paths.DATA_DIR });
  try {
    await site.faults([{ path: '/api/subscribe/add', kind: 'status', status: 503 }]);
    for (const email of emails)
      await request(site.origin).post('/api/subscriptions').send({ email }).expect(502);
    await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, ...paths } });
    expect(await readdir(paths.BACKUP)).not.toEqual([]);
  } finally {
    await site.close();
  }
  const names = await documentedNames();
  for (const file of await readdir(paths.DATA_DIR))
    expect([file, names.some((name) => matchesGlob(file, name))]).toEqual([file, true]);

  const restored = await startSiteUnderTest({ DATA_DIR: paths.BACKUP });
  try {
    const arrived = async () => {
      const stored = await fetch(`${restored.demoCms}/demo-cms/submissions?kind=subscription`);
      return Stored.parse(await stored.json()).submissions.map(({ payload }) => payload.email);
    };
    await vi.waitFor(async () => expect((await arrived()).toSorted()).toEqual(emails), { timeout: 60_000 });
  } finally {
    await restored.close();
  }
});
