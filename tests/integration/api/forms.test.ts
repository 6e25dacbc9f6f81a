import request from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { rawRequest, statusesOf } from '../http/raw-request.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

const Submissions = z.object({
  received: z.number(),
  submissions: z.array(z.object({ payload: z.record(z.string(), z.unknown()) })),
});

const CONTACT = {
  firstName: 'Ada',
  lastName: "O'Quill, Jr.",
  email: 'ada@example.com',
  phone: '+1 202-555-0142',
  message: 'One line\nand another',
  optIn: true,
};
const MESSAGES = {
  firstName: 'Please provide a valid first name.',
  lastName: 'Please provide a valid last name.',
  email: 'Please provide a valid email.',
  phone: 'Please provide a valid phone number.',
  optIn: 'Acknowledgment is required !',
};
const FORMS = [
  { path: '/api/contact-messages', page: '/contact-us', kind: 'contact', upstream: '/api/contact/add' },
  { path: '/api/opt-outs', page: '/opt-out-form', kind: 'opt-out', upstream: '/api/optout/add' },
] as const;

let site: SiteUnderTest;
let count = 0;

beforeAll(async () => {
  site = await startSiteUnderTest();
});

afterAll(() => site.close());

afterEach(() => site.faults([]));

/** Returns a submission that no other test has sent: repeats are delivered once. */
function contact(given: Record<string, unknown> = {}) {
  count++;
  return { ...CONTACT, email: `ada-${count}@example.com`, ...given };
}

async function received(kind: string) {
  const response = await fetch(`${site.demoCms}/demo-cms/submissions?kind=${kind}`);
  return Submissions.parse(await response.json()).submissions.map(({ payload }) => payload);
}

const send = (path: string, body: unknown) =>
  request(site.origin)
    .post(path)
    .send(body as object);
const post = (path: string, fields: Record<string, unknown>) =>
  request(site.origin).post(path).type('form').redirects(0).send(fields);

describe.each(FORMS)('POST $path', ({ path, page, kind, upstream }) => {
  it('responds with 201 and delivers the fields under the upstream’s names, and no others', async () => {
    const sent = contact({ extra: 'x' });
    const { headers } = await send(path, sent).expect(201);
    expect(headers['cache-control']).toBe('no-store');
    expect(await received(kind)).toContainEqual({
      first_name: sent.firstName,
      last_name: sent.lastName,
      email: sent.email,
      phone: sent.phone,
      message: sent.message,
      opt_in: true,
    });
  });

  it.each([{ kind: 'status', status: 204 }, { kind: 'html' }, { kind: 'broken-json' }] as const)(
    'takes any ok status for a success, and reads no body (%j)',
    async (fault) => {
      await site.faults([{ path: upstream, times: 1, ...fault }]);
      await send(path, contact()).expect(201);
    },
  );

  it('needs no message', async () => {
    const { message: _, ...rest } = contact();
    await send(path, rest).expect(201);
    await send(path, { ...contact(), message: null }).expect(201);
  });

  it.each([{}, [], null, 'text', { firstName: 1, lastName: {}, email: [], phone: true, optIn: 'true' }])(
    'responds with 400 and the specification’s message for each field of %j',
    async (body) => {
      const response = await request(site.origin)
        .post(path)
        .set('content-type', 'application/json')
        .send(JSON.stringify(body))
        .expect(400);
      if (body !== null) expect(response.body.errors).toEqual(MESSAGES);
      expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
    },
  );

  it.each([
    ['firstName', '12345'],
    ['lastName', '.,@'],
    ['firstName', 'Ada '],
    ['email', 'ada@example'],
    ['email', 'ada@example.com\r\nBcc: x@y.z'],
    ['phone', '12345'],
    ['phone', '1234567890123456'],
    ['optIn', false],
  ] as const)('responds with 400 for %s %j, naming that field alone', async (field, value) => {
    const { body } = await send(path, contact({ [field]: value })).expect(400);
    expect(body.errors).toEqual({ [field]: MESSAGES[field] });
  });

  it('responds with 502 when the upstream fails, and delivers when it is back', async () => {
    await site.faults([{ path: upstream, kind: 'status', status: 500, times: 1 }]);
    const sent = contact();
    await send(path, sent).expect(502);
    await expect.poll(() => received(kind)).toContainEqual(expect.objectContaining({ email: sent.email }));
  });

  it('has a deadline for an upstream that hangs for ever', async () => {
    const shortTimeoutSite = await startSiteUnderTest(
      { UPSTREAM_TIMEOUT_MS: '600' },
      { demoCms: site.demoCms },
    );
    try {
      await site.faults([{ path: upstream, kind: 'hang', times: 1 }]);
      await request(shortTimeoutSite.origin).post(path).send(contact()).expect(502);
    } finally {
      await shortTimeoutSite.close();
    }
  });

  it('as a plain form post leads back to its page, which says that the message was sent', async () => {
    const { optIn: _, ...fields } = contact();
    const { headers } = await post(path, { ...fields, optIn: 'true' }).expect(303);
    expect(headers['location']).toBe(`${page}?sent=1#sent`);
    await request(site.origin)
      .get(`${page}?sent=1`)
      .expect(200)
      .expect(/Thank you for your message\. It has been sent\./);
    const { text } = await request(site.origin).get(page).expect(200);
    expect(text).not.toContain('It has been sent');
  });

  it('as an invalid form post is its page again, status 400, with what was typed and what was wrong', async () => {
    const { text, headers } = await post(path, {
      ...contact({ firstName: '"><script>alert(1)</script>', phone: '12' }),
      optIn: 'true',
      message: 'Two\r\nlines',
    }).expect(400);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['cache-control']).toBe('no-store');
    expect(text).toContain(MESSAGES.firstName);
    expect(text).toContain(MESSAGES.phone);
    expect(text).not.toContain(MESSAGES.email);
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    expect(text).not.toContain('<script>alert(1)');
    expect(text).toMatch(/<textarea[^>]*>Two\nlines<\/textarea>/);
    expect(text).toMatch(/id="phone"[^>]*aria-invalid="true"[^>]*aria-describedby="phone-error"/);
    const { text: next } = await request(site.origin).get(page).expect(200);
    expect(next).not.toContain(MESSAGES.phone);
  });

  it('as a form post without some of its fields says what is wrong with each of them, and with no other', async () => {
    const { text } = await post(path, { lastName: 'Quill', phone: '+44 20 7946' }).expect(400);
    const { text: empty } = await post(path, {}).expect(400);
    for (const message of Object.values(MESSAGES)) expect(empty).toContain(message);
    for (const field of ['firstName', 'email', 'optIn'] as const) expect(text).toContain(MESSAGES[field]);
    expect(text).not.toContain(MESSAGES.lastName);
    expect(text).not.toContain(MESSAGES.phone);
    expect(text).toContain('value="Quill"');
  });

  it('as a form post that could not be delivered is its page again, status 502, with what was typed and no message', async () => {
    await site.faults([{ path: upstream, kind: 'status', status: 500, times: 1 }]);
    const sent = contact();
    const { text } = await post(path, { ...sent, optIn: 'on' }).expect(502);
    expect(text).toContain(`value="${sent.email}"`);
    expect(text).toMatch(/<input type="checkbox"[^>]*checked=""/);
    expect(text).not.toMatch(/field-error|has been sent|Failed to submit/);
  });
});

