import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FaultName } from '../fault-table.ts';
import { type DrillSite, eventually, startDrillSite } from '../processes/site-process.ts';
import type { Report } from '../report.ts';

const run = promisify(execFile);
const ARRIVAL_MS = 60_000;
const IMMEDIATE_MS = 1_000;
const MIB = 1024 * 1024;

/** Tests a full and a read-only disk, on a small file system of its own where mounting is allowed. */
export async function drillDiskFaults(report: Report, short: boolean): Promise<void> {
  if (short) return;
  const dir = await mkdtemp(join(tmpdir(), 'disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'drill', dir]);
  } catch {
    for (const row of ['diskFull', 'diskReadOnly', 'imageDiskFull'] as const)
      report.untried(row, 'mounting a small file system is not allowed here');
    await rm(dir, { recursive: true });
    return;
  }
  try {
    await full(report, dir);
    await readOnly(report, dir);
  } finally {
    await run('umount', ['--lazy', dir]);
    await rm(dir, { recursive: true });
  }
}

/** Fills the disk while the server runs. */
async function full(report: Report, dataDir: string): Promise<void> {
  const site = await startDrillSite({ IMAGE_RESIZE: 'on' }, { dataDir });
  try {
    const articles = await site.demoCms.articles();
    await site.warmUp(articles.slice(0, 1));
    await writeFile(join(dataDir, 'filler'), Buffer.alloc(2 * MIB)).catch(() => undefined);
    await withoutDisk(report, site, 'diskFull', articles);
    await pictures(report, site);
  } finally {
    await site.close();
    await rm(join(dataDir, 'filler'), { force: true });
  }
}

/** Each width is a file of its own: none of them finds room. */
async function pictures(report: Report, site: DrillSite): Promise<void> {
  const page = (await site.get('/')).text;
  const path = /src="(\/media\/[^"?]+)/.exec(page)?.[1] ?? '';
  const statuses: number[] = [];
  for (const width of [320, 640, 1200, 320]) statuses.push((await site.get(`${path}?width=${width}`)).status);
  report.seen(
    'imageDiskFull',
    'process',
    statuses.join(' '),
    statuses.every((status) => status === 200),
  );
}

/** Read-only from the start: the outbox's file cannot even be opened. */
async function readOnly(report: Report, dataDir: string): Promise<void> {
  await run('mount', ['-o', 'remount,ro', dataDir]);
  const started = await startDrillSite({}, { dataDir }).then(
    async (site) => {
      await site.close();
      return 'the start goes on';
    },
    (error: unknown) => String(error),
  );
  await run('mount', ['-o', 'remount,rw', dataDir]);
  const stops = started.includes('the server could not start');
  report.seen('diskReadOnly', 'process', stops ? 'the start stops' : started, stops);
}

async function withoutDisk(
  report: Report,
  site: DrillSite,
  name: Extract<FaultName, 'diskFull'>,
  [hot = '', cold = '']: string[],
): Promise<void> {
  const before = (await site.demoCms.views()).length;
  const warm = await site.get(hot);
  const first = await site.get(cold);
  report.seen(name, 'warm page', String(warm.status), warm.status === 200 && warm.ms < IMMEDIATE_MS);
  report.seen(name, 'cold page', String(first.status), first.status === 200);

  const forwarded = await site.contact(`${name}@example.com`);
  const arrived = (await site.demoCms.received('contact')).includes(`${name}@example.com`);
  await site.demoCms.faults([{ path: '/api/contact/add', kind: 'status', status: 503 }]);
  const refused = await site.contact(`${name}-down@example.com`);
  await site.demoCms.faults([]);
  const text = `upstream up: ${forwarded.status}, ${arrived ? 'arrived' : 'lost'}; upstream down: ${refused.status}`;
  // Small writes may still fit into SQLite's allocated pages: then the promise is that of a working disk.
  const kept =
    refused.status === 502 &&
    (await eventually(
      async () => (await site.demoCms.received('contact')).includes(`${name}-down@example.com`),
      ARRIVAL_MS,
    ));
  const ok = forwarded.status === 201 && arrived && (refused.status === 503 || kept);
  report.seen(name, 'form post', text, ok);

  const counted = await eventually(async () => (await site.demoCms.views()).length >= before + 2, ARRIVAL_MS);
  const views = (await site.demoCms.views()).length - before;
  report.seen(name, 'view count', `${views} arrived, at least 2 expected`, counted);
}
