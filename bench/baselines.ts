import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { freePort } from '../tests/free-port.ts';
import type { Baseline } from './baseline-builds.ts';
import { launchBrowser } from './browser.ts';
import { PHONE, type Round, scorePage } from './lighthouse-score.ts';
import { median, p99, requestsPerCpuSecond, waitOfReaders } from './load.ts';
import type { Measured } from './processes.ts';

/** Controls of the demo CMS during the comparison. */
export interface ControlledDemoCms {
  faults(rules: readonly Record<string, unknown>[]): Promise<void>;
  forgetCalls(): Promise<void>;
  /** Number of calls by method and path. */
  calls(): Promise<Record<string, number>>;
}

export interface BaselinesOptions {
  ours: { name: string; start(): Promise<Measured> };
  baselines: readonly Baseline[];
  demoCms: ControlledDemoCms;
  /** Path of the article that is warm. */
  article: string;
  /** Paths of at least two articles that are not requested before they are measured. */
  cold: readonly string[];
  rounds: number;
  seconds: number;
  tell(what: string, values: Record<string, string>): void;
}

const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd' };
const PLAIN = { 'accept-encoding': 'identity' };
const STAMPEDE_READERS = 500;
const STAMPEDE_LATENCY_MS = 20;
/** All sites cache for a minute. */
const PAST_FRESH_MS = 62_000;
const STALE_WAIT_MS = 20_000;

