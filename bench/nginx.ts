import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { freePort } from '../tests/free-port.ts';
import { cpuSecondsOf, type Measured, pinned, residentBytes, SERVER_CORE } from './processes.ts';

const OWN = new Set([
  'connection',
  'keep-alive',
  'date',
  'content-length',
  'content-encoding',
  'content-type',
  'etag',
  'vary',
]);

/** Whether the machine has nginx, which is not a dependency of the project. */
export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v']).status === 0;
}

/** Starts nginx as one process that serves the identity and gzip bytes of a page as files, with its headers. */
export async function startNginx(page: string): Promise<Measured> {
  const dir = await mkdtemp(join(tmpdir(), 'bench-nginx-'));
  const port = await freePort();
  const headers = await save(page, 'identity', join(dir, 'index.html'));
  await save(page, 'gzip', join(dir, 'index.html.gz'));
  const lines = Object.entries(headers)
    .filter(([name]) => !OWN.has(name))
    .map(([name, value]) => `add_header ${name} '${String(value).replaceAll("'", "\\'")}';`);
  await writeFile(
    join(dir, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''} master_process off; daemon off; pid ${dir}/pid; error_log ${dir}/error.log;
    events { worker_connections 1024; }
    http {
      access_log off; sendfile on; tcp_nopush on; keepalive_requests 10000000; open_file_cache max=10;
      types { text/html html; } charset utf-8;
      client_body_temp_path ${dir}/body; proxy_temp_path ${dir}/proxy; fastcgi_temp_path ${dir}/fastcgi;
      uwsgi_temp_path ${dir}/uwsgi; scgi_temp_path ${dir}/scgi;
      server { listen 127.0.0.1:${port}; root ${dir}; gzip_static on; gzip_vary on; ${lines.join('\n')} }
    }`,
  );
  const [command = '', ...rest] = pinned(SERVER_CORE, ['nginx', '-p', dir, '-c', join(dir, 'nginx.conf')]);
  const child = spawn(command, rest, { stdio: ['ignore', 'inherit', 'inherit'] });
  const origin = `http://127.0.0.1:${port}`;
  await responses(origin);
  return {
    origin,
    memory: () => residentBytes(child.pid ?? 0),
    cpuSeconds: () => cpuSecondsOf(child.pid ?? 0),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function save(page: string, encoding: string, file: string) {
  const { body, headers } = await request(page, { headers: { 'accept-encoding': encoding } });
  await writeFile(file, Buffer.from(await body.arrayBuffer()), { mode: 0o644 });
  return headers;
}

async function responses(origin: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const there = await fetch(origin).then(
      ({ ok }) => ok,
      () => false,
    );
    if (there) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('nginx does not respond');
}
