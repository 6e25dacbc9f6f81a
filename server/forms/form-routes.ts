import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type ZodObject, z } from 'zod';
import { Accepted, type ApiTag, emptyResponse, problems, response } from '#server/api/openapi.ts';
import type { Config } from '#server/config/config.ts';
import { BadRequest, DeliveryFailed } from '#server/errors.ts';
import { csrfCheck } from '#server/http/csrf-check.ts';
import { routeRateLimit } from '#server/http/rate-limit.ts';
import { parseRequest } from '#server/http/route-schemas.ts';
import type { SubmissionKind } from '#server/outbox/message-types.ts';
import type { Outbox } from '#server/outbox/outbox.ts';
import { problemOf, RETRY_AFTER_S } from '#server/problem-details.ts';
import type { PageResponses } from '#server/render/page-responses.ts';
import type { Site } from '#server/site/site.ts';
import { EMAIL_RULE, type TextRule } from '#shared/form-rules.ts';
import type { SubmissionOutcome } from '#shared/models/submission.ts';
import type { SubmissionApi } from '#shared/site-api.ts';
import * as apiPaths from '#shared/site-api.ts';
import * as en from '#shared/texts/en.ts';
import {
  bodyLimitOf,
  CHECKED,
  CONTACT_RULES,
  ContactBody,
  ContactFields,
  EmailBody,
  FORM_POST,
  isFormPost,
  SubscriptionBody,
} from './form-schemas.ts';

export interface FormRoutesOptions {
  config: Pick<Config, 'publicOrigin' | 'rateLimit'>;
  outbox: Pick<Outbox, 'submit'>;
  pages: Pick<PageResponses, 'submit'>;
  site: Pick<Site, 'settings'>;
}

interface Form<Body extends ZodObject> {
  kind: SubmissionKind;
  path: string;
  /** Path of the page that has the form. */
  page: string;
  operationId: string;
  summary: string;
  body: Body;
  /** The fields in a form post. */
  fields: ZodObject;
  rules: readonly TextRule[];
  /** The body of the upstream call, under the upstream's names. */
  payload: (given: z.infer<Body>) => object;
}

/** Of what is sent; none where it has none, such as a list. */
const AnyFields = z.record(z.string(), z.unknown()).catch({});

/** Browsers send line breaks as CRLF in a form post and as LF in JSON: the same message must be equal either way. */
function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

const SUBSCRIPTION: Form<typeof SubscriptionBody> = {
  kind: 'subscription',
  path: apiPaths.subscribe,
  page: '/subscribe',
  operationId: 'subscribe',
  summary: 'Subscribes to the newsletter',
  body: SubscriptionBody,
  fields: SubscriptionBody,
  rules: [EMAIL_RULE],
  payload: ({ email }) => ({ email }),
};

const CONTACT: Form<typeof ContactBody> = {
  kind: 'contact',
  path: apiPaths.sendContactMessage,
  page: '/contact-us',
  operationId: 'sendContactMessage',
  summary: 'Sends a message to the publisher',
  body: ContactBody,
  fields: ContactFields,
  rules: CONTACT_RULES,
  payload: ({ firstName, lastName, email, phone, message, optIn }) => ({
    first_name: firstName,
    last_name: lastName,
    email,
    phone,
    message: withLineFeeds(message),
    opt_in: optIn,
  }),
};

const OPT_OUT: Form<typeof ContactBody> = {
  ...CONTACT,
  kind: 'opt-out',
  path: apiPaths.sendOptOut,
  page: '/opt-out-form',
  operationId: 'optOut',
  summary: 'Forbids the sale of personal information',
};

/** The opt-out form of a publisher who asks for no more than the address. */
const OPT_OUT_BY_EMAIL: Form<typeof EmailBody> = {
  ...OPT_OUT,
  body: EmailBody,
  payload: ({ email }) => ({ email, opt_in: true }),
};

/**
 * The forms, as JSON from the hydrated page or as a form post without scripts. The response to a form post is the page,
 * on success by a redirect. A submission is on disk before the response is sent. Cross-site posts are refused.
 */
