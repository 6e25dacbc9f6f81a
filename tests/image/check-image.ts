import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../free-port.ts';
import { imageSbom, LIST_CONTENTS } from '../supply/image-sbom.ts';
import { productionSbom } from '../supply/sbom.ts';
import { createBuildahEngine, hasBuildah } from './buildah-engine.ts';
import { type ContainerEngine, execute, type RunOptions } from './container-engine.ts';
import { createDockerEngine, hasDocker } from './docker-engine.ts';

/**
 * Builds the container image from the `Dockerfile` as it is, runs it as an orchestrator would, and checks it. `--keep`:
 * keeps a good image under its version; otherwise it is removed. `--sbom FILE`: writes the list of all that is in it.
 */
const { values: options } = parseArgs({ options: { keep: { type: 'boolean' }, sbom: { type: 'string' } } });

const root = join(import.meta.dirname, '../..');
const IMAGE = 'martech-meridian:check';
/** What the image may add to its base: `/app`, and the allocator. */
const MAX_ADDED_BYTES = 40_000_000;
const START_TIMEOUT_MS = 60_000;
/** Past SHUTDOWN_GRACE_MS: a container that still runs is killed, and its exit code is not 0. */
const STOP_TIMEOUT_MS = 20_000;
const ARTICLE = '/news/pension-fund-asks-about-customer-data';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

let failures = 0;
/** Containers that run, to be stopped where a check throws. */
const running = new Map<ChildProcess, Promise<Ended>>();

/** Prints one line of the report, and counts it if it is a failure. */
function check(what: string, isGood: boolean, detail: unknown = ''): void {
  if (!isGood) failures += 1;
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${what}${detail === '' ? '' : `: ${detail}`}`);
}

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
  milliseconds: number;
}

/** Starts a container and returns its process and how it ends. */
function start(engine: ContainerEngine, options: RunOptions = {}) {
  const began = performance.now();
  const [file, ...args] = engine.runCommand(options);
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
    ([[code], stdout, stderr]): Ended => ({ code, stdout, stderr, milliseconds: performance.now() - began }),
  );
  running.set(child, ended);
  void ended.then(() => running.delete(child));
  return { child, ended, began };
}

/** Sends SIGTERM to a container, and SIGKILL to all of its processes if they do not end. */
async function terminate(child: ChildProcess): Promise<void> {
  const { pid } = child;
  const ended = running.get(child);
  child.kill('SIGTERM');
  const timer = setTimeout(() => pid && process.kill(-pid, 'SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}

/** Runs one command in a container of its own. */
const run = (engine: ContainerEngine, options: RunOptions): Promise<Ended> => start(engine, options).ended;

const runScript = (engine: ContainerEngine, script: string) => run(engine, { command: ['sh', '-c', script] });

/** Starts the site in a container and waits until it is ready. */
async function startSite(engine: ContainerEngine, env: Record<string, string>) {
  const { child, ended, began } = start(engine, { env });
  const origin = `http://127.0.0.1:${env['PORT']}`;
  for (;;) {
    const status = await fetch(`${origin}/readyz`).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) break;
    if (child.exitCode !== null || performance.now() - began > START_TIMEOUT_MS) {
      await terminate(child);
      const { code, stdout, stderr } = await ended;
      throw new Error(`the site is not ready (exit code ${code})\n${stdout}${stderr}`);
    }
    await sleep(20);
  }
  const readyMs = performance.now() - began;
  async function stop(): Promise<Ended> {
    await terminate(child);
    return ended;
  }
  return { origin, readyMs, stop };
}

function isJsonObject(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}

/** SIGTERM ends the site with 0, and all that it wrote is JSON lines on standard output. */
function checkEnd({ code, stdout, stderr }: Ended, which: string): void {
  check(`SIGTERM ends the ${which} start with 0`, code === 0, code);
  const lines = stdout.split('\n').filter(Boolean);
  check(
    `its log is JSON lines on standard output`,
    lines.length > 0 && lines.every(isJsonObject),
    lines.length,
  );
  check('it writes nothing to standard error', stderr === '', stderr);
}

function checkConfig(engine: ContainerEngine): string[] {
  const { User, Healthcheck, Labels } = engine.config();
  check('the image names a user that is not root', !['', 'root', '0'].includes(User), User);
  check('it has labels', Labels['org.opencontainers.image.version'] === version);
  const [kind, ...command] = Healthcheck?.Test ?? [];
  check('it has a health check', kind === 'CMD', command.join(' '));
  return command;
}

async function checkFileSystem(engine: ContainerEngine): Promise<void> {
  const id = await runScript(engine, 'id -u');
  check('a container’s processes are not root’s', Number(id.stdout) > 0, `user id ${id.stdout.trim()}`);
  const folders = '/ /app /app/dist /etc /home/node /usr /var /var/tmp /tmp /data';
  const written = await runScript(
    engine,
    `for f in ${folders}; do touch $f/written 2>/dev/null && echo $f && rm $f/written; done; true`,
  );
  check(
    'only /tmp and /data can be written',
    written.stdout === '/tmp\n/data\n',
    written.stdout.trim().replaceAll('\n', ' '),
  );
}

