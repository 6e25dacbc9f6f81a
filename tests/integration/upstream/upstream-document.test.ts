import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { buildDemoCms } from '#demo/demo-cms.ts';
import { renderArticleHtml } from '#server/article-html/render-article-html.ts';
import { createCmsApi } from '#server/cms/cms-api.ts';
import { cmsCalls } from '#server/cms/cms-calls.ts';
import { readConfig } from '#server/config/config.ts';
import { RESOURCE_TABLE, RESOURCES } from '#shared/models/resources-and-policies.ts';
import { checkUpstream } from '#tools/upstream-conformance.ts';
import { startAdapter } from '#wordpress/adapter.ts';
import { startProcess } from '../../faults/processes/server-process.ts';
import { startFakeWordpress } from '../../fixtures/recorded-wordpress.ts';
import { createApiDocument } from '../api/api-document.ts';

const Media = z.object({ 'application/json': z.object({ example: z.unknown() }) });
const Operation = z.object({
  summary: z.string(),
  requestBody: z.object({ content: Media }).optional(),
  responses: z.record(z.string(), z.object({ content: Media.optional() })),
});
const Document = z.object({
  paths: z.record(z.string(), z.partialRecord(z.enum(['get', 'post']), Operation)),
  components: z.object({
    schemas: z.record(z.string(), z.object({ properties: z.record(z.string(), z.unknown()).optional() })),
  }),
});

/** `check-upstream` asks for a category alone: not every sub-category has posts in one. */
const SUBTOPIC = '/api/post/topic/{cat_slug}/{subcat}';

/** The modules of the normalisers, which export the schemas of what they read: `cmsPost`, `cmsEvent` and so on. */
const NORMALISERS = import.meta.glob<Readonly<Record<string, unknown>>>(
  ['/server/cms/normalise/*.ts', '!**/*.test.ts'],
  { eager: true },
);

/** The calls of what readers send, their parameters by their names in the document. */
const DELIVERIES = [
  cmsCalls.subscribe,
  cmsCalls.contact,
  cmsCalls.postCount('{post_id}'),
  cmsCalls.optOut(readConfig({}).optOutPath),
];

/** Returns a response without one of the fields around its items, and with null in it, for each field. */
function withoutOneField(response: unknown): unknown[] {
  if (!(response instanceof Object) || Array.isArray(response)) return [];
  const fields = Object.entries(response);
  return fields.flatMap(([name, value]) => {
    const others = Object.fromEntries(fields.filter(([other]) => other !== name));
    return [others, ...[null, ...withoutOneField(value)].map((changed) => ({ ...others, [name]: changed }))];
  });
}

const demoCms = buildDemoCms({ dataDir: null });
let source: string;
let document: z.infer<typeof Document>;
let checks: ReturnType<typeof createApiDocument>;
/** What the parameters of the document stand for in the demo CMS. */
let places: Record<string, string>;

beforeAll(async () => {
  source = await readFile(join(import.meta.dirname, '../../../docs/upstream-api.yaml'), 'utf8');
  const json: unknown = parse(source);
  document = Document.parse(json);
  checks = createApiDocument(json);
  const read = async (path: string): Promise<unknown> => (await demoCms.inject(path)).json();
  const Posts = z.array(
    z.object({ id: z.number(), cat_slug: z.string(), post_name: z.string(), post_author_id: z.number() }),
  );
  const [post] = Posts.parse(await read('/api/post/latest'));
  const Events = z.object({
    responseData: z.object({ eventData: z.array(z.object({ event_slug: z.string() })) }),
  });
  const [event] = Events.parse(await read('/api/event/totalevents')).responseData.eventData;
  const Subcategories = z.array(z.object({ subcat_slug: z.string() }));
  const [subcategory] = Subcategories.parse(await read('/api/category/subcatlist'));
  if (!post || !event || !subcategory) throw new Error('the demo CMS has no content');
  places = {
    '{cat_slug}': post.cat_slug,
    '{post_name}': post.post_name,
    '{author_id}': String(post.post_author_id),
    '{post_id}': String(post.id),
    '{subcat}': subcategory.subcat_slug,
    '{event_slug}': event.event_slug,
    '{cat}': 'all',
    '{term}': 'data',
  };
});
afterAll(() => demoCms.close());

const filled = (path: string) => path.replace(/\{\w+\}/g, (name) => places[name] ?? '');

/** Returns how a response violates the document; null where it does not. */
function problemsOfBody(operation: string, body: unknown, status = 200): unknown {
  return checks.problemsOf(operation, { status, type: 'application/json', headers: new Headers(), body });
}

/** Asks the demo CMS, and returns how its response violates the document. */
async function problemsOf(operation: string): Promise<unknown> {
  const [, path = ''] = operation.split(' ');
  const response = await demoCms.inject(filled(path));
  const problems = problemsOfBody(operation, response.json(), response.statusCode);
  return problems && `demo/routes sends ${response.statusCode}: ${JSON.stringify(problems)}`;
}

