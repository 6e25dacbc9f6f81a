import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startProcess } from '../faults/processes/server-process.ts';
import { startFakeWordpress } from '../fixtures/recorded-wordpress.ts';
import { freePort } from '../free-port.ts';
import { startSharedCache } from './shared-cache-process.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/operating/wordpress.md'), 'utf8');

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** The documented configuration in a language, with the file that it includes, as `wordpress:redirects` prints it. */
async function documented(language: string, format: string, included: string) {
  const dir = mkdtempSync(join(tmpdir(), `redirects-${language}-`));
  const wordpress = await startFakeWordpress();
  opened.push(wordpress.close);
  const printing = startProcess(['wordpress/wordpress.ts', 'redirects', wordpress.url, '--format', format]);
  expect(await printing.ended).toBe(0);
  writeFileSync(join(dir, included), printing.log.join('\n'));
  const [, text = ''] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(GUIDE) ?? [];
  return { dir, text: text.replace(included, join(dir, included)) };
}

async function expectRedirects(origin: string): Promise<void> {
  const locationOf = async (path: string) => {
    const response = await fetch(origin + path, { redirect: 'manual' });
    const location = response.headers.get('location') ?? '';
    return [response.status, location.replace(origin, '')];
  };
  for (const path of ['/2026/02/every-block/', '/2026/02/every-block', '/2026/02/every-block/?utm_source=a'])
    expect([path, await locationOf(path)]).toEqual([path, [301, '/featured/every-block']]);
  expect(await locationOf('/category/interviews/?a=b')).toEqual([301, '/topic/interview']);
  expect((await locationOf('/category/%E6%97%A5%E6%9C%AC/'))[0]).toBe(301);
  expect((await locationOf('/healthz'))[0]).toBe(200);
}

it('nginx redirects old addresses of a WordPress with the documented configuration', async () => {
  const { dir, text } = await documented('nginx', 'nginx', 'redirects.map');
  const [http = '', server = ''] = text.split('# in server');
  const port = await freePort();
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${dir}/${name};`,
  );
  writeFileSync(
    join(dir, 'nginx.conf'),
    `master_process off; daemon off; pid ${dir}/pid; error_log ${dir}/error.log; events {}
    http { access_log off; ${paths.join(' ')} ${http}
      server { listen 127.0.0.1:${port}; ${server} location / { return 200; } } }`,
  );
  const nginx = await startSharedCache('nginx', ['-p', dir, '-c', join(dir, 'nginx.conf')], { port, dir });
  opened.push(nginx.stop);
  await expectRedirects(nginx.origin);
});

it('Varnish redirects old addresses of a WordPress with the documented configuration', async () => {
  const { dir, text } = await documented('vcl', 'vcl', 'redirects.vcl');
  const port = await freePort();
  const vcl = join(dir, 'default.vcl');
  const rest = 'sub vcl_recv { return (synth(200)); }';
  writeFileSync(vcl, `vcl 4.1;\nbackend default none;\n${text}\n${rest}`);
  const options = ['-F', '-j', 'none', '-n', join(dir, 'work'), '-f', vcl, '-a', `127.0.0.1:${port}`];
  const varnish = await startSharedCache('varnishd', [...options, '-T', 'none'], { port, dir });
  opened.push(varnish.stop);
  await expectRedirects(varnish.origin);
});
