import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { endGroup, endWithThisProcess } from '../child-processes.ts';
import { freePort } from '../free-port.ts';
import { type ContentOptions, createContent, writeMedia } from './content.ts';

const DEBIAN_DIR = '/usr/share/wordpress';
const PHP_DIR = join(import.meta.dirname, 'php');
/** PHP's server handles one request at a time in each. */
const PHP_WORKERS = '6';
const START_MS = 60_000;

/** What plugins and failures change in a WordPress. */
export type Switch = 'closed-users' | 'closed-rest' | 'slow' | 'counted';

/** One address of a WordPress. */
export interface WordpressSite {
  /** Such as `http://127.0.0.1:4100/blog`. */
  url: string;
  stop(): Promise<void>;
}

export interface ServeOptions {
  port?: number;
  /** Path of the folder it seems to be in, such as `/blog`. */
  prefix?: string;
  /** Whether its addresses are `?p=1`. */
  plain?: boolean;
  /** What it says its address is. Default: where it is served. */
  home?: string;
}

/** A WordPress with content, in a folder of its own, with a database server of its own. */
export interface Wordpress {
  url: string;
  /** Ids of the posts that the content names by a key. */
  ids: Readonly<Record<string, number>>;
  /** Serves the same WordPress in another way, at another port. */
  serve(options: ServeOptions): Promise<WordpressSite>;
  /** Runs PHP in WordPress, and returns what it prints. */
  run(php: string): string;
  turn(name: Switch, isOn: boolean): void;
  /** WordPress's own maintenance mode, as during its updates: 503 with HTML. */
  setMaintenance(isOn: boolean): void;
  /** Paths of the REST requests since this was called last. Counts from the first call on. */
  takeRequests(): string[];
  /** Its PHP server, as a machine that does not respond, and again as one that does. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

export interface WordpressOptions extends ContentOptions {
  port?: number;
}

/** Sets up Debian's WordPress with content of our own and serves it by PHP's built-in server. */
export async function startWordpress({ port, ...options }: WordpressOptions = {}): Promise<Wordpress> {
  const dir = mkdtempSync(join(tmpdir(), 'wordpress-'));
  const site = join(dir, 'site');
  const socket = join(dir, 'db.sock');
  /** What each PHP has compiled, for the next one. */
  const compiled = join(dir, 'compiled');
  mkdirSync(compiled);
  const content = createContent(options);
  linkWordpress(site);
  const database = startDatabase(join(dir, 'db'), socket);
  await Promise.all([
    writeMedia(content.media, join(site, 'wp-content/uploads/2026/01')),
    connects(socket, database),
  ]);
  execFileSync('mariadb', [
    '--no-defaults',
    '-uroot',
    `--socket=${socket}`,
    '-e',
    'create database wordpress',
  ]);

  const address = await addressOf({ ...(port !== undefined && { port }) });
  const env = (home: string) => ({
    ...process.env,
    WORDPRESS_DIR: site,
    WORDPRESS_SOCKET: socket,
    WORDPRESS_HOME: home,
    PHP_CLI_SERVER_WORKERS: PHP_WORKERS,
  });
  const flags = ['-d', 'opcache.enable_cli=1', '-d', `opcache.file_cache=${compiled}`];
  const runFile = (file: string, input: string): string =>
    execFileSync('php', [...flags, join(PHP_DIR, file)], {
      env: env(address.url),
      input,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
  const { media, ...written } = content;
  const ids = z
    .record(z.string(), z.number())
    .parse(
      JSON.parse(
        runFile(
          'install.php',
          JSON.stringify({ ...written, media: media.map(({ source: _, ...file }) => file) }),
        ),
      ),
    );
  const sites: WordpressSite[] = [];

  async function serve({ port, prefix = '', plain = false, home }: ServeOptions): Promise<WordpressSite> {
    const at = await addressOf({ ...(port !== undefined && { port }), prefix });
    return servePhp(at, { plain, home: home ?? at.url });
  }

  async function servePhp(
    at: { url: string; port: number; prefix: string },
    { plain, home }: { plain: boolean; home: string },
  ): Promise<WordpressSite & { child: ChildProcess }> {
    const serving = ['-d', 'display_errors=0', '-S', `127.0.0.1:${at.port}`, '-t', site];
    const child = startGroup('php', [...flags, ...serving, join(PHP_DIR, 'router.php')], {
      ...env(home),
      WORDPRESS_PREFIX: at.prefix,
      ...(plain && { WORDPRESS_PLAIN: '1' }),
    });
    const served = { url: at.url, child, stop: () => stopGroup(child) };
    sites.push(served);
    await responds(at.url, child);
    return served;
  }

  const main = await servePhp(address, { plain: false, home: address.url });
  const switchFile = (name: string) => join(site, 'switches', name);
  const signal = (name: NodeJS.Signals) => {
    if (main.child.pid !== undefined) process.kill(-main.child.pid, name);
  };

  return {
    url: address.url,
    ids,
    serve,
    run: (php) => runFile('run.php', php),
    turn: (name, isOn) =>
      isOn ? writeFileSync(switchFile(name), '') : rmSync(switchFile(name), { force: true }),
    setMaintenance: (isOn) =>
      isOn
        ? writeFileSync(join(site, '.maintenance'), '<?php $upgrading = time();')
        : rmSync(join(site, '.maintenance'), { force: true }),
    takeRequests() {
      const file = switchFile('requests');
      const lines = existsSync(file) ? execFileSync('cat', [file], { encoding: 'utf8' }).trim() : '';
      rmSync(file, { force: true });
      writeFileSync(switchFile('counted'), '');
      return lines === '' ? [] : lines.split('\n');
    },
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async close() {
      signal('SIGCONT');
      await Promise.all(sites.map(({ stop }) => stop()));
      await stopGroup(database);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** WordPress's code as Debian has it, with a configuration and a `wp-content` of our own. */
function linkWordpress(site: string): void {
  for (const folder of ['switches', 'wp-content/mu-plugins', 'wp-content/uploads'])
    mkdirSync(join(site, folder), { recursive: true });
  for (const name of readdirSync(DEBIAN_DIR))
    if (!['wp-config.php', 'wp-content', '.htaccess'].includes(name))
      symlinkSync(join(DEBIAN_DIR, name), join(site, name));
  symlinkSync(join(DEBIAN_DIR, 'wp-content/themes'), join(site, 'wp-content/themes'));
  cpSync(join(PHP_DIR, 'wp-config.php'), join(site, 'wp-config.php'));
  cpSync(join(PHP_DIR, 'switches.php'), join(site, 'wp-content/mu-plugins/switches.php'));
}

function startDatabase(dir: string, socket: string): ChildProcess {
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  execFileSync(
    'mariadb-install-db',
    [
      '--no-defaults',
      `--datadir=${dir}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      ...user,
    ],
    { stdio: 'ignore' },
  );
  const flags = [
    '--no-defaults',
    `--datadir=${dir}`,
    `--socket=${socket}`,
    `--pid-file=${socket}.pid`,
    '--skip-networking',
    '--skip-log-bin',
    '--innodb-buffer-pool-size=64M',
    // What a crash would lose is of no use to anybody.
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-doublewrite=0',
    ...user,
  ];
  return startGroup('mariadbd', flags);
}

async function addressOf({ port, prefix = '' }: { port?: number; prefix?: string }) {
  const free = port ?? (await freePort());
  return { url: `http://127.0.0.1:${free}${prefix}`, port: free, prefix };
}

async function connects(socket: string, child: ChildProcess): Promise<void> {
  await until(child, 'the database', async () => existsSync(socket));
}

async function responds(url: string, child: ChildProcess): Promise<void> {
  await until(child, 'PHP', async () => {
    const response = await fetch(`${url}/wp-includes/images/blank.gif`).catch(() => null);
    await response?.body?.cancel();
    return response !== null;
  });
}

async function until(child: ChildProcess, name: string, isReady: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`${name} did not start`);
    await pause(20);
  }
}

/** Starts a process that leads a group, with the processes that it starts. */
function startGroup(command: string, args: string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  return endWithThisProcess(spawn(command, args, { stdio: 'ignore', detached: true, env }), endGroup);
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, 'exit');
  process.kill(-child.pid, 'SIGTERM');
  await exited;
}
