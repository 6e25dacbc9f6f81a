import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readConfig } from '#server/config/config.ts';
import { installSystemPackage } from '../../system-package.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { commandsOf, documentedCommands } from './documented-commands.ts';
import { configurationNames } from './variable-names.ts';

const root = join(import.meta.dirname, '../../..');

/** Scripts of `package.json`, and the file that runs each: a test, or what the script itself is. */
const TESTED_BY: Record<string, string> = {
  'check-upstream': 'tests/integration/upstream/check-upstream.test.ts',
  'drill:deploy': 'tests/faults/scenarios/rolling-deploy.ts',
  image: 'tests/image/check-image.ts',
  release: 'tests/supply/release.test.ts',
  sbom: 'tests/supply/supply.test.ts',
  wordpress: 'wordpress/adapter.test.ts',
  'wordpress:submissions': 'wordpress/adapter.test.ts',
  'wordpress:redirects': 'tests/wordpress/wordpress.test.ts',
};
/** Variables that Node and its packages read, and the test of each. */
const READ_BY_OTHERS = new Set([
  'HTTPS_PROXY',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'DATA_DIR',
]);

const commands = documentedCommands();
const unmarked = commands.filter(({ isMarked }) => !isMarked);
const isCurl = ({ command }: { command: string }) => command.startsWith('curl ');

let site: SiteUnderTest;
let id: string;
beforeAll(async () => {
  if (!existsSync('/usr/bin/curl')) installSystemPackage('curl');
  site = await startSiteUnderTest();
  // A message that waits for an operator, and is rejected again where it is tried.
  await site.faults([{ path: '/api/subscribe/add', kind: 'status', status: 400 }]);
  await request(site.origin).post('/api/subscriptions').send({ email: 'ada@example.com' });
  const { body } = await request(site.ops).get('/outbox').expect(200);
  [{ id }] = z.object({ messages: z.tuple([z.object({ id: z.string() })]) }).parse(body).messages;
});
afterAll(() => site.close());

/** Runs a command of curl against the site, and resolves to curl's exit code and what it printed. */
function runCurl(command: string): Promise<{ code: number; output: string }> {
  const script = command
    .replace('http://ops.internal:3001', site.ops)
    .replace('localhost:3000', site.origin)
    // What streams ends by itself after a second.
    .replace(/^curl /, `curl --silent --show-error --fail --max-time ${command.includes(' -N ') ? 1 : 30} `);
  const env = {
    ...process.env,
    ops: site.ops,
    site: site.origin,
    OPS_PURGE_TOKEN: 'not asked for on loopback',
    id,
  };
  return new Promise((resolve) => {
    execFile('sh', ['-c', script], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

describe('the commands of the operators’ pages', () => {
  it('are found with their marks, each once and whole', () => {
    const page = [
      'Ask `curl $ops/a`, see `npm start`.',
      '',
      '```sh',
      'one \\',
      '  more   # why',
      "two '",
      "x # y'",
      '```',
      'Not run here:',
      '```sh',
      'three',
      '```',
    ].join('\n');
    expect(commandsOf('page', page).map(({ command, isMarked }) => [command, isMarked])).toEqual([
      ['curl $ops/a', false],
      ['one    more', false],
      ["two '\nx # y'", false],
      ['three', true],
    ]);
    expect(commands.length).toBeGreaterThan(50);
  });

  it.each(unmarked.filter(isCurl).map(({ page, command }) => [command, page]))(
    '%s (%s) does what it says',
    async (command) => {
      const { code, output } = await runCurl(command);
      // 28: what streams was still streaming.
      expect(code, output).toBe(command.includes(' -N ') ? 28 : 0);
    },
  );

  it.each(unmarked.filter((one) => !isCurl(one)).map(({ page, command }) => [command, page]))(
    '%s (%s) is run by a test, or its configuration is one',
    (command, page) => {
      const words = /^(?<variables>(?:[A-Z_]+=\S+ )*)(?<rest>.*)$/s.exec(command)?.groups ?? {};
      const variables = (words['variables'] ?? '').trim().split(' ').filter(Boolean);
      const env = Object.fromEntries(variables.map((one) => one.split('=', 2)));
      const rest = words['rest'] ?? '';
      for (const name of Object.keys(env))
        expect(configurationNames().has(name) || READ_BY_OTHERS.has(name), name).toBe(true);
      expect(() => readConfig(env)).not.toThrow();
      const script = /^npm run (?:--silent )?([\w:-]+)/.exec(rest)?.[1];
      if (script) {
        const { scripts } = z
          .object({ scripts: z.record(z.string(), z.string()) })
          .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
        expect(Object.keys(scripts)).toContain(script);
        expect(existsSync(join(root, TESTED_BY[script] ?? 'none')), `a test of ${script}`).toBe(true);
      } else if (rest.startsWith('node -e ')) {
        expect(page).toBe('docs/operating/backup-and-restore.md');
        expect(existsSync(join(root, 'tests/integration/operators/backup.test.ts'))).toBe(true);
      } else if (rest.startsWith('varnishd ')) {
        const tested = readFileSync(join(root, 'tests/edge/varnish.ts'), 'utf8');
        const parameters = [...rest.matchAll(/-p (\S+)/g)].map(([, parameter]) => String(parameter));
        expect(parameters.filter((parameter) => !tested.includes(`'${parameter}'`))).toEqual([]);
      } else expect(rest === 'npm start' || rest.startsWith('ops='), `no test runs ${command}`).toBe(true);
    },
  );
});
