import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../free-port.ts';
import { startRedis } from '../../redis/redis-server.ts';
import { seenText, startLoad } from '../load/load-process.ts';
import { startBalancer } from '../processes/balancer.ts';
import { type DemoCms, startDemoCmsProcess } from '../processes/demo-cms-process.ts';
import { buildNextVersion } from '../processes/next-version.ts';
import { type ServerProcess, startServer, terminate } from '../processes/server-process.ts';
import { ages, eventually, LONG_TIMEOUT, request } from '../processes/site-process.ts';
import type { Report } from '../report.ts';

/** Deploys to and fro between the versions; the short drill does one. */
const DEPLOYS = 4;
/** Between two replacements, so that the balancer uses the new instance again: past nginx's `fail_timeout`. */
const MIN_READY_MS = 2_500;
const ARRIVAL_MS = 90_000;
/** Between two requests of one reader. The short drill runs beside other tests. */
const PAUSE_MS = 5;
const SHORT_PAUSE_MS = 20;
const POST_PAUSE_MS = 50;
const READ_PAUSE_MS = 20;
/** What an overloaded instance says: the machine of a test run may be too busy, which is no fault of a deploy. */
const SHED = 503;
/** Nothing goes stale during the drill: each call of the upstream is one that a replaced instance made. */
const LONG_AGES = ages({ ttl: 3_600, swr: 3_600, sie: 86_400 });
/**
 * Calls of the upstream at most, as a share of those that the new instances would make if each loaded its pages for itself.
 * None on a quiet machine; on a busy one Redis is left alone for a second after each 20 ms without a reply.
 */
const MAX_CALLS_SHARE = 0.2;
const SHORT_MAX_CALLS_SHARE = 0.5;

