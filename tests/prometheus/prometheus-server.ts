import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { freePort } from '../free-port.ts';

/** A Prometheus that scrapes one target. */
export interface PrometheusServer {
  /** Evaluates an expression at a moment, in milliseconds since 1970. Null where it has no value. */
  valueAt(expression: string, ms: number): Promise<number | null>;
  stop(): Promise<void>;
}

/** Also the time that a scrape may take. */
const SCRAPE_INTERVAL = '1s';
const POLL_MS = 50;

const QueryResponse = z.object({
  data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.coerce.number()]) })).max(1) }),
});

/** Starts a Prometheus on a free port. Resolves once it has scraped. `target`: origin with `/metrics`. */
export async function startPrometheus(target: string): Promise<PrometheusServer> {
  const dir = await mkdtemp(join(tmpdir(), 'prometheus-'));
  const config = {
    global: { scrape_interval: SCRAPE_INTERVAL, scrape_timeout: SCRAPE_INTERVAL },
    scrape_configs: [{ job_name: 'site', static_configs: [{ targets: [new URL(target).host] }] }],
  };
  // JSON is YAML.
  await writeFile(join(dir, 'prometheus.yml'), JSON.stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const options = {
    'config.file': join(dir, 'prometheus.yml'),
    'storage.tsdb.path': join(dir, 'data'),
    'web.listen-address': address,
    'log.level': 'error',
  };
  const child = spawn(
    'prometheus',
    Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const exited = once(child, 'exit');

  async function valueAt(expression: string, ms: number): Promise<number | null> {
    const query = new URLSearchParams({ query: expression, time: String(ms / 1000) });
    const response = await fetch(`http://${address}/api/v1/query?${query}`);
    if (!response.ok) throw new Error(`${expression}: ${await response.text()}`);
    return QueryResponse.parse(await response.json()).data.result[0]?.value[1] ?? null;
  }

  while ((await valueAt('up', Date.now()).catch(() => null)) !== 1) {
    if (child.exitCode !== null) throw new Error(`Prometheus ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return {
    valueAt,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(dir, { recursive: true, force: true });
    },
  };
}