describe('the OpenAPI document of the upstream', () => {
  it('is valid', async () => {
    const config = await createConfig({ extends: ['spec'] });
    const problems = await lintFromString({ source, config });
    expect(problems.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([]);
  });

  it('has the fields that the site reads, and no others', () => {
    const { schemas } = document.components;
    const entities = Object.values(NORMALISERS).flatMap((module) => Object.entries(module));
    for (const [name, schema] of entities) {
      if (!name.startsWith('cms') || !(schema instanceof z.ZodObject)) continue;
      const { properties = {} } = schemas[name.slice('cms'.length)] ?? {};
      expect(Object.keys(properties).toSorted(), `${name} in docs/upstream-api.yaml`).toEqual(
        Object.keys(schema.shape).toSorted(),
      );
    }
  });

  it('is what the demo CMS responds with', async () => {
    const reads = checks.operations.filter((operation) => operation.startsWith('GET '));
    expect(reads.length).toBeGreaterThan(20);
    for (const operation of reads)
      expect({ operation, problems: await problemsOf(operation) }).toEqual({ operation, problems: null });
  });

  it('has no read that the adapter for WordPress does not have, unless it is optional', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'adapter-'));
    const wordpress = await startFakeWordpress();
    const adapter = await startAdapter({
      wordpressUrl: wordpress.url,
      sections: '',
      submissionsUrl: null,
      authorization: null,
      dataDir,
      optOutPath: readConfig({}).optOutPath,
      timeoutMs: 20_000,
      host: '127.0.0.1',
      port: 0,
      warn: () => undefined,
    });
    const missing: string[] = [];
    for (const [path, { get }] of Object.entries(document.paths)) {
      if (!get || get.summary.startsWith('Optional. ')) continue;
      const text = await (await fetch(adapter.origin + filled(path))).text();
      if (text.includes('There is no such call.')) missing.push(path);
    }
    await adapter.close();
    await wordpress.close();
    await rm(dataDir, { recursive: true });
    expect(missing, 'in wordpress/adapter.ts').toEqual([]);
  });

  it('requires each field around the items without which the site takes a response for malformed', async () => {
    const reads = Object.entries(document.paths).flatMap(([path, { get }]) => {
      const example = get?.responses['200']?.content?.['application/json'].example;
      return get
        ? [{ path, example, filledIn: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`) }]
        : [];
    });
    const checked = new Set<string>();
    const allowed: { path: string; body: unknown }[] = [];
    const cms = createCmsApi({
      client: {
        async get(target, { parse }) {
          const read = reads.find(({ filledIn }) => filledIn.test(target));
          if (read === undefined) throw new Error(`${target} is not in docs/upstream-api.yaml`);
          const { path, example } = read;
          const isMalformed = (body: unknown) => {
            try {
              parse(body);
              return false;
            } catch {
              return true;
            }
          };
          for (const body of withoutOneField(example).filter(isMalformed))
            if (problemsOfBody(`GET ${path}`, body) === null) allowed.push({ path, body });
          checked.add(path);
          return parse(example);
        },
      },
      renderHtml: renderArticleHtml,
      publicOrigin: 'https://site.example.com',
      imageHost: '/media',
      imagesServedBelow: null,
      report: () => undefined,
    });
    // Another test holds what it says of them.
    for await (const _ of checkUpstream(cms, () => []));
    await cms.topic({ category: 'news', subcategory: 'analytics', page: 1, limit: 10 });
    expect(allowed, 'malformed, and allowed in docs/upstream-api.yaml').toEqual([]);
    expect([...checked].toSorted(), 'checked, and documented in docs/upstream-api.yaml').toEqual(
      reads.map(({ path }) => path).toSorted(),
    );
  });

  it('has the reads of the site, and no others, with examples that it makes every page of', async () => {
    const upstream = Fastify();
    const asked = new Set<string>();
    const documented = Object.entries(document.paths).filter(([, { get }]) => get !== undefined);
    for (const [path, { get }] of documented) {
      const example = get?.responses['200']?.content?.['application/json'].example;
      upstream.get(path.replace(/\{(\w+)\}/g, ':$1'), async () => {
        asked.add(path);
        return example;
      });
    }
    upstream.setNotFoundHandler(async ({ url }, reply) => {
      asked.add(url);
      return reply.code(404).send({});
    });
    const origin = await upstream.listen({ port: 0, host: '127.0.0.1' });
    const checking = startProcess(['tools/check-upstream.ts', origin]);
    const code = await checking.ended;
    await upstream.close();
    expect(
      checking.log.filter((line) => !/^(fits {2}|not called)/.test(line)),
      'docs/upstream-api.yaml',
    ).toEqual(['Every page can be made.']);
    expect(code).toBe(0);
    expect([...asked, SUBTOPIC].toSorted(), 'asked, and documented in docs/upstream-api.yaml').toEqual(
      documented.map(([path]) => path).toSorted(),
    );
    const loading = RESOURCES.flatMap((resource) => RESOURCE_TABLE[resource].calls);
    const checked = checking.log.flatMap((line) => /^fits {2,}(\S+) {2}/.exec(line)?.[1] ?? []);
    expect(checked.toSorted(), 'checked, and calls in shared/models/resources-and-policies.ts').toEqual(
      loading.toSorted(),
    );
  });

  it('has the deliveries of the site, and no others', () => {
    const documented = Object.keys(document.paths).filter((path) => document.paths[path]?.post !== undefined);
    const sent = DELIVERIES.map(({ path }) => decodeURIComponent(path));
    expect(documented.toSorted()).toEqual(sent.toSorted());
  });

  it('has examples of what readers send that are valid and that the demo CMS takes', async () => {
    for (const [path, { post }] of Object.entries(document.paths)) {
      if (!post) continue;
      const example = post.requestBody?.content['application/json'].example;
      expect(checks.takesBody(`POST ${path}`, 'application/json', example)).toBe(true);
      const response = await demoCms.inject({
        method: 'POST',
        url: filled(path),
        payload: Object(JSON.parse(JSON.stringify(example).replace('4711', places['{post_id}'] ?? ''))),
        headers: { 'idempotency-key': path },
      });
      expect(response.statusCode).toBeLessThan(300);
    }
  });
});