/** A rolling deploy: two instances behind nginx are replaced one after the other by those of another build, under load. */
export async function drillRollingDeploy(report: Report, short: boolean): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'rolling-deploy-'));
  const redis = await startRedis();
  const demoCms = await startDemoCmsProcess(join(dir, 'demo-cms'));
  const ports = [await freePort(), await freePort()];
  const instances: ServerProcess[] = [];
  let started = 0;

  async function start(slot: number, root?: string): Promise<void> {
    const port = ports[slot];
    // A disk of its own each time: what a new instance knows of the old one comes from Redis.
    const dataDir = join(dir, `data-${started++}`);
    const env = environment(demoCms, redis.url, dataDir, join(dir, 'assets'));
    instances[slot] = await startServer({ env, ...(port && { port }), ...(root && { root }) });
  }

  const nginx = await startBalancer(join(dir, 'nginx'), ports);
  try {
    const nextVersion = await buildNextVersion(join(dir, 'next'));
    await Promise.all([start(0), start(1)]);
    const paths = ['/', ...(await demoCms.articles()).slice(0, 30), '/topic/news', '/events'];
    await demoCms.forgetCalls();
    for (const path of paths)
      for (const { origin } of instances)
        if ((await request(origin + path)).status !== 200) throw new Error(`${path} does not come`);
    const coldCalls = countReads(await demoCms.calls());
    const earlierFiles = await filesOf(nginx.origin, paths);

    const orders = { origin: nginx.origin, paths, pauseMs: short ? SHORT_PAUSE_MS : PAUSE_MS, most: null };
    const loads = await Promise.all([
      startLoad({ ...orders, readers: 4, keepAlive: true }),
      startLoad({ ...orders, readers: 2, keepAlive: false }),
    ]);
    const stopping = new AbortController();
    const isServed = (status: number) => status === 200 || (short && status === SHED);
    const browsing = browse(nginx.origin, { paths, earlierFiles, isServed, signal: stopping.signal });
    const posting = post(nginx.origin, stopping.signal);
    await pause(MIN_READY_MS);
    await demoCms.forgetCalls();
    const codes: (number | null)[] = [];
    const deploys = short ? 1 : DEPLOYS;
    for (let deploy = 0; deploy < deploys; deploy++) {
      for (const slot of [1, 0]) {
        const predecessor = instances[slot];
        if (predecessor) codes.push((await terminate(predecessor)).code);
        await start(slot, deploy % 2 === 0 ? nextVersion : undefined);
        await pause(MIN_READY_MS);
      }
    }
    const calls = countReads(await demoCms.calls());
    stopping.abort();
    const seen = await Promise.all(loads.map((load) => load.stop()));
    const { documents, files, versions, failed } = await browsing;
    const sent = await posting;

    const callsOfColdStarts = coldCalls * codes.length;
    const served = seen.flatMap(({ statuses }) =>
      Object.entries(statuses).map(([status, count]) => (isServed(Number(status)) ? count : 0)),
    );
    const asked = seen.reduce((sum, one) => sum + one.asked, 0);
    const lost = served.reduce((sum, count) => sum - count, asked);
    report.seen(
      'rollingDeploy',
      'warm page',
      `${deploys} deploys; ${seen.map(seenText).join(' | ')}; ${lost} failed; ${calls} calls of the upstream of ${callsOfColdStarts} for cold starts`,
      lost === 0 && calls <= callsOfColdStarts * (short ? SHORT_MAX_CALLS_SHARE : MAX_CALLS_SHARE),
    );
    report.seen(
      'rollingDeploy',
      'process',
      `${documents} documents of ${versions} versions, ${files} files of theirs, ${failed.length} failed ${failed.slice(0, 3).join(', ')}; exit codes ${codes.join(', ')}`,
      failed.length === 0 && versions === 2 && codes.every((code) => code === 0),
    );
    const delivered = async () => {
      const arrived = await demoCms.received('contact');
      return sent.filter(({ email }) => arrived.filter((one) => one === email).length === 1).length;
    };
    await eventually(async () => (await delivered()) === sent.length, ARRIVAL_MS);
    const acknowledged = sent.filter(({ status }) => status === 201).length;
    report.seen(
      'rollingDeploy',
      'form post',
      `${sent.length} sent, ${acknowledged} acknowledged, ${await delivered()} delivered once`,
      sent.length > 0 && acknowledged === sent.length && (await delivered()) === sent.length,
    );
  } finally {
    await nginx.stop();
    await Promise.all(instances.map(terminate));
    await demoCms.leave();
    await redis.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

function environment(
  demoCms: DemoCms,
  redisUrl: string,
  dataDir: string,
  assetsDir: string,
): Record<string, string> {
  return {
    API_HOST: demoCms.origin,
    IMAGE_HOST: `${demoCms.origin}/media`,
    IP_LOOKUP_URL: `${demoCms.origin}/lookup?format=json`,
    REDIS_URL: redisUrl,
    DATA_DIR: dataDir,
    ASSETS_DIR: assetsDir,
    ...LONG_TIMEOUT,
    ...LONG_AGES,
  };
}

/** Sums the calls that read content: those of forms, views and the IP lookup are left out. */
function countReads(calls: Record<string, number>): number {
  const reads = Object.entries(calls).filter(([call]) => /^GET \/api\//.test(call));
  return reads.reduce((sum, [, count]) => sum + count, 0);
}

/** Returns the hashed files that documents name. */
async function filesOf(origin: string, paths: readonly string[]): Promise<string[]> {
  const documents = await Promise.all(paths.map((path) => request(origin + path)));
  return [...new Set(documents.flatMap(({ text }) => filesIn(text)))];
}

function filesIn(document: string): string[] {
  return [...new Set([...document.matchAll(/\/assets\/[\w.-]+\.(?:js|css|woff2)/g)].map(([file]) => file))];
}

interface Browsing {
  paths: readonly string[];
  earlierFiles: readonly string[];
  isServed: (status: number) => boolean;
  signal: AbortSignal;
}

/** Loads documents and then their files as a browser does, each through the balancer; and files of the first version. */
async function browse(
  origin: string,
  { paths, earlierFiles, isServed, signal }: Browsing,
): Promise<{ documents: number; files: number; versions: number; failed: string[] }> {
  const failed: string[] = [];
  const entries = new Set<string>();
  let documents = 0;
  let files = 0;
  for (let index = 0; !signal.aborted; index++) {
    const { status, text } = await request(`${origin}${paths[index % paths.length]}`);
    if (!isServed(status)) failed.push(`document ${status}`);
    documents++;
    const own = filesIn(text);
    for (const entry of own.filter((file) => file.includes('/entry-client-'))) entries.add(entry);
    const earlier = earlierFiles[index % earlierFiles.length] ?? '';
    for (const file of [...own, earlier]) {
      const { status: fileStatus } = await request(origin + file);
      if (fileStatus !== 200) failed.push(`${file} ${fileStatus}`);
      files++;
    }
    await pause(READ_PAUSE_MS);
  }
  return { documents, files, versions: entries.size, failed };
}

/** Posts contact messages, each with an address of its own. */
async function post(origin: string, signal: AbortSignal): Promise<{ email: string; status: number }[]> {
  const sent: { email: string; status: number }[] = [];
  while (!signal.aborted) {
    const email = `deployed-${sent.length}@example.com`;
    const { status } = await request(`${origin}/api/contact-messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        firstName: 'Ada',
        lastName: 'Quill',
        email,
        phone: '+1 202-555-0142',
        message: 'A deploy',
        optIn: true,
      }),
    });
    sent.push({ email, status });
    await pause(POST_PAUSE_MS);
  }
  return sent;
}
