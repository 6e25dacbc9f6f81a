import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SharedCache } from './shared-cache.ts';

const CONFIGURATION = join(import.meta.dirname, '../../deploy/nginx/nginx.conf');

/** Starts a real nginx with `deploy/nginx/nginx.conf` on `port`, in front of the site at `backendPort`. */
export async function startNginx(port: number, backendPort: number): Promise<SharedCache> {
  const dir = await mkdtemp(join(tmpdir(), 'nginx-'));
  await mkdir(join(dir, 'cache'));
  const text = await readFile(CONFIGURATION, 'utf8');
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${dir}/${name};`,
  );
  await writeFile(
    join(dir, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''} master_process off; daemon off; pid ${dir}/pid;
    error_log ${dir}/error.log;\n${text
      .replace('/var/cache/nginx/site', join(dir, 'cache'))
      .replace('127.0.0.1:3000', `127.0.0.1:${backendPort}`)
      .replace('listen 8080', `listen 127.0.0.1:${port}`)
      .replace('http {', `http { access_log off; ${paths.join(' ')}`)}`,
  );
  const child = spawn('nginx', ['-p', dir, '-c', join(dir, 'nginx.conf')], {
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
  const isUp = () =>
    fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await Promise.race([isUp(), failed]))) {
    if (child.exitCode !== null) throw new Error(`nginx ended before it was ready:\n${log}`);
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
