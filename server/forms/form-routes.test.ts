import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { OutboxUnavailable } from '#server/errors.ts';
import { errorHandler } from '#server/http/response/error-handler.ts';
import { createErrorPage } from '#server/http/response/error-page.ts';
import { SCHEMAS_DOCUMENT } from '#server/http/route-schemas.ts';
import type { MessageState } from '#server/outbox/message-types.ts';
import type { SubmissionOutcome } from '#shared/models/submission.ts';
import { defaultSite } from '#shared/site.ts';
import { formRoutes } from './form-routes.ts';

const CONTACT = {
  firstName: 'Ada',
  lastName: 'Quill',
  email: 'ada@example.com',
  phone: '+1 202-555-0142',
  message: 'Two\r\nlines',
};

/**
 * The routes with an outbox that calls `submit`, and a page whose action sends what it gets. `submitted`: the outbox's
 * arguments; `actions`: the fields that the action got, and the outcome.
 */
async function routesOver(submit: () => Promise<MessageState>) {
  const submitted: unknown[] = [];
  const actions: { fields: Record<string, string>; outcome: SubmissionOutcome }[] = [];
  const app = Fastify({ schemaController: SCHEMAS_DOCUMENT });
  await app.register(errorHandler, {
    errorPage: createErrorPage(
      () => '',
      () => defaultSite,
    ),
  });
  await app.register(formRoutes, {
    site: { settings: () => defaultSite },
    config: { publicOrigin: 'https://www.example.com', rateLimit: { read: 0, write: 0, beacon: 0 } },
    outbox: {
      submit(kind, payload) {
        submitted.push([kind, payload]);
        return submit();
      },
    },
    pages: {
      async submit(_url, fields, api) {
        const { firstName = '', lastName = '', email = '', phone = '', message = '' } = fields;
        const submission = { firstName, lastName, email, phone, message, optIn: 'optIn' in fields };
        const outcome = await api.sendContactMessage(submission);
        actions.push({ fields, outcome });
        if (outcome.kind === 'accepted') return null;
        return { status: outcome.kind === 'failed' ? outcome.status : 400, html: '<!DOCTYPE html>' };
      },
    },
  });
  const json = (body: object, type = 'application/json') =>
    app.inject({
      method: 'POST',
      url: '/api/contact-messages',
      headers: { 'content-type': type },
      payload: JSON.stringify(body),
    });
  const formPost = (fields: Record<string, string>, type = 'application/x-www-form-urlencoded') =>
    app.inject({
      method: 'POST',
      url: '/api/contact-messages',
      headers: { 'content-type': type },
      payload: new URLSearchParams(fields).toString(),
    });
  return { json, formPost, submitted, actions };
}

describe('a form', () => {
  it('has the same payload as JSON and as a form post, so that a repeat is recognised', async () => {
    const { json, formPost, submitted } = await routesOver(async () => 'delivered');
    await json({ ...CONTACT, message: 'Two\nlines', optIn: true });
    await formPost({ ...CONTACT, optIn: 'true' });
    expect(submitted).toHaveLength(2);
    expect(JSON.stringify(submitted[0])).toBe(JSON.stringify(submitted[1]));
  });

  it.each([
    'Application/X-WWW-Form-Urlencoded; Charset=UTF-8',
    'APPLICATION/X-WWW-FORM-URLENCODED',
    'application/x-www-form-urlencoded ;charset="utf-8"; x=y',
  ])('that is sent as %s gets its page', async (type) => {
    const { formPost, submitted } = await routesOver(async () => 'delivered');
    const { statusCode, headers } = await formPost({ ...CONTACT, optIn: 'on' }, type);
    expect(statusCode).toBe(303);
    expect(headers['location']).toBe('/contact-us?sent=1#sent');
    expect(submitted).toHaveLength(1);
  });

  it.each(['Application/JSON; Charset=UTF-8', 'application/json;charset=utf-8', 'application/json ; x="y"'])(
    'that is sent as %s gets JSON',
    async (type) => {
      const { json, submitted } = await routesOver(async () => 'delivered');
      const { statusCode, headers } = await json({ ...CONTACT, optIn: true }, type);
      expect(statusCode).toBe(201);
      expect(headers['content-type']).toMatch(/^application\/json/);
      expect(submitted).toHaveLength(1);
    },
  );

  it.each(['application/x-www-form-urlencodedx', 'application/xml', 'multipart/form-data'])(
    'that is sent as %s is refused',
    async (type) => {
      const { formPost, submitted } = await routesOver(async () => 'delivered');
      expect((await formPost({ ...CONTACT, optIn: 'on' }, type)).statusCode).toBe(415);
      expect(submitted).toEqual([]);
    },
  );

  it('that can neither be stored nor delivered is 503, never a success', async () => {
    const { json, formPost, actions } = await routesOver(async () => {
      throw new OutboxUnavailable(new Error('the disk is full'));
    });
    const asJson = await json({ ...CONTACT, optIn: true });
    const asPage = await formPost({ ...CONTACT, optIn: 'true' });
    for (const { statusCode, headers, body } of [asJson, asPage]) {
      expect(statusCode).toBe(503);
      expect(headers['retry-after']).toBeTruthy();
      expect(body).not.toContain('disk');
    }
    expect(actions[0]).toEqual({
      fields: { ...CONTACT, message: 'Two\nlines', optIn: 'true' },
      outcome: { kind: 'failed', status: 503 },
    });
  });

  it('that the upstream rejects is 502, like a failure', async () => {
    const { json } = await routesOver(async () => 'rejected');
    expect((await json({ ...CONTACT, optIn: true })).statusCode).toBe(502);
  });

  it('passes only its own fields to its page, and no box that is sent as unchecked', async () => {
    const { formPost, submitted, actions } = await routesOver(async () => 'delivered');
    const { statusCode } = await formPost({ ...CONTACT, optIn: 'false', extra: 'x' });
    expect(statusCode).toBe(400);
    expect(submitted).toEqual([]);
    expect(actions[0]?.outcome).toEqual({
      kind: 'invalid',
      errors: { optIn: 'Acknowledgment is required !' },
    });
    expect(actions[0]?.fields).not.toHaveProperty('extra');
  });

  it('whose handler throws is 500, not a 4xx', async () => {
    const { formPost, actions } = await routesOver(async () => {
      throw new Error('a bug');
    });
    const { statusCode, body } = await formPost({ ...CONTACT, optIn: 'true' });
    expect(statusCode).toBe(500);
    expect(body).not.toContain('a bug');
    expect(actions).toEqual([]);
  });
});
