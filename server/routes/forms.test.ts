import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import type { FormResult } from '#client/entry-server.tsx';
import { OutboxUnavailable } from '#server/errors.ts';
import { sendError } from '#server/http/error-handler.ts';
import { SCHEMAS_DOCUMENT } from '#server/http/schema-compilers.ts';
import type { MessageState } from '#server/outbox/outbox.ts';
import { formRoutes } from './forms.ts';

const CONTACT = {
  firstName: 'Ada',
  lastName: 'Quill',
  email: 'ada@example.com',
  phone: '+1 202-555-0142',
  message: 'Two\r\nlines',
};

/** The routes over an outbox that does what the test says. `taken`: what it was given; `echoes`: what was rendered. */
async function routesOver(submit: () => Promise<MessageState>) {
  const taken: unknown[] = [];
  const echoes: FormResult[] = [];
  const app = Fastify({ schemaController: SCHEMAS_DOCUMENT });
  app.setErrorHandler(sendError);
  await formRoutes(app, {
    outbox: {
      submit(kind, payload) {
        taken.push([kind, payload]);
        return submit();
      },
    },
    async renderFormResult(_url, formResult) {
      echoes.push(formResult);
      return '<!DOCTYPE html>';
    },
    publicOrigin: 'https://www.example.com',
    rateLimit: false,
  });
  const json = (body: object, type = 'application/json') =>
    app.inject({
      method: 'POST',
      url: '/api/contact-messages',
      headers: { 'content-type': type },
      payload: JSON.stringify(body),
    });
  const typed = (fields: Record<string, string>, type = 'application/x-www-form-urlencoded') =>
    app.inject({
      method: 'POST',
      url: '/api/contact-messages',
      headers: { 'content-type': type },
      payload: new URLSearchParams(fields).toString(),
    });
  return { json, typed, taken, echoes };
}

describe('a form', () => {
  it('has the same payload as JSON and as a plain form post, so that a repeat is known', async () => {
    const { json, typed, taken } = await routesOver(async () => 'delivered');
    await json({ ...CONTACT, message: 'Two\nlines', optIn: true });
    await typed({ ...CONTACT, optIn: 'true' });
    expect(taken).toHaveLength(2);
    expect(JSON.stringify(taken[0])).toBe(JSON.stringify(taken[1]));
  });

  it.each([
    'Application/X-WWW-Form-Urlencoded; Charset=UTF-8',
    'APPLICATION/X-WWW-FORM-URLENCODED',
    'application/x-www-form-urlencoded ;charset="utf-8"; x=y',
  ])('that is sent as %s gets its page', async (type) => {
    const { typed, taken } = await routesOver(async () => 'delivered');
    const { statusCode, headers } = await typed({ ...CONTACT, optIn: 'on' }, type);
    expect(statusCode).toBe(303);
    expect(headers['location']).toBe('/contact-us?sent=1');
    expect(taken).toHaveLength(1);
  });

  it.each(['Application/JSON; Charset=UTF-8', 'application/json;charset=utf-8', 'application/json ; x="y"'])(
    'that is sent as %s gets JSON',
    async (type) => {
      const { json, taken } = await routesOver(async () => 'delivered');
      const { statusCode, headers } = await json({ ...CONTACT, optIn: true }, type);
      expect(statusCode).toBe(201);
      expect(headers['content-type']).toMatch(/^application\/json/);
      expect(taken).toHaveLength(1);
    },
  );

  it.each(['application/x-www-form-urlencodedx', 'application/xml', 'multipart/form-data'])(
    'that is sent as %s is refused',
    async (type) => {
      const { typed, taken } = await routesOver(async () => 'delivered');
      expect((await typed({ ...CONTACT, optIn: 'on' }, type)).statusCode).toBe(415);
      expect(taken).toEqual([]);
    },
  );

  it('that can neither be kept nor delivered is answered 503, never as a success', async () => {
    const { json, typed, echoes } = await routesOver(async () => {
      throw new OutboxUnavailable(new Error('the disk is full'));
    });
    const asJson = await json({ ...CONTACT, optIn: true });
    const asPage = await typed({ ...CONTACT, optIn: 'true' });
    for (const { statusCode, headers, body } of [asJson, asPage]) {
      expect(statusCode).toBe(503);
      expect(headers['retry-after']).toBeTruthy();
      expect(body).not.toContain('disk');
    }
    expect(echoes[0]).toMatchObject({
      page: '/contact-us',
      values: { ...CONTACT, message: 'Two\nlines', optIn: 'true' },
      errors: {},
      message: null,
    });
  });

  it('that the upstream refuses for good is answered like a failure', async () => {
    const { json } = await routesOver(async () => 'rejected');
    expect((await json({ ...CONTACT, optIn: true })).statusCode).toBe(502);
  });

  it('gives back to its page only its own fields, and takes no box that is sent as unchecked', async () => {
    const { typed, taken, echoes } = await routesOver(async () => 'delivered');
    const { statusCode } = await typed({ ...CONTACT, optIn: 'false', extra: 'x' });
    expect(statusCode).toBe(400);
    expect(taken).toEqual([]);
    expect(echoes[0]?.errors).toEqual({ optIn: 'Acknowledgment is required !' });
    expect(echoes[0]?.values).not.toHaveProperty('extra');
  });

  it('whose handling breaks is answered 500 and not as if the reader were at fault', async () => {
    const { typed, echoes } = await routesOver(async () => {
      throw new Error('a bug');
    });
    const { statusCode, body } = await typed({ ...CONTACT, optIn: 'true' });
    expect(statusCode).toBe(500);
    expect(body).not.toContain('a bug');
    expect(echoes).toEqual([]);
  });
});
