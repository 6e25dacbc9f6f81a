import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endWithThisProcess } from '../../child-processes.ts';
import { freePort } from '../../free-port.ts';

const REFERENCE = join(import.meta.dirname, '../../../deploy/nginx/nginx.conf');

export interface Balancer {
  origin: string;
  stop(): Promise<void>;
}

/**
 * Starts nginx with `deploy/nginx/nginx.conf` in front of instances on these ports, as a balancer alone: its cache, which
 * would hide a failure of theirs, is off. `dir`: for its files. Rejects where it does not listen.
 */
export async function startBalancer(dir: string, ports: readonly number[]): Promise<Balancer> {
  await mkdir(dir, { recursive: true });
  const port = await freePort();
  const config = await readFile(REFERENCE, 'utf8');
  await writeFile(join(dir, 'nginx.conf'), asBalancer(config, dir, port, ports));
  const child = spawn('nginx', ['-p', dir, '-c', join(dir, 'nginx.conf'), '-e', join(dir, 'error.log')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // Its workers end with a master that ends by itself.
  endWithThisProcess(child, () => child.kill('SIGTERM'));
  const ended = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  while (!(await listens(origin))) {
    if (child.exitCode !== null)
      throw new Error(`nginx ended: ${await readFile(join(dir, 'error.log'), 'utf8')}`);
    await pause(20);
  }
  return {
    origin,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Replaces addresses and folders, and turns the cache off. Throws where the reference does not have what is replaced. */
function asBalancer(config: string, dir: string, port: number, ports: readonly number[]): string {
  const [server = ''] = /server 127\.0\.0\.1:3000[^;]*;/.exec(config) ?? [];
  const servers = ports.map((one) => server.replace(':3000', `:${one}`)).join('\n');
  const replacements = [
    [/events \{\}/, `${process.getuid?.() === 0 ? 'user root;' : ''} events {}`],
    [/server 127\.0\.0\.1:3000[^;]*;/, servers],
    [/listen 8080;/, `listen 127.0.0.1:${port};`],
    [/proxy_cache site;/, 'proxy_cache off;'],
    [/\/var\/lib\/nginx\/site/, join(dir, 'cache')],
    [/http \{/, `pid ${dir}/pid; daemon off; http { access_log off; ${temporaryPaths(dir)}`],
  ] as const;
  return replacements.reduce((text, [pattern, replacement]) => {
    if (!pattern.test(text)) throw new Error(`deploy/nginx/nginx.conf has no ${pattern}`);
    return text.replace(pattern, () => replacement);
  }, config);
}

function temporaryPaths(dir: string): string {
  const names = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return names.map((name) => `${name}_temp_path ${dir}/${name};`).join(' ');
}

function listens(origin: string): Promise<boolean> {
  return fetch(`${origin}/healthz`).then(
    () => true,
    () => false,
  );
}
