import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FaultRule } from '#demo/faults/faults.ts';
import * as apiPaths from '#shared/site-api.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { type ApiDocument, type ApiResponse, createApiDocument } from './api-document.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

let site: SiteUnderTest;
/** A site whose rate limits are exhausted by the first request. */
let limited: SiteUnderTest;
/** A site that sheds load. */
let overloaded: SiteUnderTest;
let source: string;
let document: ApiDocument;
let places: Record<string, string>;
const seen = new Set<string>();

beforeAll(async () => {
  const limits = { RATE_LIMIT_READ: '1', RATE_LIMIT_WRITE: '1', RATE_LIMIT_BEACON: '1' };
  [site, limited, overloaded] = await Promise.all([
    startSiteUnderTest({ SITE_DIR: 'examples/site' }),
    startSiteUnderTest(limits),
    startSiteUnderTest({}, { isOverloaded: () => true }),
  ]);
  source = await (await fetch(`${site.origin}/api/openapi.json`)).text();
  document = createApiDocument(JSON.parse(source));
  places = { '{article}': await firstArticle(), '{event}': await firstEvent() };
});

afterAll(() => Promise.all([site, limited, overloaded].map((started) => started.close())));

async function firstArticle(): Promise<string> {
  const home = z.object({ top: z.array(z.object({ category: z.string(), slug: z.string() })).min(1) });
  const [first] = home.parse(await (await fetch(`${site.origin}/api/home`)).json()).top;
  return `${first?.category}/${first?.slug}`;
}

async function firstEvent(): Promise<string> {
  const events = z.object({ events: z.array(z.object({ slug: z.string() })).min(1) });
  return events.parse(await (await fetch(`${site.origin}/api/events`)).json()).events[0]?.slug ?? '';
}

interface Asked {
  target: string;
  headers?: Record<string, string>;
  /** Makes the request a POST. */
  body?: { type: string; value: unknown };
  at?: SiteUnderTest;
}

function written({ type, value }: { type: string; value: unknown }): string {
  if (typeof value === 'string') return value;
  const fields = () => Object.entries(Object(value)).map(([name, text]) => [name, String(text)]);
  return type === FORM_TYPE ? new URLSearchParams(fields()).toString() : JSON.stringify(value);
}

async function ask({ target, headers, body, at = site }: Asked): Promise<ApiResponse> {
  const path = target.replace(/\{\w+\}/, (place) => places[place] ?? place);
  const response = await fetch(at.origin + path, {
    redirect: 'manual',
    headers: { ...headers, ...(body && { 'content-type': body.type }) },
    ...(body && { method: 'POST', body: written(body) }),
  });
  const text = await response.text();
  const type = response.headers.get('content-type')?.split(';', 1)[0] ?? '';
  const isJson = type.endsWith('json');
  return { status: response.status, type, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** Validates a response against the document, and the request's body where the status tells whether it was valid. */
function hold(operation: string, response: ApiResponse, body?: { type: string; value: unknown }): void {
  expect(document.problemsOf(operation, response), `${operation} ${response.status}`).toBeNull();
  seen.add(`${operation} ${response.status}`);
  if (response.status === 406 || response.type === 'application/problem+json')
    expect(response.body).toMatchObject({ type: 'about:blank', status: response.status });
  if (body && ![403, 413, 415, 429].includes(response.status))
    expect(document.takesBody(operation, body.type, body.value), JSON.stringify(body.value)).toBe(
      response.status !== 400,
    );
}

describe('the document', () => {
  it('has nothing that a linter would change', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: { 'operation-4xx-problem-details-rfc7807': 'error' },
    });
    const problems = await lintFromString({ source, config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  it('and the linter finds what is wrong: the check can fail', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const without = source.replaceAll(/"operationId":"\w+",/g, '');
    expect(await lintFromString({ source: without, config })).not.toEqual([]);
  });

  it('is compressed, and not sent again to whom it was sent', async () => {
    const target = '/api/openapi.json';
    for (const encoding of ['br', 'gzip']) {
      const headers = { 'accept-encoding': encoding };
      const first = await ask({ target, headers });
      expect(first.headers.get('content-encoding')).toBe(encoding);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[^"]+"$/);
      const again = await ask({ target, headers: { ...headers, 'if-none-match': etag } });
      expect([again.status, again.body]).toEqual([304, '']);
    }
  });

  it('says of the list parameters that none is required', () => {
    const Parameters = z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean() }));
    const { parameters } = JSON.parse(source).paths['/api/events'].get;
    expect(Parameters.parse(parameters)).toEqual([
      { name: 'tab', in: 'query', required: false },
      { name: 'page', in: 'query', required: false },
    ]);
  });
});