describe('POST /api/subscriptions', () => {
  it('responds with 201, and 409 for an address that is subscribed already', async () => {
    const email = 'reader@example.com';
    await send('/api/subscriptions', { email }).expect(201);
    const { body } = await send('/api/subscriptions', { email }).expect(409);
    expect(body).toMatchObject({ status: 409, detail: 'This email is already subscribed ❌' });
    expect(await received('subscription')).toContainEqual({ email });
  });

  it.each(['', 'a', 'a@b', 'a b@c.d', '@b.c', 7, null])('responds with 400 for %j', async (email) => {
    const { body } = await send('/api/subscriptions', { email }).expect(400);
    expect(body.errors).toEqual({ email: 'Please enter a valid email address.' });
  });

  it('responds with 502 when the upstream fails', async () => {
    await site.faults([{ path: '/api/subscribe/add', kind: 'status', status: 500, times: 1 }]);
    await send('/api/subscriptions', { email: 'later@example.com' }).expect(502);
  });

  it('as a plain form post says thanks, says that it knows the address, or what is wrong with it', async () => {
    const email = 'plain@example.com';
    const { headers } = await post('/api/subscriptions', { email }).expect(303);
    expect(headers['location']).toBe('/subscribe?sent=1#sent');
    await request(site.origin)
      .get('/subscribe?sent=1')
      .expect(200)
      .expect(/Thank you for subscribing ✅/);
    await post('/api/subscriptions', { email })
      .expect(409)
      .expect(/This email is already subscribed ❌/);
    await post('/api/subscriptions', { email: 'a@b' })
      .expect(400)
      .expect(/Please enter a valid email address\./)
      .expect(/value="a@b"/);
  });
});

