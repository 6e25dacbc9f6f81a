import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AUDIT_FILE, createAuditLog, MAX_ENTRIES } from './audit-log.ts';

let dir: string;
let errors: string[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'audit-'));
  errors = [];
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const REQUEST = { ip: '192.0.2.7', id: 'request-1', headers: {} };

function open(place = dir) {
  return createAuditLog({
    dir: place,
    logger: { warn: () => undefined, error: (_fields: object, text = '') => void errors.push(text) },
    tokenNameOf: () => 'OPS_TOKEN',
    wallClock: () => Date.UTC(2026, 0, 2, 3, 4, 5),
  });
}

const whats = async (log = open()) => (await log.entries()).map(({ what }) => what);

it('keeps who changed what from where, before and after, for a process that starts later', async () => {
  await open().record(REQUEST, { what: 'policy of topic', before: { ttl: 30 }, after: { ttl: 60 } });
  expect(await open().entries()).toEqual([
    {
      id: expect.any(String),
      at: '2026-01-02T03:04:05.000Z',
      who: 'OPS_TOKEN',
      from: '192.0.2.7',
      requestId: 'request-1',
      what: 'policy of topic',
      before: { ttl: 30 },
      after: { ttl: 60 },
    },
  ]);
  expect((await stat(join(dir, AUDIT_FILE))).mode & 0o777).toBe(0o600);
});

it('survives a process that is killed right after', async () => {
  const script = `
    import { createAuditLog } from ${JSON.stringify(import.meta.resolve('./audit-log.ts'))};
    const silent = { warn() {}, error() {} };
    const log = createAuditLog({ dir: process.argv[1], logger: silent, tokenNameOf: () => 'OPS_TOKEN', wallClock: Date.now });
    await log.record({ ip: '192.0.2.7', id: 'request-1', headers: {} }, { what: 'purge' });
    process.send('recorded');
    setInterval(() => undefined, 1_000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, dir], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await whats()).toEqual(['purge']);
});

it('returns the newest first, and at most a thousand', async () => {
  const log = open();
  await Promise.all(
    Array.from({ length: MAX_ENTRIES + 5 }, (_, index) => log.record(REQUEST, { what: `change ${index}` })),
  );
  const found = await whats();
  expect(found).toHaveLength(MAX_ENTRIES);
  expect(found[0]).toBe(`change ${MAX_ENTRIES + 4}`);
  expect(found.at(-1)).toBe('change 5');
});

it('parses no more than it returns, however large the file is', async () => {
  const log = open();
  await log.record(REQUEST, { what: 'old' });
  const path = join(dir, AUDIT_FILE);
  const line = JSON.parse((await readFile(path, 'utf8')).trim());
  const lines = Array.from({ length: 20_000 }, (_, id) => `\n${JSON.stringify({ ...line, id: `${id}` })}`);
  await writeFile(path, lines.join(''));
  const parse = vi.spyOn(JSON, 'parse');
  const found = await log.entries();
  expect(parse).toHaveBeenCalledTimes(MAX_ENTRIES);
  parse.mockRestore();
  expect([found[0]?.id, found.at(-1)?.id]).toEqual(['19999', '19000']);
});

it('reads past a line that a kill has cut, and what comes after it is whole', async () => {
  await open().record(REQUEST, { what: 'first' });
  const path = join(dir, AUDIT_FILE);
  await writeFile(path, `${await readFile(path, 'utf8')}\n{"id":"torn","at":"2026`);
  await open().record(REQUEST, { what: 'second' });
  expect(await whats()).toEqual(['second', 'first']);
});

it('keeps entries in memory while the disk fails, and writes them with the next', async () => {
  const place = join(dir, 'data');
  await writeFile(place, 'a file where the directory should be');
  const log = open(place);
  await log.record(REQUEST, { what: 'first' });
  expect(errors).toEqual(['the audit log could not be written: its last entries are in memory alone']);
  expect(await whats(log)).toEqual(['first']);
  await rm(place);
  await mkdir(place);
  await log.record(REQUEST, { what: 'second' });
  expect(await whats(open(place))).toEqual(['second', 'first']);
});

it('cuts what is too long, so that the file stays bounded', async () => {
  const log = open();
  const tags = Array.from({ length: 1_000 }, (_, index) => `post:${index}`);
  await log.record(REQUEST, { what: 'purge', asked: { tags } });
  const [entry] = await log.entries();
  expect(entry?.asked).toMatch(/^\{"tags":\["post:0".{300,500}…$/);
});

it('rewrites a file that has grown, keeping the last thousand entries', async () => {
  const log = open();
  await log.record(REQUEST, { what: 'old' });
  const path = join(dir, AUDIT_FILE);
  const line = JSON.parse((await readFile(path, 'utf8')).trim());
  const lines = Array.from(
    { length: 12_000 },
    (_, index) => `\n${JSON.stringify({ ...line, id: `${index}`, what: `old ${index} ${'x'.repeat(800)}` })}`,
  );
  await writeFile(path, lines.join(''));
  await log.record(REQUEST, { what: 'new' });
  expect((await stat(path)).size).toBeLessThan(1_500_000);
  const found = await whats();
  expect(found).toHaveLength(MAX_ENTRIES);
  expect(found[0]).toBe('new');
  expect(found[1]).toMatch(/^old 11999 /);
});
