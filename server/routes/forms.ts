import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ZodObject, z } from 'zod';
import type { FormResult } from '#client/entry-server.tsx';
import { BadRequest, DeliveryFailed, problemOf } from '#server/errors.ts';
import type { RouteRateLimit } from '#server/http/rate-limit/rate-limit.ts';
import type { Outbox, SubmissionKind } from '#server/outbox/outbox.ts';
import { ALREADY_SUBSCRIBED_MESSAGE } from '#shared/form-validation.ts';
import { Accepted, emptyResponse, problems, response } from './api/api-operation.ts';
import type { ApiTag } from './api/openapi.ts';
import { checkCsrf } from './csrf-check.ts';
import { CHECKED, ContactBody, ContactFields, SubscriptionBody } from './form-schemas.ts';

export interface FormRoutesDeps {
  outbox: Pick<Outbox, 'submit'>;
  /** Renders a page with what was typed into its form; such a page is never kept. */
  renderFormResult: (url: string, formResult: FormResult) => Promise<string>;
  publicOrigin: string;
  rateLimit: RouteRateLimit;
}

const TYPED = 'application/x-www-form-urlencoded';

interface Form<Body extends ZodObject> {
  kind: SubmissionKind;
  path: string;
  /** The page that the form stands on. */
  page: string;
  operationId: string;
  summary: string;
  body: Body;
  /** The fields as a form post has them. */
  fields: ZodObject;
  /** Whether the upstream may say that it has this already. */
  mayBeKnown: boolean;
  /** The body of the upstream call, under the upstream's names. */
  payload: (given: z.infer<Body>) => object;
}

type Contact = z.infer<typeof ContactBody>;

function contactPayload({ firstName, lastName, email, phone, message, optIn }: Contact): object {
  return {
    first_name: firstName,
    last_name: lastName,
    email,
    phone,
    message: withPlainLineBreaks(message),
    opt_in: optIn,
  };
}

/** Browsers send line breaks as CRLF in a form post and as LF in JSON: the same message is the same either way. */
function withPlainLineBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

const SUBSCRIPTION: Form<typeof SubscriptionBody> = {
  kind: 'subscription',
  path: '/api/subscriptions',
  page: '/subscribe',
  operationId: 'subscribe',
  summary: 'Subscribes to the newsletter',
  body: SubscriptionBody,
  fields: SubscriptionBody,
  mayBeKnown: true,
  payload: ({ email }) => ({ email }),
};

const CONTACT: Form<typeof ContactBody> = {
  kind: 'contact',
  path: '/api/contact-messages',
  page: '/contact-us',
  operationId: 'sendContactMessage',
  summary: 'Sends a message to the publisher',
  body: ContactBody,
  fields: ContactFields,
  mayBeKnown: false,
  payload: contactPayload,
};

const OPT_OUT: Form<typeof ContactBody> = {
  kind: 'opt-out',
  path: '/api/opt-outs',
  page: '/opt-out-form',
  operationId: 'optOut',
  summary: 'Forbids the sale of personal information',
  body: ContactBody,
  fields: ContactFields,
  mayBeKnown: false,
  payload: contactPayload,
};

/**
 * What readers send: as JSON from the hydrated page, or as a plain form post, whose answer is the page again. On disk
 * before it is answered. Posts from other sites are refused.
 */
export async function formRoutes(app: FastifyInstance, deps: FormRoutesDeps): Promise<void> {
  await app.register(async (forms) => {
    await forms.register(formbody);
    checkCsrf(forms, deps.publicOrigin);
    take(forms, SUBSCRIPTION, deps);
    take(forms, CONTACT, deps);
    take(forms, OPT_OUT, deps);
  });
}

function take<Body extends ZodObject>(app: FastifyInstance, form: Form<Body>, deps: FormRoutesDeps): void {
  const options = { schema: describeForm(form), config: { rateLimit: deps.rateLimit } };
  app.post(form.path, options, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (isTyped(request)) return sendTyped(request.body, reply, form, deps);
    await submit(form, request.body, deps.outbox);
    return reply.code(201).send({ status: 'accepted' });
  });
}

/** What OpenAPI says of a form: a plain form post gets its page again, on success by a redirect. */
function describeForm(form: Form<ZodObject>) {
  const page = { 'text/html': z.string() };
  const location = { type: 'string', description: 'The page of the form, which says that it was sent.' };
  const statuses = [400, 403, ...(form.mayBeKnown ? [409] : []), 413, 415, 429, 500, 502, 503];
  return {
    operationId: form.operationId,
    tags: ['forms'] satisfies ApiTag[],
    summary: form.summary,
    description:
      'On disk before it is answered. From pages of this site, and from clients that are no browser.',
    body: { content: { 'application/json': { schema: form.body }, [TYPED]: { schema: form.fields } } },
    response: {
      201: response('The upstream has taken it; to JSON', { 'application/json': Accepted }),
      303: emptyResponse('The upstream has taken it; to a plain form post', { location }),
      ...problems(statuses, { 400: page, 409: page, 502: page, 503: page }),
    },
  };
}

/** Rejects with what `server/errors.ts` knows a status for, unless the upstream has taken it. */
async function submit<Body extends ZodObject>(
  { kind, body, payload }: Form<Body>,
  sent: unknown,
  outbox: FormRoutesDeps['outbox'],
): Promise<void> {
  const given = body.safeParse(isRecord(sent) ? sent : {});
  if (!given.success) throw new BadRequest('Some fields are not valid.', fieldErrors(given.error));
  const delivery = await outbox.submit(kind, payload(given.data));
  if (delivery === 'already-subscribed') throw new BadRequest(ALREADY_SUBSCRIBED_MESSAGE, null, 409);
  if (delivery !== 'delivered') throw new DeliveryFailed();
}

/** The page again: with its thanks, or with what was typed and what the reader can mend. A failed delivery has no words. */
async function sendTyped<Body extends ZodObject>(
  body: unknown,
  reply: FastifyReply,
  form: Form<Body>,
  { outbox, renderFormResult }: FormRoutesDeps,
): Promise<FastifyReply> {
  const values = typedValues(body, form.body);
  const optIn = CHECKED.some((value) => value === values['optIn']);
  if (!optIn) delete values['optIn'];
  try {
    await submit(form, { ...values, optIn }, outbox);
  } catch (error) {
    const { status, detail, errors = {} } = problemOf(error);
    if (status === 500) throw error;
    const message = status === 409 ? detail : null;
    const html = await renderFormResult(form.page, {
      action: form.path,
      page: form.page,
      values,
      errors,
      message,
    });
    if (status === 503) reply.header('retry-after', '5');
    return reply.code(status).type('text/html; charset=utf-8').send(html);
  }
  return reply.redirect(`${form.page}?sent=1`, 303);
}

/** `mediaType` is in lower case and without parameters (RFC 9110, 8.3.1). */
function isTyped({ mediaType }: FastifyRequest): boolean {
  return mediaType === TYPED;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldErrors(error: z.ZodError): Record<string, string> {
  return Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), message]));
}

/** The form's own fields, and of those only text. */
function typedValues(body: unknown, { shape }: ZodObject): Record<string, string> {
  if (!isRecord(body)) return {};
  return Object.fromEntries(
    Object.keys(shape).flatMap((field) => {
      const value = body[field];
      return typeof value === 'string' ? [[field, withPlainLineBreaks(value)]] : [];
    }),
  );
}