export async function formRoutes(app: FastifyInstance, options: FormRoutesOptions): Promise<void> {
  await app.register(formbody);
  await app.register(csrfCheck, options);
  const { config, outbox, pages, site } = options;

  /** Rejects with an error of `server/errors.ts`, which has its status, unless the upstream has accepted it. */
  async function submit<Body extends ZodObject>({ kind, body, payload }: Form<Body>, sent: unknown) {
    const given = parseRequest(body, AnyFields.parse(sent), 'Some fields are not valid.');
    const delivery = await outbox.submit(kind, payload(given));
    if (delivery === 'already-subscribed') throw new BadRequest(en.alreadySubscribed, null, 409);
    if (delivery !== 'delivered') throw new DeliveryFailed();
  }

  const submitters: Record<SubmissionKind, (sent: unknown) => Promise<void>> = {
    subscription: (sent) => submit(SUBSCRIPTION, sent),
    contact: (sent) => submit(CONTACT, sent),
    // The site says, with each submission, which fields its opt-out form has.
    'opt-out': (sent) =>
      site.settings().forms.optOut.fields === 'email'
        ? submit(OPT_OUT_BY_EMAIL, sent)
        : submit(OPT_OUT, sent),
  };
  /** What the actions of the pages submit by. */
  const api: SubmissionApi = {
    subscribe: (email) => outcomeOf(submitters.subscription({ email })),
    sendContactMessage: (submission) => outcomeOf(submitters.contact(submission)),
    sendOptOut: (submission) => outcomeOf(submitters['opt-out'](submission)),
  };

  /**
   * Runs the action of the form's page, which submits. Redirects to the page's message on success (Post/Redirect/Get), else
   * sends the page with the typed values and a message per invalid field. A failed delivery shows no message (specification, section 8).
   */
  async function respondToFormPost(form: Form<ZodObject>, body: unknown, reply: FastifyReply) {
    const fields = textFields(body, form.body);
    // For the page a box is checked where its field is there.
    if (!CHECKED.some((value) => value === fields['optIn'])) delete fields['optIn'];
    const page = await pages.submit(form.page, fields, api);
    if (page === null) return reply.redirect(`${form.page}?sent=1#sent`, 303);
    if (page.status === 503) reply.header('retry-after', RETRY_AFTER_S);
    return reply.code(page.status).type('text/html; charset=utf-8').send(page.html);
  }

  const routeConfig = { rateLimit: routeRateLimit(config.rateLimit, 'write') };
  for (const form of [SUBSCRIPTION, CONTACT, OPT_OUT]) {
    const bodyLimit = bodyLimitOf(form.rules);
    const routeOptions = { schema: describeForm(form), bodyLimit, config: routeConfig };
    app.post(form.path, routeOptions, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      if (isFormPost(request)) return respondToFormPost(form, request.body, reply);
      await submitters[form.kind](request.body);
      return reply.code(201).send({ status: 'accepted' });
    });
  }
}

function describeForm(form: Form<ZodObject>) {
  const location = { type: 'string', description: 'The page of the form, which confirms the submission.' };
  const statuses = [400, 403, ...(form.kind === 'subscription' ? [409] : []), 413, 415, 429, 500, 502, 503];
  return {
    operationId: form.operationId,
    tags: ['forms'] satisfies ApiTag[],
    summary: form.summary,
    description:
      'Stored on disk before the response. From pages of this site, and from clients that are not browsers.',
    body: { content: { 'application/json': { schema: form.body }, [FORM_POST]: { schema: form.fields } } },
    response: {
      201: response('The upstream has accepted it; response to JSON', { 'application/json': Accepted }),
      303: emptyResponse('The upstream has accepted it; response to a form post', { location }),
      ...problems(statuses, { 'text/html': z.string() }),
    },
  };
}

/** Returns the outcome of a submission. Rejects with an error of ours, a 500. */
async function outcomeOf(submitted: Promise<void>): Promise<SubmissionOutcome> {
  try {
    await submitted;
    return { kind: 'accepted' };
  } catch (error) {
    const { status, errors = {} } = problemOf(error);
    if (status === 500) throw error;
    if (status === 400) return { kind: 'invalid', errors };
    return status === 409 ? { kind: 'already-subscribed' } : { kind: 'failed', status };
  }
}

function textFields(body: unknown, { shape }: ZodObject): Record<string, string> {
  const given = AnyFields.parse(body);
  return Object.fromEntries(
    Object.keys(shape).flatMap((field) => {
      const value = given[field];
      return typeof value === 'string' ? [[field, withLineFeeds(value)]] : [];
    }),
  );
}
