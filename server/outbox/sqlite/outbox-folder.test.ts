import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OutboxUnavailable } from '#server/errors.ts';
import type { OutgoingItem } from '#server/outbox/delivery/delivery-attempt.ts';
import { type Outbox, openOutbox } from '#server/outbox/outbox.ts';
import { lockFolder, OutboxLocked } from './private-file.ts';

const quiet = { warn: () => undefined, error: () => undefined };
const view = { postId: '7', address: '93.184.216.34' };

let dir: string;
let delivered: OutgoingItem[];
let predecessor: Outbox;
let successor: Outbox;

function open(waits: { waitMs?: number; submitMs?: number } = {}): Outbox {
  return openOutbox({
    dir,
    ...waits,
    deliver: async (item) => {
      delivered.push(item);
      return { status: 200 };
    },
    logger: quiet,
    clock: { now: () => Date.now(), monotonic: () => Date.now() },
  });
}

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'outbox-'));
  delivered = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  predecessor = open();
  successor = open({ waitMs: 60_000, submitMs: 3_000 });
  successor.start();
});

afterEach(async () => {
  await Promise.all([predecessor.close(0), successor.close(0)]);
  vi.useRealTimers();
  rmSync(dir, { recursive: true, force: true });
});

describe('an outbox whose folder a predecessor still locks', () => {
  it('delivers views meanwhile, and submissions as soon as the predecessor unlocks it', async () => {
    const sent = successor.submit('contact', { email: 'a@example.com' });
    successor.countView(view);
    await vi.advanceTimersByTimeAsync(1_000);
    // A view needs no disk.
    expect(delivered.map(({ kind }) => kind)).toEqual(['view']);
    await predecessor.close(0);
    await vi.advanceTimersByTimeAsync(1_000);
    await successor.owned;
    expect(await sent).toBe('delivered');
    expect(delivered.map(({ kind }) => kind).sort()).toEqual(['contact', 'view']);
  });

  it('refuses a submission that has waited too long, so that none is acknowledged that is not kept', async () => {
    const sent = successor.submit('contact', { email: 'a@example.com' }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await sent).toBeInstanceOf(OutboxUnavailable);
  });

  it('gives up after a minute and says why', async () => {
    const owned = successor.owned.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await owned).toBeInstanceOf(OutboxLocked);
  });

  it('that is closed meanwhile refuses what waits, and leaves the folder alone', async () => {
    const sent = successor.submit('contact', { email: 'a@example.com' }).catch((error: unknown) => error);
    await successor.close(0);
    expect(await sent).toBeInstanceOf(OutboxUnavailable);
    await predecessor.close(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(() => open().closeImmediately()).not.toThrow();
  });
});

function halfOfDatabase(): Buffer {
  const path = join(dir, 'whole.sqlite');
  const db = new DatabaseSync(path);
  db.exec('CREATE TABLE t (a)');
  db.close();
  return readFileSync(path).subarray(0, 4096);
}

describe('a damaged lock file', () => {
  it.each([
    ['no database', () => Buffer.from('no database '.repeat(1_000))],
    ['half a database', halfOfDatabase],
  ])('is replaced, and locks the folder all the same: %s', (_what, bytes) => {
    const damaged = join(dir, 'damaged');
    mkdirSync(damaged);
    writeFileSync(join(damaged, 'outbox.lock'), bytes());
    const unlock = lockFolder(damaged);
    // A process of its own: locks of a file do not exclude their own process.
    const script = `import { lockFolder } from ${JSON.stringify(import.meta.resolve('./private-file.ts'))}; lockFolder(${JSON.stringify(damaged)});`;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
    });
    expect(stderr).toContain('OutboxLocked');
    unlock();
    lockFolder(damaged)();
  });
});
