import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SharedCache } from './shared-cache.ts';
import { startSharedCache } from './shared-cache-process.ts';

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
      .replace('/var/lib/nginx/site', join(dir, 'cache'))
      .replace('127.0.0.1:3000', `127.0.0.1:${backendPort}`)
      .replace('listen 8080', `listen 127.0.0.1:${port}`)
      .replace('http {', `http { access_log off; ${paths.join(' ')}`)}`,
  );
  return startSharedCache('nginx', ['-p', dir, '-c', join(dir, 'nginx.conf')], { port, dir });
}
