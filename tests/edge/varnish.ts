import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SharedCache } from './shared-cache.ts';
import { startSharedCache } from './shared-cache-process.ts';

const VCL = join(import.meta.dirname, '../../deploy/varnish/default.vcl');

/** Compiles the C that Varnish makes of VCL without optimization, which takes most of a start. */
const COMPILER = 'exec gcc -O0 -pthread -fpic -shared -Wl,-x -o %o %s';

/**
 * Starts a real Varnish with `deploy/varnish/default.vcl` on `port`, in front of the site at `backendPort`, and of its second
 * instance where there is one. Rejects where the machine has no `varnishd`.
 */
export async function startVarnish(
  port: number,
  backendPort: number,
  secondPort?: number,
): Promise<SharedCache> {
  const dir = await mkdtemp(join(tmpdir(), 'varnish-'));
  const text = await readFile(VCL, 'utf8');
  const vcl = join(dir, 'default.vcl');
  const second = /^backend default \{[\s\S]*?^\}\n/m.exec(text)?.[0].replace('default', 'second') ?? '';
  const instances =
    secondPort === undefined
      ? text
      : text
          .replace('sub vcl_init', `${second.replace('3000', `${secondPort}`)}$&`)
          .replace('site.add_backend(default);', '$& site.add_backend(second);');
  await writeFile(
    vcl,
    instances
      .replace('.port = "3000"', `.port = "${backendPort}"`)
      // Often, so that tests do not wait; and a busy machine is no sick backend.
      .replaceAll('.interval = 2s; .timeout = 1s', '.interval = 200ms; .timeout = 20s'),
  );
  const options = ['-F', '-j', 'none', '-n', join(dir, 'work'), '-f', vcl, '-a', `127.0.0.1:${port}`];
  const parameters = [
    '-p',
    'http_gzip_support=off',
    '-p',
    'http_resp_hdr_len=17k',
    '-p',
    `cc_command=${COMPILER}`,
  ];
  const storage = ['-s', 'malloc,64m', '-T', 'none'];
  return startSharedCache('varnishd', [...options, ...parameters, ...storage], { port, dir });
}
