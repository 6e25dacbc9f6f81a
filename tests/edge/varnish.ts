import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SharedCache } from './shared-cache.ts';

const VCL = join(import.meta.dirname, '../../deploy/varnish/default.vcl');

/** Starts a real Varnish with `deploy/varnish/default.vcl` on `port`, in front of the site at `backendPort`. Rejects where the machine has no `varnishd`. */
export async function startVarnish(port: number, backendPort: number): Promise<SharedCache> {
  const dir = await mkdtemp(join(tmpdir(), 'varnish-'));
  const text = await readFile(VCL, 'utf8');
  const vcl = join(dir, 'default.vcl');
  await writeFile(
    vcl,
    text.replace('.port = "3000"', `.port = "${backendPort}"`).replace('interval = 2s', 'interval = 200ms'),
  );
  const options = ['-F', '-j', 'none', '-n', join(dir, 'work'), '-f', vcl, '-a', `127.0.0.1:${port}`];
  const parameters = ['-p', 'http_gzip_support=off', '-p', 'http_resp_hdr_len=17k'];
  const storage = ['-s', 'malloc,64m', '-T', 'none'];
  const child = spawn('varnishd', [...options, ...parameters, ...storage], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += String(chunk);
  });
  const failed = once(child, 'error').then(([error]) => Promise.reject(error));
  failed.catch(() => undefined);
  const exited = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`varnishd ended before it was ready:\n${log}`);
    const isUp = await Promise.race([
      fetch(`${origin}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
      failed,
    ]);
    if (isUp) break;
    await pause(50);
  }
  return {
    origin,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(dir, { recursive: true, force: true });
    },
  };
}