/** Compares sites that render the same pages from the same upstream, in alternating rounds. Prints medians and counts. */
export async function compareBaselines(options: BaselinesOptions): Promise<void> {
  const { ours, baselines, demoCms, article, cold, rounds, seconds, tell } = options;
  const running = new Map<string, Measured>();
  const starts: Record<string, string> = {};

  async function startUp(name: string, start: () => Promise<Measured>): Promise<Measured> {
    const began = performance.now();
    const site = await start();
    await (await fetch(site.origin)).text();
    starts[name] =
      `${Math.round(performance.now() - began)} ms, ${site.cpuSeconds().toFixed(2)} s of processor time`;
    running.set(name, site);
    return site;
  }

  const { origin } = await startUp(ours.name, ours.start);
  for (const { name, start } of baselines) await startUp(name, () => start(origin));
  tell('start, until the first home page is there', starts);

  async function each(measure: (site: Measured) => Promise<string>): Promise<Record<string, string>> {
    const values: Record<string, string> = {};
    for (const [name, site] of running) values[name] = await measure(site);
    return values;
  }

  async function speeds(
    paths: ReadonlyMap<string, string>,
    headers: Record<string, string>,
  ): Promise<Record<string, string>> {
    const asked = [...paths].flatMap(([name, path]) => {
      const site = running.get(name);
      return site ? [{ name, measure: () => requestsPerCpuSecond(site, path, headers, seconds) }] : [];
    });
    const measured = new Map<string, number[]>(asked.map(({ name }) => [name, []]));
    for (const { measure } of asked) await measure();
    for (let round = 0; round < rounds; round++)
      for (const { name, measure } of asked) measured.get(name)?.push(await measure());
    const own = median(measured.get(ours.name) ?? []);
    return Object.fromEntries(
      [...measured].map(([name, values]) => {
        const speed = median(values);
        const times = name === ours.name ? '' : ` (ours: ${(own / speed).toFixed(1)} times)`;
        return [name, `${Math.round(speed)}${times}`];
      }),
    );
  }

  const everywhere = (path: string) => new Map([...running.keys()].map((name) => [name, path]));

  /** Serves our home page's bytes from each baseline that can: without rendering, the cost of serving is left. */
  function sameBytes(encoding: string): Map<string, string> {
    const paths = new Map([[ours.name, '/']]);
    for (const { name, sameBytes: pathOf } of baselines) if (pathOf) paths.set(name, pathOf(encoding));
    return paths;
  }

  for (const [name, path] of [
    ['home', '/'],
    ['article', article],
  ] as const) {
    for (const site of running.values()) await (await fetch(site.origin + path)).text();
    tell(
      `${name}, requests a second of processor time, as a browser asks`,
      await speeds(everywhere(path), BROWSER),
    );
    tell(`${name}, requests a second of processor time, uncompressed`, await speeds(everywhere(path), PLAIN));
    tell(
      `${name}, p99 for eight readers`,
      await each(async ({ origin }) => `${(await waitOfReaders(origin + path, seconds)).toFixed(1)} ms`),
    );
    tell(`${name}, bytes of the document and of all scripts, as a browser gets them`, await weigh(path));
  }
  for (const encoding of ['br', 'identity']) {
    const what = `our home page byte for byte, ${encoding}, requests a second of processor time`;
    tell(what, await speeds(sameBytes(encoding), { 'accept-encoding': encoding }));
  }
  tell('article, Lighthouse on a phone: performance', await scores(article));
  tell('memory after that', await each(async (site) => `${Math.round(site.memory() / 1e6)} MB`));

  async function scores(path: string): Promise<Record<string, string>> {
    const port = await freePort();
    const browser = await launchBrowser(`--remote-debugging-port=${port}`);
    const seen = await each(async ({ origin }) => {
      const runs: Round[] = [];
      for (let round = 0; round < rounds; round++) runs.push(await scorePage(origin + path, port, PHONE));
      const performance = median(runs.map((run) => run.scores['performance'] ?? Number.NaN));
      const largest = median(runs.map((run) => run.metrics['largest-contentful-paint'] ?? Number.NaN));
      return `${performance}, LCP ${Math.round(largest)} ms`;
    });
    await browser.close();
    return seen;
  }

  async function weigh(path: string): Promise<Record<string, string>> {
    const browser = await launchBrowser();
    const weights = await each(async ({ origin }) => {
      const page = await browser.newPage();
      const scripts: Promise<number>[] = [];
      page.on('requestfinished', (asked) => {
        if (asked.resourceType() === 'script')
          scripts.push(asked.sizes().then(({ responseBodySize }) => responseBodySize));
      });
      const document = await page.goto(origin + path, { waitUntil: 'networkidle' });
      const { responseBodySize } = (await document?.request().sizes()) ?? { responseBodySize: Number.NaN };
      const scriptBytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
      await page.close();
      return `${(responseBodySize / 1e3).toFixed(1)} kB and ${(scriptBytes / 1e3).toFixed(1)} kB`;
    });
    await browser.close();
    return weights;
  }

  await demoCms.faults([{ path: '/api/*', kind: 'latency', ms: STAMPEDE_LATENCY_MS }]);
  const calls: Record<string, string> = {};
  const waits = await each(async (site) => {
    await demoCms.forgetCalls();
    const wait = await stampede(site.origin + cold[0]);
    const counted = Object.entries(await demoCms.calls()).filter(([call]) => call.includes('/postdetails/'));
    calls[nameOf(site)] = String(counted.reduce((sum, [, count]) => sum + count, 0));
    return `${Math.round(wait)} ms`;
  });
  tell(`${STAMPEDE_READERS} readers of one cold article: p99`, waits);
  tell(`${STAMPEDE_READERS} readers of one cold article: upstream calls for it`, calls);

  await demoCms.faults([]);
  for (const site of running.values()) await (await fetch(site.origin + article)).text();
  await pause(PAST_FRESH_MS);
  await demoCms.faults([{ path: '/api/*', kind: 'hang' }]);
  tell(
    'the upstream hangs: an article past its minute',
    await each(({ origin }) => responseOf(origin + article)),
  );
  tell(
    'the upstream hangs: an article nobody read',
    await each(({ origin }) => responseOf(origin + cold[1])),
  );
  await demoCms.faults([]);
  for (const site of running.values()) await site.stop();

  function nameOf(site: Measured): string {
    return [...running].find(([, one]) => one === site)?.[0] ?? '';
  }
}

/** Returns the 99th percentile of the wait of concurrent readers, in milliseconds. */
async function stampede(url: string): Promise<number> {
  const dispatcher = new Agent({ connections: STAMPEDE_READERS, pipelining: 1 });
  const waits = await Promise.all(
    Array.from({ length: STAMPEDE_READERS }, async () => {
      const began = performance.now();
      const { statusCode, body } = await request(url, { dispatcher, headers: BROWSER });
      await body.dump();
      if (statusCode !== 200) throw new Error(`a reader of the stampede got ${statusCode}`);
      return performance.now() - began;
    }),
  );
  await dispatcher.close();
  return p99(waits);
}

async function responseOf(url: string): Promise<string> {
  const began = performance.now();
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(STALE_WAIT_MS) });
    await response.text();
    return `${response.status} after ${Math.round(performance.now() - began)} ms`;
  } catch {
    return `nothing within ${STALE_WAIT_MS / 1_000} s`;
  }
}
