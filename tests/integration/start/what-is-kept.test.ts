import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '#server/config/config.ts';
import { openTracing } from '#server/tracing/tracing.ts';
import { createLogLines } from '../http/log-lines.ts';
import { startSiteUnderTest } from '../site-under-test.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../traces/otlp-receiver.ts';

/** What a reader types, sends and is known by, none of which any file or record may keep once it is delivered. */
const TERM = 'jane.quillfeather';
const EMAIL = 'iris.brambleton@example.com';
const ADDRESS = '45.67.89.10';
/** The first bytes of a gzip file, as snapshots are. */
const GZIP = 0x1f8b;
const SECRETS = [TERM, EMAIL, ADDRESS];

const lines = createLogLines('info', () => fields());
let fields: () => object = () => ({});
let receiver: OtlpReceiver;
let dir: string;
let metrics: string;

/** Reads as a reader does, cold and warm, also with paths that are not canonical, and stops the site. */
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'what-is-kept-'));
  receiver = await startOtlpReceiver();
  const tracingEnv = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, OTEL_TRACES_SAMPLER: 'always_on' };
  const tracing = await openTracing(readConfig(tracingEnv).tracing);
  fields = () => tracing.logFields?.() ?? {};
  const site = await startSiteUnderTest(
    { DATA_DIR: dir, TRUST_PROXY: 'true' },
    { logger: lines.logger, tracing },
  );
  const from = (test: request.Test) => test.set('x-forwarded-for', ADDRESS).redirects(0);
  for (const path of [
    `/search/all/${TERM}`,
    `/search/all/${TERM}@example.com`,
    `/search/all/${TERM}%40example.com/?page=2`,
    `/SEARCH/all/${TERM}`,
    `/api/search/all/${TERM}`,
    `/search?term=${TERM}`,
    `/%2e%2e/search/all/${TERM}`,
    `//search/all/${TERM}`,
  ])
    for (const _time of ['cold', 'warm']) await from(request(site.origin).get(path));
  const { body } = await from(request(site.origin).get('/api/home'));
  await from(
    request(site.origin).get(`/${body.top[0].category}/${body.top[0].slug}`).set('accept', 'text/html'),
  );
  await from(request(site.origin).post('/api/subscriptions').send({ email: EMAIL })).expect(201);
  await vi.waitFor(
    async () => expect((await request(site.ops).get('/outbox')).text).not.toContain(ADDRESS),
    60_000,
  );
  metrics = (await request(site.ops).get('/metrics')).text;
  await site.close();
  await receiver.close();
});
afterAll(() => rm(dir, { recursive: true, force: true }));

describe.each(SECRETS)('%s', (secret) => {
  it('is in no line of the log', () => {
    expect(lines.text()).toContain('/search/:category/:term');
    expect(lines.text()).not.toContain(secret);
  });

  it('is in no trace', () => {
    const traces = JSON.stringify(receiver.spans, (_name, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(traces).toContain('/search/:category/:term');
    expect(traces).not.toContain(secret);
  });

  it('is in no metric', () => expect(metrics).not.toContain(secret));

  it('is in no file of DATA_DIR', async () => {
    const files = await readdir(dir, { recursive: true, withFileTypes: true });
    const holding: string[] = [];
    for (const file of files.filter((one) => one.isFile())) {
      const stored = await readFile(join(file.parentPath, file.name));
      const content = stored.length > 1 && stored.readUInt16BE(0) === GZIP ? gunzipSync(stored) : stored;
      if (content.includes(secret)) holding.push(file.name);
    }
    expect(files.length).toBeGreaterThan(0);
    expect(holding).toEqual([]);
  });
});