const CONTACT = {
  firstName: 'Ada',
  lastName: 'Quill',
  email: 'described@example.com',
  phone: '+1 202-555-0142',
  message: 'Hello',
  optIn: true,
};
const { message: _, ...WITHOUT_MESSAGE } = CONTACT;
const WEB_VITALS = { route: '/', width: 'wide', lcp: 900, inp: null, cls: 0, failedChunks: 0 };

interface Write {
  operation: string;
  target: string;
  /** Status of success by media type. */
  types: Record<string, number>;
  valid: object[];
  invalid: unknown[];
  /** The upstream call that fails. */
  call?: string;
  conflict?: object;
  /** Covered by the CSRF check. */
  ownPagesOnly?: boolean;
}

const fields = [
  { firstName: 'x'.repeat(101) },
  { firstName: '123' },
  { lastName: 'Quill ' },
  { lastName: '' },
  { email: `${'a'.repeat(251)}@b.c` },
  { email: 'a@b' },
  { phone: '12345' },
  { phone: '1234567890123456' },
  { phone: '12  3456' },
  { message: 'x'.repeat(5_001) },
  { message: 'a\u0007b' },
  { optIn: false },
];
const CONTACT_FORM = {
  types: { [JSON_TYPE]: 201, [FORM_TYPE]: 303 },
  valid: [
    CONTACT,
    WITHOUT_MESSAGE,
    { ...CONTACT, firstName: '𝒜'.repeat(100), message: 'x\n'.repeat(2_500), phone: '123456' },
    { ...CONTACT, email: `${'a'.repeat(242)}@example.com`, phone: '(020) 7946-0000', extra: 'x' },
  ],
  invalid: [{}, ...fields.map((field) => ({ ...CONTACT, ...field }))],
  ownPagesOnly: true,
};

const WRITES: Write[] = [
  {
    operation: 'POST /api/views',
    target: apiPaths.countView,
    types: { [JSON_TYPE]: 202 },
    valid: [{ postId: '1' }, { postId: 7 }, { postId: 'a-slug' }, { postId: 'gid://cms/Größe 2.0' }],
    invalid: [
      {},
      ...['', ' a', 'a\n', '\ud800', 'a'.repeat(513), -1, 1.5].map((postId) => ({ postId })),
      [],
      null,
      'x',
    ],
  },
  {
    operation: 'POST /api/vitals',
    target: apiPaths.reportWebVitals,
    types: { [JSON_TYPE]: 204 },
    valid: [WEB_VITALS, { ...WEB_VITALS, lcp: null, inp: 40 }],
    invalid: [
      {},
      { ...WEB_VITALS, width: 'huge' },
      { ...WEB_VITALS, lcp: -1 },
      { ...WEB_VITALS, failedChunks: 0.5 },
    ],
    ownPagesOnly: true,
  },
  {
    operation: 'POST /api/subscriptions',
    target: apiPaths.subscribe,
    types: { [JSON_TYPE]: 201, [FORM_TYPE]: 303 },
    valid: [{ email: 'new@example.com' }, { email: 'ü@ö.de', extra: 'x' }],
    invalid: [{}, { email: 'x' }, { email: 'a b@c.d' }, { email: `${'a'.repeat(251)}@b.c` }],
    call: '/api/subscribe/add',
    conflict: { email: 'twice@example.com' },
    ownPagesOnly: true,
  },
  {
    operation: 'POST /api/contact-messages',
    target: apiPaths.sendContactMessage,
    call: '/api/contact/add',
    ...CONTACT_FORM,
  },
  { operation: 'POST /api/opt-outs', target: apiPaths.sendOptOut, call: '/api/optout/add', ...CONTACT_FORM },
];

