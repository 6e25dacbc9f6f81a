import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FaultRule } from '#demo/faults.ts';
import { type SiteUnderTest, startSiteUnderTest } from './site-under-test.ts';

const Content = z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) }));
const Operation = z.object({ responses: z.record(z.string(), z.object({ content: Content })) });
const Description = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

let site: SiteUnderTest;
let description: z.infer<typeof Description>;
let places: Record<string, string>;

beforeAll(async () => {
  site = await startSiteUnderTest();
  description = Description.parse(await (await fetch(`${site.origin}/api/openapi.json`)).json());
  places = { '{article}': await firstArticle(), '{event}': await firstEvent() };
});

afterAll(() => site.close());

afterEach(() => site.faults([]));

interface Answer {
  status: number;
  type: string;
  body: unknown;
}

/** What is wrong with an answer by the description of its call; null where nothing is. */
function problemsOf(operation: string, { status, type, body }: Answer): unknown {
  const [method = '', path = ''] = operation.split(' ');
  const responses = description.paths[path]?.[method.toLowerCase()]?.responses ?? {};
  const content = (responses[status] ?? responses[`${String(status)[0]}XX`])?.content;
  const schema = content?.[type]?.schema;
  if (!schema) return `no schema for ${operation} ${status} ${type}`;
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } });
  return ajv.validate(schema, body) ? null : ajv.errors;
}

async function answerOf(target: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(site.origin + target, init);
  const type = response.headers.get('content-type')?.split(';', 1)[0] ?? '';
  return { status: response.status, type, body: await response.json() };
}

async function firstArticle(): Promise<string> {
  const home = z.object({ top: z.array(z.object({ category: z.string(), slug: z.string() })).min(1) });
  const [first] = home.parse((await answerOf('/api/home')).body).top;
  return `${first?.category}/${first?.slug}`;
}

async function firstEvent(): Promise<string> {
  const events = z.object({ events: z.array(z.object({ slug: z.string() })).min(1) });
  return events.parse((await answerOf('/api/events')).body).events[0]?.slug ?? '';
}

const CONTACT = {
  firstName: 'Ada',
  lastName: 'Quill',
  email: 'described@example.com',
  phone: '+1 202-555-0142',
  message: '',
  optIn: true,
};
const failing = (path: string): FaultRule => ({ path, kind: 'status', status: 500, times: 5 });

interface Case {
  operation: string;
  target: string;
  status: number;
  body?: unknown;
  fault?: FaultRule;
}

const CASES: Case[] = [
  { operation: 'GET /api/navigation', target: '/api/navigation', status: 200 },
  { operation: 'GET /api/home', target: '/api/home', status: 200 },
  { operation: 'GET /api/tags/{subcategory}', target: '/api/tags/customer-data', status: 200 },
  {
    operation: 'GET /api/tags/{subcategory}',
    target: '/api/tags/cold',
    status: 503,
    fault: failing('/api/post/tag/cold'),
  },
  { operation: 'GET /api/topics/{category}', target: '/api/topics/news?page=2', status: 200 },
  {
    operation: 'GET /api/topics/{category}/{subcategory}',
    target: '/api/topics/news/analytics',
    status: 200,
  },
  { operation: 'GET /api/articles/{category}/{slug}', target: '/api/articles/{article}', status: 200 },
  { operation: 'GET /api/articles/{category}/{slug}', target: '/api/articles/news/none', status: 404 },
  { operation: 'GET /api/events', target: '/api/events?tab=past&page=1', status: 200 },
  { operation: 'GET /api/events/{slug}', target: '/api/events/{event}', status: 200 },
  { operation: 'GET /api/events/{slug}', target: '/api/events/none', status: 404 },
  { operation: 'GET /api/search/{category}/{term}', target: '/api/search/all/consent', status: 200 },
  {
    operation: 'GET /api/search/{category}/{term}',
    target: '/api/search/all/cold',
    status: 503,
    fault: failing('/api/post/search/all/cold'),
  },
  { operation: 'GET /api/sitemap', target: '/api/sitemap', status: 200 },
  { operation: 'POST /api/views', target: '/api/views', status: 202, body: { postId: '1' } },
  { operation: 'POST /api/views', target: '/api/views', status: 400, body: {} },
  { operation: 'POST /api/views', target: '/api/views', status: 413, body: { postId: 'x'.repeat(20_000) } },
  {
    operation: 'POST /api/subscriptions',
    target: '/api/subscriptions',
    status: 201,
    body: { email: 'new@example.com' },
  },
  {
    operation: 'POST /api/subscriptions',
    target: '/api/subscriptions',
    status: 409,
    body: { email: 'new@example.com' },
  },
  { operation: 'POST /api/subscriptions', target: '/api/subscriptions', status: 400, body: { email: 'x' } },
  {
    operation: 'POST /api/subscriptions',
    target: '/api/subscriptions',
    status: 502,
    body: { email: 'later@example.com' },
    fault: failing('/api/subscribe/add'),
  },
  ...(['contact-messages', 'opt-outs'] as const).flatMap((name): Case[] => {
    const call = { operation: `POST /api/${name}`, target: `/api/${name}` };
    const fault = failing(name === 'opt-outs' ? '/api/optout/add' : '/api/contact/add');
    return [
      { ...call, status: 201, body: CONTACT },
      { ...call, status: 400, body: {} },
      { ...call, status: 502, body: { ...CONTACT, message: 'Later.' }, fault },
    ];
  }),
];

describe('every answer is as /api/openapi.json describes it', () => {
  it.each(CASES)('$operation: $status for $target', async ({ operation, target, status, body, fault }) => {
    if (fault) await site.faults([fault]);
    const headers = { 'content-type': 'application/json' };
    const [method = 'GET'] = operation.split(' ');
    const path = target.replace(/\{\w+\}/, (place) => places[place] ?? place);
    const init = body === undefined ? {} : { method, headers, body: JSON.stringify(body) };
    const answer = await answerOf(path, init);
    expect(answer.status).toBe(status);
    expect(problemsOf(operation, answer)).toBeNull();
  });

  it('and every call that it describes is among those looked at', () => {
    const described = Object.entries(description.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect([...new Set(CASES.map(({ operation }) => operation))].toSorted()).toEqual(described.toSorted());
  });

  it('a wrong answer is found: the check can fail', () => {
    const answer = { status: 200, type: 'application/json', body: { subcategories: 'none' } };
    expect(problemsOf('GET /api/sitemap', answer)).not.toBeNull();
  });
});
