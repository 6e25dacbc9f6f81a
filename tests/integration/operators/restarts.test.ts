import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import request from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Change } from '#shared/models/ops/ops-schemas.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

const Latest = z.array(z.object({ cat_slug: z.string(), post_name: z.string() })).min(1);

describe('the samples of the metrics', () => {
  it('survive a restart, which they show, and a file that is not valid is ignored', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'samples-'));
    const history = async (site: SiteUnderTest) =>
      (await request(site.ops).get('/metrics-history').expect(200)).body;
    try {
      const before = await startSiteUnderTest({ DATA_DIR: dir });
      for (let nth = 0; nth < 3; nth++) await request(before.origin).get('/events').expect(200);
      await before.close();
      expect((await stat(join(dir, 'metrics.samples'))).size).toBeLessThan(2_000_000);
      const after = await startSiteUnderTest({ DATA_DIR: dir });
      const { series, values, at } = await history(after);
      await after.close();
      expect(at.length).toBeGreaterThanOrEqual(2);
      const requests = series.indexOf('http_requests_total{status="200"}');
      expect(values.map((row: (number | null)[]) => row[requests])).toContain(3);
      await writeFile(join(dir, 'metrics.samples'), 'torn');
      const again = await startSiteUnderTest({ DATA_DIR: dir });
      expect((await history(again)).series).not.toContain('http_requests_total{status="200"}');
      await again.close();
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});

describe('the changes of operators', () => {
  it('are listed with who, from, to and the call that takes them back, the newest first', async () => {
    const own = await startSiteUnderTest();
    try {
      await request(own.ops).patch('/cache/policies/topic').send({ ttl: 77 }).expect(200);
      await request(own.ops)
        .post('/cache/purge')
        .send({ tags: ['topic'] })
        .expect(200);
      await request(own.ops).patch('/cache/mode').send({ mode: 'freeze' }).expect(200);
      const { body } = await request(own.ops).get('/changes').expect(200);
      expect(body.changes).toMatchObject([
        { what: 'cache mode', before: { mode: 'normal' }, after: { mode: 'freeze' } },
        { what: 'purge', asked: { tags: ['topic'] }, after: { entries: 0 }, undo: null },
        { what: 'policy of topic', before: { ttl: 30 }, after: { ttl: 77 } },
      ]);
      for (const change of body.changes) expect(change).toMatchObject({ who: 'no token', from: '127.0.0.1' });
      for (const { undo } of body.changes)
        if (undo) await request(own.ops).patch(undo.path).send(undo.body).expect(200);
      expect((await request(own.ops).get('/cache/mode')).body.mode).toBe('normal');
      expect((await request(own.ops).get('/cache/policies')).body.topic.ttl).toBe(30);
    } finally {
      await own.close();
    }
  });

  it('of a policy take back the ages they changed alone, and nothing where they changed none', async () => {
    const own = await startSiteUnderTest();
    try {
      for (const change of [{ ttl: 77 }, { swr: 500 }, { swr: 500 }])
        await request(own.ops).patch('/cache/policies/topic').send(change).expect(200);
      const { body } = await request(own.ops).get('/changes').expect(200);
      const undos = body.changes.map(({ undo }: Change) => undo?.body ?? null);
      expect(undos).toEqual([null, { swr: 600 }, { ttl: 30 }]);
    } finally {
      await own.close();
    }
  });
});

describe('changed policies and a restart', () => {
  let dir: string;
  let log: string[];
  beforeEach(async () => {
    log = [];
    dir = await mkdtemp(join(tmpdir(), 'ops-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  async function withSite<T>(work: (own: SiteUnderTest) => Promise<T>, env = {}): Promise<T> {
    const logger = pino({ level: 'warn' }, { write: (line: string) => void log.push(line) });
    const own = await startSiteUnderTest({ DATA_DIR: dir, ...env }, { logger });
    try {
      return await work(own);
    } finally {
      await own.close();
    }
  }

  const policyOf = async (own: SiteUnderTest) => (await request(own.ops).get('/cache/policies')).body.topic;

  it('survive it, readable by their owner alone, while unchanged fields follow the configuration', async () => {
    await withSite((own) => request(own.ops).patch('/cache/policies/topic').send({ ttl: 77 }).expect(200));
    expect((await stat(join(dir, 'cache-policies.json'))).mode & 0o777).toBe(0o600);
    const after = await withSite(policyOf, { CACHE_TOPIC_SWR: '11' });
    expect(after).toMatchObject({ ttl: 77, swr: 11, configured: { ttl: 30, swr: 11 } });
  });

  it('stay removed after a DELETE', async () => {
    await withSite(async (own) => {
      await request(own.ops).patch('/cache/policies/topic').send({ ttl: 77 }).expect(200);
      await request(own.ops).delete('/cache/policies/topic').expect(200);
    });
    expect(JSON.parse(await readFile(join(dir, 'cache-policies.json'), 'utf8'))).toEqual({});
    expect(await withSite(policyOf)).toMatchObject({ ttl: 30, changed: false });
  });

  it.each(['{"topic":{"ttl":', '{"topic":{"ttl":-5}}', '{"topics":{"ttl":5}}', '[]'])(
    'are ignored with one line in the log where the file holds %s',
    async (text) => {
      await writeFile(join(dir, 'cache-policies.json'), text);
      expect(await withSite(policyOf)).toMatchObject({ ttl: 30, changed: false });
      expect(log.filter((line) => line.includes('persisted cache policies ignored'))).toHaveLength(1);
    },
  );
});

describe('a restart', () => {
  it('has what was cached: a page of before needs no call of the upstream', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'warm-'));
    try {
      const env = { DATA_DIR: dir, CACHE_HOME_TTL: '3600', CACHE_LATEST_TTL: '3600' };
      const before = await startSiteUnderTest(env);
      const [post] = Latest.parse(await (await fetch(`${before.demoCms}/api/post/latest`)).json());
      const article = `/${post?.cat_slug}/${post?.post_name}`;
      for (const path of ['/events', '/', article]) await request(before.origin).get(path).expect(200);
      await before.close();
      const after = await startSiteUnderTest(env);
      try {
        for (const path of [article, '/', '/events']) await request(after.origin).get(path).expect(200);
        // The views of the process before may arrive meanwhile.
        expect(Object.keys(await after.calls()).filter((call) => call.startsWith('GET /api/'))).toEqual([]);
      } finally {
        await after.close();
      }
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});

describe('a purge', () => {
  it('is not undone where the process is killed at once: what it names does not come back, and the rest is warm', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'purged-'));
    const saved = await mkdtemp(join(tmpdir(), 'killed-'));
    try {
      const before = await startSiteUnderTest({ DATA_DIR: dir });
      for (const path of ['/events', '/topic/news']) await request(before.origin).get(path).expect(200);
      await before.close();
      const own = await startSiteUnderTest({ DATA_DIR: dir });
      await request(own.ops)
        .post('/cache/purge')
        .send({ tags: ['events'] })
        .expect(200);
      // What a process leaves that is killed now.
      await cp(dir, saved, { recursive: true, filter: (file) => !file.endsWith('.lock') });
      await own.close();
      const after = await startSiteUnderTest({ DATA_DIR: saved });
      try {
        const { body } = await request(after.ops).get('/cache').expect(200);
        expect(body.events.entries).toBe(0);
        expect(body.topic.entries).toBe(1);
      } finally {
        await after.close();
      }
    } finally {
      for (const each of [dir, saved]) await rm(each, { recursive: true, force: true });
    }
  });
});