describe('a form post from another site', () => {
  const subscribe = (headers: Record<string, string>) =>
    request(site.origin)
      .post('/api/subscriptions')
      .set(headers)
      .send({ email: `other-${++count}@example.com` });

  it.each([
    [{ origin: 'https://evil.example.com' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ origin: 'http://www.example.com' }],
    [{ origin: 'https://user@www.example.com' }],
    [{ origin: 'https://www.example.com/' }],
    [{ origin: 'https://www.example.com', 'sec-fetch-site': 'cross-site' }],
    [{ origin: '' }],
  ])('is refused: %j', async (headers) => {
    await subscribe(headers).expect(403);
  });

  it('is refused where it only has the host of the request: another scheme, userinfo', async () => {
    const { host } = new URL(site.origin);
    for (const origin of [`https://${host}`, `ftp://${host}`, `http://user@${host}`, `http://${host}/`])
      await subscribe({ origin }).expect(403);
    await subscribe({ origin: `https://${host}`, 'sec-fetch-site': 'same-origin' }).expect(201);
  });

  it('is refused without a Host, as HTTP/1.0 has it', async () => {
    const body = '{"email":"hostless@example.com"}';
    const head = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    for (const origin of ['', 'Origin: null\r\n']) {
      const bytes = `POST /api/subscriptions HTTP/1.0\r\n${origin}${head}\r\n${body}`;
      expect(statusesOf(await rawRequest(site.origin, bytes))).toEqual([403]);
    }
  });

  it('is none with the public origin, the request’s own host, or no origin at all', async () => {
    await subscribe({ origin: 'https://www.example.com' }).expect(201);
    await subscribe({ origin: site.origin, 'sec-fetch-site': 'same-origin' }).expect(201);
    await subscribe({}).expect(201);
  });
});

describe('a body that is no form', () => {
  it('is refused when it is too large, of another type, or no JSON', async () => {
    const path = '/api/contact-messages';
    await send(path, contact({ message: 'x'.repeat(70_000) })).expect(413);
    await send('/api/subscriptions', { email: 'x'.repeat(5_000) }).expect(413);
    await request(site.origin).post(path).type('application/xml').send('<a/>').expect(415);
    await request(site.origin).post(path).type('json').send('{"firstName":').expect(400);
  });
});

describe.each([
  ['Hindi', 'नमस्ते दुनिया '],
  ['emoji', '\u{1f600}'],
  ['line breaks', 'a\n'],
])('a message of 5,000 characters in %s', (_script, text) => {
  const message = [...text.repeat(5_000)].slice(0, 5_000).join('');
  const path = '/api/contact-messages';

  it('is taken as JSON, also with every character escaped', async () => {
    await send(path, contact({ message })).expect(201);
    const escaped = JSON.stringify(contact({ message })).replace(
      /[^\0-\x7f]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    await request(site.origin).post(path).type('json').send(escaped).expect(201);
  });

  it('is taken as a form post', async () => {
    const fields = contact({ message: message.replaceAll('\n', '\r\n') });
    await post(path, fields).expect(303);
    expect(await received('contact')).toContainEqual(
      expect.objectContaining({ email: fields.email, message }),
    );
  });

  it('is invalid, not too large, with one character more', async () => {
    const { body } = await send(path, contact({ message: `${message}x` })).expect(400);
    expect(body.errors).toEqual({
      message: 'Please write at most 5,000 characters, none of which is invisible.',
    });
  });
});

it('a message with an invisible character, as word processors have, is told what is wrong', async () => {
  const { body } = await send('/api/contact-messages', contact({ message: 'a\vb' })).expect(400);
  expect(body.errors).toEqual({ message: expect.stringMatching(/invisible/) });
});

describe('a form post that gets no further than its route', () => {
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const path = '/api/contact-messages';

  it.each([
    ['too large', 413, { message: 'x'.repeat(70_000) }, {}],
    ['from another site', 403, {}, { origin: 'https://evil.example' }],
  ])('%s is a page for a browser, a problem for a program', async (_what, status, fields, headers) => {
    const page = await post(path, contact(fields))
      .set({ ...headers, accept: BROWSER })
      .expect(status);
    expect(page.type).toBe('text/html');
    expect(page.text).toMatch(
      new RegExp(`<link rel="stylesheet" [^>]+>.*<h1>${status}: .*Nothing was sent\\.`),
    );
    expect(page.headers['cache-control']).toBe('no-store');
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5', 'text/html;q=0']) {
      const { type } = await post(path, contact(fields))
        .set({ ...headers, accept })
        .expect(status);
      expect([accept, type]).toEqual([accept, 'application/problem+json']);
    }
    const { type } = await send(path, contact(fields))
      .set({ ...headers, accept: BROWSER })
      .expect(status);
    expect(type).toBe('application/problem+json');
  });

  it.each(['multipart/form-data; boundary=x', 'text/plain'])(
    'as %s is a page for a browser',
    async (type) => {
      const page = await request(site.origin)
        .post(path)
        .type(type)
        .set('accept', BROWSER)
        .send('x')
        .expect(415);
      expect(page.text).toMatch(/<h1>415: .*Nothing was sent\./);
      const { type: sent } = await request(site.origin).post(path).type(type).send('x').expect(415);
      expect(sent).toBe('application/problem+json');
    },
  );
});