/** Values of parameters for which there is something. `{article}` and `{event}` are the first of the demo CMS. */
const EXAMPLES: Partial<Record<string, string>> = {
  [apiPaths.reads.tag]: '/api/tags/customer-data',
  [apiPaths.categoryTopic]: '/api/topics/news?page=2',
  [apiPaths.reads.topic]: '/api/topics/news/analytics',
  [apiPaths.article]: '/api/articles/{article}',
  [apiPaths.reads.author]: '/api/authors/1',
  [apiPaths.reads.event]: '/api/events/{event}',
  [apiPaths.reads.search]: '/api/search/all/consent',
  [apiPaths.reads.ownPage]: '/api/pages/impressum',
};

/** Other targets whose parameters are valid, or nearly. */
const OTHERS: Partial<Record<string, [target: string, status: number][]>> = {
  [apiPaths.categoryTopic]: [
    ['/api/topics/news', 200],
    ['/api/topics/news?page=0', 200],
    ['/api/topics/news?page=two&page=3', 200],
    [`/api/topics/${'x'.repeat(513)}`, 404],
  ],
  [apiPaths.reads.topic]: [[`/api/topics/news/${'x'.repeat(513)}`, 404]],
  [apiPaths.reads.events]: [
    ['/api/events?tab=past&page=2', 200],
    ['/api/events?tab=none&page=-1', 200],
  ],
  [apiPaths.reads.ownPage]: [[`/api/pages/${'x'.repeat(513)}`, 404]],
};

/** Those for which a 404 of the upstream is a failure (503) that leads readers to /404. */
const FAILING: readonly string[] = [apiPaths.categoryTopic, apiPaths.reads.topic];

/** Every path of the API that is read. */
const READS = [...Object.values(apiPaths.reads), apiPaths.categoryTopic, apiPaths.openApi];

describe.each(READS)('GET %s', (path) => {
  const operation = `GET ${path.replace(/:(\w+)/g, '{$1}')}`;
  const target = EXAMPLES[path] ?? path;

  it('is as described: found, unmodified, changed since, not acceptable', async () => {
    const found = await ask({ target });
    expect(found.status, `${operation} in server/api/api-routes.ts, or its example`).toBe(200);
    hold(operation, found);
    const unmodified = await ask({ target, headers: { 'if-none-match': '*' } });
    expect(unmodified.status).toBe(304);
    hold(operation, unmodified);
    const changed = await ask({ target, headers: { 'if-match': '"another"' } });
    expect(changed.status).toBe(412);
    hold(operation, changed);
    const refused = await ask({ target, headers: { 'accept-encoding': '*;q=0' } });
    expect(refused.status).toBe(406);
    hold(operation, refused);
  });

  it('is as described for other parameters', async () => {
    const malformed: [string, number] = [path.replace(/:\w+$/, '%zz').replaceAll(/:\w+/g, 'news'), 400];
    for (const [other, status] of [...(OTHERS[path] ?? []), ...(path.includes(':') ? [malformed] : [])]) {
      const response = await ask({ target: other });
      expect([other, response.status]).toEqual([other, status]);
      hold(operation, response);
    }
  });

  it('is as described where there is nothing', async () => {
    if (FAILING.includes(path) || !document.statusesOf(operation).includes(404)) return;
    await site.faults([{ path: '/api/*', kind: 'status', status: 404 }]);
    const response = await ask({ target: `${path.replaceAll(/:\w+/g, 'never-asked-before')}?page=99` });
    await site.faults([]);
    expect(response.status).toBe(404);
    hold(operation, response);
  });

  it('is as described for a client that asks too often, and under too much load', async () => {
    await ask({ target, at: limited });
    const tooOften = await ask({ target, at: limited });
    expect(tooOften.status).toBe(429);
    hold(operation, tooOften);
    const shed = await ask({ target, at: overloaded });
    expect(shed.status).toBe(503);
    hold(operation, shed);
  });
});