async function checkContents(engine: ContainerEngine): Promise<void> {
  const added = await runScript(
    engine,
    'du -cbL /app $(ldconfig -p | sed -n "s/.*jemalloc.* => //p") | tail -n 1',
  );
  const size = Number.parseInt(added.stdout, 10);
  const parts = await runScript(engine, 'du -sb /app/node_modules /app/dist /app/demo /app/server');
  const listed = parts.stdout
    .trim()
    .replaceAll(/(\d+)\t\/app\/(\w+)\n?/g, (_, bytes, name) => `, ${name} ${megabytes(bytes)}`);
  check(
    `what is added to the base is at most ${megabytes(MAX_ADDED_BYTES)}`,
    size <= MAX_ADDED_BYTES,
    megabytes(size) + listed,
  );
  const allocator = await runScript(engine, 'grep -c libjemalloc /proc/self/maps');
  check('its allocator is jemalloc', Number(allocator.stdout) > 0, allocator.stderr);
  const licences = await runScript(engine, 'grep -ch "^## " /app/dist/server/main.licences.md');
  check('it has the licences of the bundled packages', Number(licences.stdout) > 100, licences.stdout.trim());
}

const megabytes = (bytes: number | string) => `${(Number(bytes) / 1e6).toFixed(1)} MB`;
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;

/** The list of packages has what the base brings, what is installed and what is bundled. */
async function checkSbom(engine: ContainerEngine): Promise<void> {
  const { code, stdout, stderr } = await runScript(engine, LIST_CONTENTS);
  if (code !== 0) return check('its contents can be listed', false, stderr);
  const sbom = imageSbom(await productionSbom(), stdout);
  const names = new Set(sbom.components.map(({ name }) => name));
  const missing = ['debian', 'node', 'libc6', 'libjemalloc2', 'npm', 'sharp', 'fastify', 'react'].filter(
    (name) => !names.has(name),
  );
  check('its list of packages is whole', missing.length === 0, `${names.size} ${missing.join(' ')}`);
  if (options.sbom) writeFileSync(options.sbom, JSON.stringify(sbom, null, 2));
}

async function checkRunning(engine: ContainerEngine, healthCheck: readonly string[]): Promise<void> {
  const env = { PORT: `${await freePort()}`, OPS_PORT: `${await freePort()}`, CACHE_ARTICLE_TTL: '600' };
  const before = await run(engine, { env, command: healthCheck });
  check('the health check fails where nothing listens', before.code !== 0);

  const first = await startSite(engine, env);
  const home = await fetch(first.origin);
  const html = await home.text();
  check(
    'the demo is served',
    home.status === 200 && html.includes('<h1'),
    `${home.status}, ready in ${seconds(first.readyMs)}`,
  );
  const [, picture = '/none'] = /src="(\/media\/[^"]+)"/.exec(html) ?? [];
  const image = await fetch(new URL(picture.replaceAll('&amp;', '&'), first.origin), {
    headers: { accept: 'image/avif,image/webp' },
  });
  await image.arrayBuffer();
  check('its pictures are', image.status === 200, image.headers.get('content-type'));
  const during = await run(engine, { env, command: healthCheck });
  check(
    'the health check succeeds while it runs',
    during.code === 0,
    `${seconds(during.milliseconds)} with the start of its container ${during.stderr}`,
  );
  const cold = await fetch(`${first.origin}${ARTICLE}`);
  check('an article is loaded at first', cold.status === 200 && isMiss(cold), cacheStatus(cold));
  await cold.text();
  checkEnd(await first.stop(), 'first');

  const second = await startSite(engine, env);
  const warm = await fetch(`${second.origin}${ARTICLE}`);
  check(
    'after a second start on the same /data it is a cache hit',
    warm.status === 200 && cacheStatus(warm).includes('hit') && !isMiss(warm),
    `${cacheStatus(warm)}, ready in ${seconds(second.readyMs)}`,
  );
  await warm.text();
  checkEnd(await second.stop(), 'second');
}

const cacheStatus = ({ headers }: Response): string => headers.get('cache-status') ?? '';
const isMiss = (response: Response): boolean => cacheStatus(response).includes('fwd=miss');

/** Returns the engine of this machine. */
function findEngine(): ContainerEngine | undefined {
  if (hasDocker()) return createDockerEngine(IMAGE);
  if (hasBuildah()) return createBuildahEngine(IMAGE);
  return undefined;
}

/** Ends with success: whether this machine has a network and the rights says nothing of the image. */
function skip(reason: string): never {
  console.log(`skipped: the image cannot be built here: ${reason}`);
  process.exit(0);
}

const [, base = ''] = /^ARG BASE=(\S+)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? [];
const engine = findEngine();
if (!engine)
  skip('no Docker daemon responds, and there is no buildah with debootstrap (Debian’s packages, as root)');
try {
  engine.prepare(base);
} catch (error) {
  engine.remove();
  skip(String(error).replaceAll(/\s+/g, ' '));
}
const began = performance.now();
try {
  engine.build(root, {
    VERSION: version,
    REVISION: execute('git', ['-C', root, 'rev-parse', 'HEAD']).trim(),
  });
  console.log(`ok     built with ${engine.name} in ${seconds(performance.now() - began)}`);
  const healthCheck = checkConfig(engine);
  await checkFileSystem(engine);
  await checkContents(engine);
  await checkSbom(engine);
  await checkRunning(engine, healthCheck);
  if (options.keep && failures === 0) console.log(`kept   ${engine.keep(`martech-meridian:${version}`)}`);
} finally {
  await Promise.all([...running.keys()].map(terminate));
  engine.remove();
}
console.log(
  `${failures === 0 ? 'the image is good' : `${failures} failed`} (${seconds(performance.now() - began)})`,
);
process.exit(failures === 0 ? 0 : 1);
