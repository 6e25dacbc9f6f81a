import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodType } from 'zod';
import { z } from 'zod';
import type { FormEcho } from '#client/entry-server.tsx';
import { BadRequest, DeliveryFailed, problem } from '#server/errors.ts';
import type { Outbox, SubmissionKind } from '#server/outbox/outbox.ts';
import { ALREADY_SUBSCRIBED_MESSAGE } from '#shared/form-rules.ts';
import { ProblemAnswer } from './api-schemas.ts';
import { ContactBody, ContactForm, SubscriptionBody } from './form-schemas.ts';
import { refuseOtherSites } from './same-site.ts';

export interface FormRoutesDeps {
  outbox: Pick<Outbox, 'submit'>;
  /** Renders a page with what was typed into its form; such a page is never kept. */
  renderEcho: (url: string, echo: FormEcho) => Promise<string>;
  publicOrigin: string;
}

interface Form<T> {
  kind: SubmissionKind;
  path: string;
  /** The page that the form stands on. */
  page: string;
  summary: string;
  json: ZodType<T>;
  typed: ZodType<T>;
  /** The body of the upstream call, under the upstream's names. */
  payload: (given: T) => object;
}

type Contact = z.infer<typeof ContactBody>;

function contactPayload({ firstName, lastName, email, phone, message, optIn }: Contact): object {
  return { first_name: firstName, last_name: lastName, email, phone, message, opt_in: optIn };
}

const FORMS = {
  subscription: {
    kind: 'subscription',
    path: '/api/subscriptions',
    page: '/subscribe',
    summary: 'Subscribes to the newsletter',
    json: SubscriptionBody,
    typed: SubscriptionBody,
    payload: ({ email }) => ({ email }),
  } satisfies Form<{ email: string }>,
  contact: {
    kind: 'contact',
    path: '/api/contact-messages',
    page: '/contact-us',
    summary: 'Sends a message to the publisher',
    json: ContactBody,
    typed: ContactForm,
    payload: contactPayload,
  } satisfies Form<Contact>,
  optOut: {
    kind: 'opt-out',
    path: '/api/opt-outs',
    page: '/opt-out-form',
    summary: 'Forbids the sale of personal information',
    json: ContactBody,
    typed: ContactForm,
    payload: contactPayload,
  } satisfies Form<Contact>,
};

/**
 * What readers send: as JSON from the hydrated page, or as a plain form post, whose answer is the page again. On disk
 * before it is answered. Posts from other sites are refused.
 */
export async function formRoutes(app: FastifyInstance, deps: FormRoutesDeps): Promise<void> {
  await app.register(async (forms) => {
    await forms.register(formbody, { bodyLimit: 16 * 1024 });
    refuseOtherSites(forms, deps.publicOrigin);
    take(forms, FORMS.subscription, deps);
    take(forms, FORMS.contact, deps);
    take(forms, FORMS.optOut, deps);
  });
}

function take<T>(app: FastifyInstance, form: Form<T>, deps: FormRoutesDeps): void {
  const schema = {
    summary: form.summary,
    consumes: ['application/json', 'application/x-www-form-urlencoded'],
    body: form.json,
    response: {
      201: z.object({ status: z.literal('accepted') }),
      '4xx': ProblemAnswer,
      '5xx': ProblemAnswer,
    },
  };
  app.post(form.path, { schema }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const typed = isTyped(request);
    const given = (typed ? form.typed : form.json).safeParse(request.body ?? {});
    if (!given.success) {
      const errors = fieldErrors(given.error);
      if (typed) return echo(request, reply, form, deps, { status: 400, errors, message: null });
      throw new BadRequest('Some fields are not valid.', errors);
    }
    const delivery = await deps.outbox.submit(form.kind, form.payload(given.data));
    if (delivery === 'already-subscribed') {
      if (typed)
        return echo(request, reply, form, deps, {
          status: 409,
          errors: {},
          message: ALREADY_SUBSCRIBED_MESSAGE,
        });
      return reply
        .code(409)
        .type('application/problem+json')
        .send(JSON.stringify(problem(409, ALREADY_SUBSCRIBED_MESSAGE)));
    }
    if (delivery !== 'delivered') {
      if (typed) return echo(request, reply, form, deps, { status: 502, errors: {}, message: null });
      throw new DeliveryFailed();
    }
    return typed ? reply.redirect(`${form.page}?sent=1`, 303) : reply.code(201).send({ status: 'accepted' });
  });
}

function isTyped({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
}

function fieldErrors(error: z.ZodError): Record<string, string> {
  return Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.') || 'body', message]));
}

async function echo<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  { page, path }: Form<T>,
  { renderEcho }: FormRoutesDeps,
  { status, errors, message }: { status: number; errors: Record<string, string>; message: string | null },
): Promise<FastifyReply> {
  const html = await renderEcho(page, { action: path, values: typedValues(request.body), errors, message });
  return reply.code(status).type('text/html; charset=utf-8').send(html);
}

function typedValues(body: unknown): Record<string, string> {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