describe.each(WRITES)('$operation', ({ operation, target, types, valid, invalid, call, ...more }) => {
  /** One value for each media type: the upstream accepts an address once. */
  const asFields = (type: string, value: unknown) =>
    type === FORM_TYPE && typeof value === 'object' && value !== null && 'email' in value
      ? { ...value, email: String(value.email).replace(/^(new|described|twice|ü)@/, 'form-$1@') }
      : value;
  /** Encodes the body: a form post has only text, and leaves out a checkbox that is not checked. */
  function bodyOf(type: string, given: unknown) {
    const value = asFields(type, given);
    if (type !== FORM_TYPE) return { type, value };
    const sent = Object.entries(Object(value)).filter(([, field]) => field !== false);
    return { type, value: Object.fromEntries(sent.map(([name, field]) => [name, String(field)])) };
  }

  it.each(Object.entries(types))('takes what is described as valid: %s', async (type, success) => {
    for (const value of valid) {
      const body = bodyOf(type, value);
      const response = await ask({ target, body });
      expect([response.status, body.value]).toEqual([success, body.value]);
      hold(operation, response, body);
    }
  });

  it.each(Object.keys(types))('refuses what is described as invalid: %s', async (type) => {
    for (const value of invalid) {
      const body = bodyOf(type, value);
      const response = await ask({ target, body });
      expect([response.status, body.value]).toEqual([400, body.value]);
      hold(operation, response, body);
    }
  });

  it('refuses bodies of another type or size, and those that another site has sent', async () => {
    const [type = ''] = Object.keys(types);
    const cases: [number, Asked][] = [
      [415, { target, body: { type: 'application/xml', value: '<x/>' } }],
      [415, { target, body: { type: 'text/plain', value: 'x' } }],
      [413, { target, body: { type, value: { more: 'x'.repeat(70_000) } } }],
      [400, { target, body: { type, value: '{"' } }],
    ];
    if (more.ownPagesOnly)
      cases.push([
        403,
        { target, body: { type, value: valid[0] }, headers: { origin: 'https://evil.example' } },
      ]);
    for (const [status, asked] of cases) {
      const response = await ask(asked);
      expect([status, response.status]).toEqual([status, status]);
      expect(response.type).toBe('application/problem+json');
      hold(operation, response);
    }
  });

  it('is as described for a client that asks too often', async () => {
    const body = { type: JSON_TYPE, value: valid[0] };
    await ask({ target, body, at: limited });
    const response = await ask({ target, body, at: limited });
    expect(response.status).toBe(429);
    hold(operation, response, body);
  });

  it.each(Object.keys(types))('is as described where the upstream fails or knows it: %s', async (type) => {
    if (call !== undefined) {
      await site.faults([{ path: call, kind: 'status', status: 500 } satisfies FaultRule]);
      const body = bodyOf(type, { ...valid[0], email: `later-${type.length}@example.com` });
      const failed = await ask({ target, body });
      await site.faults([]);
      expect(failed.status).toBe(502);
      hold(operation, failed, body);
    }
    if (more.conflict !== undefined) {
      const body = bodyOf(type, more.conflict);
      hold(operation, await ask({ target, body }), body);
      const known = await ask({ target, body });
      expect(known.status).toBe(409);
      hold(operation, known, body);
    }
  });
});

it('nothing is described that was not seen, but for a bug and a disk that is full', () => {
  const described = document.operations.flatMap((operation) =>
    document.statusesOf(operation).map((status) => `${operation} ${status}`),
  );
  const unseen = described.filter((response) => !seen.has(response) && !response.endsWith(' 500'));
  expect(unseen.toSorted()).toEqual(
    ['contact-messages', 'opt-outs', 'subscriptions'].map((form) => `POST /api/${form} 503`),
  );
});

it('a wrong response is found: the check can fail', () => {
  const headers = new Headers({ etag: '"x"' });
  const wrong = { status: 200, type: JSON_TYPE, headers, body: { subcategories: 'none' } };
  expect(document.problemsOf('GET /api/sitemap', wrong)).not.toBeNull();
  const right = { ...wrong, body: { sections: [], subcategories: [], failure: null } };
  expect(document.problemsOf('GET /api/sitemap', right)).toBeNull();
  expect(document.problemsOf('GET /api/sitemap', { ...right, status: 201 })).not.toBeNull();
  expect(document.problemsOf('GET /api/sitemap', { ...right, type: 'text/html' })).not.toBeNull();
  expect(document.problemsOf('GET /api/sitemap', { ...right, headers: new Headers() })).not.toBeNull();
});
