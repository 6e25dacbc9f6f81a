import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type SiteUnderTest, startSiteUnderTest } from './site-under-test.ts';

const Content = z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) }));
const Operation = z.object({ responses: z.record(z.string(), z.object({ content: Content.optional() })) });
const Description = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

let site: SiteUnderTest;
let description: z.infer<typeof Description>;

beforeAll(async () => {
  site = await startSiteUnderTest();
  description = Description.parse(await (await fetch(`${site.origin}/api/openapi.json`)).json());
});

afterAll(() => site.close());

/** Whether an answer is what the description says of its call and status. */
function problemsOf(path: string, method: string, status: number, body: unknown): unknown {
  const responses = description.paths[path]?.[method]?.responses ?? {};
  const content = (
    responses[status] ??
    responses[`${String(status)[0]}XX`] ??
    responses[`${String(status)[0]}xx`]
  )?.content;
  const schema = content?.['application/json']?.schema ?? Object.values(content ?? {})[0]?.schema;
  if (!schema) return `no schema for ${method} ${path} ${status}`;
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } });
  return ajv.validate(schema, body) ? null : ajv.errors;
}

async function answerOf(target: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> {
  const response = await fetch(site.origin + target, init);
  return { status: response.status, body: await response.json() };
}

async function firstArticle(): Promise<{ category: string; slug: string }> {
  const home = z.object({ top: z.array(z.object({ category: z.string(), slug: z.string() })) });
  const [first] = home.parse((await answerOf('/api/home')).body).top;
  if (!first) throw new Error('the newsroom has no stories');
  return first;
}

async function firstEvent(): Promise<string> {
  const events = z.object({ events: z.array(z.object({ slug: z.string() })) });
  return events.parse((await answerOf('/api/events')).body).events[0]?.slug ?? '';
}

describe('every answer is as /api/openapi.json describes it', () => {
  it.each([
    ['/api/navigation', '/api/navigation', 200],
    ['/api/home', '/api/home', 200],
    ['/api/tags/{subcategory}', '/api/tags/customer-data', 200],
    ['/api/topics/{category}', '/api/topics/news?page=2', 200],
    ['/api/topics/{category}/{subcategory}', '/api/topics/news/analytics', 200],
    ['/api/events', '/api/events?tab=past&page=1', 200],
    ['/api/search/{category}/{term}', '/api/search/all/consent', 200],
    ['/api/sitemap', '/api/sitemap', 200],
    ['/api/articles/{category}/{slug}', '/api/articles/news/no-such-story', 404],
    ['/api/events/{slug}', '/api/events/no-such-event', 404],
  ])('%s (%s, %i)', async (path, target, status) => {
    const answer = await answerOf(target);
    expect(answer.status).toBe(status);
    expect(problemsOf(path, 'get', status, answer.body)).toBeNull();
  });

  it('an article and an event', async () => {
    const { category, slug } = await firstArticle();
    const article = await answerOf(`/api/articles/${category}/${slug}`);
    expect(problemsOf('/api/articles/{category}/{slug}', 'get', article.status, article.body)).toBeNull();
    const event = await answerOf(`/api/events/${await firstEvent()}`);
    expect(problemsOf('/api/events/{slug}', 'get', event.status, event.body)).toBeNull();
  });

  it.each([
    ['/api/views', { postId: '1' }, 202],
    ['/api/views', {}, 400],
    ['/api/subscriptions', { email: 'described@example.com' }, 201],
    ['/api/subscriptions', { email: 'x' }, 400],
    ['/api/contact-messages', {}, 400],
    [
      '/api/opt-outs',
      {
        firstName: 'Ada',
        lastName: 'Quill',
        email: 'a@example.com',
        phone: '123456',
        message: '',
        optIn: true,
      },
      201,
    ],
  ])('POST %s %j (%i)', async (path, body, status) => {
    const answer = await answerOf(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(status);
    expect(problemsOf(path, 'post', status, answer.body)).toBeNull();
  });

  it('a wrong answer is found: the check can fail', () => {
    expect(problemsOf('/api/sitemap', 'get', 200, { subcategories: 'none' })).not.toBeNull();
  });
});
