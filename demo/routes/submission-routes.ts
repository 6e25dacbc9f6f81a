import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { PostRepository } from '#demo/post-repository.ts';
import {
  type CallKind,
  type CallResponse,
  type Store,
  SUBMISSION_KINDS,
  type SubmissionKind,
} from '#demo/submission-and-view-store.ts';
import { sendProblem } from './problem.ts';

const email = z.string().max(254).refine(looksLikeEmail, 'an e-mail address');
const required = z.string().trim().min(1).max(200);

const SUBSCRIPTION = z.object({ email });
const MESSAGE = z.object({
  first_name: required,
  last_name: required,
  email,
  phone: required,
  message: z.string().max(10_000).default(''),
  opt_in: z.boolean(),
});
/** Of publishers whose opt-out form asks for the address alone. */
const OPT_OUT = z.union([MESSAGE, z.strictObject({ email, opt_in: z.boolean() })]);
const VIEW = z.object({
  postId: z.union([z.string().min(1), z.number()]).transform(String),
  ip_addr: z.string().min(1).max(45),
});

const INVALID: CallResponse = {
  status: 422,
  body: { status: false, message: 'The given data was invalid.' },
};
const CREATED: CallResponse = { status: 201, body: { status: true, message: 'Added successfully.' } };

/** Calls that store submissions and views, and those that read them back. */
export function submissionRoutes(
  app: FastifyInstance,
  { store, repository }: { store: Store; repository: Pick<PostRepository, 'has'> },
): void {
  app.post('/api/subscribe/add', async (request, reply) =>
    respond('subscription', null, reply, () => {
      const sent = SUBSCRIPTION.safeParse(request.body);
      if (!sent.success) return INVALID;
      // No response is repeated by its key: whoever subscribes twice is told so.
      const subscriber = sent.data.email.toLowerCase();
      if (store.submit('subscription', sent.data, keyOf(request), subscriber)) return CREATED;
      return { status: 404, body: { status: false, message: 'This email is already subscribed.' } };
    }),
  );

  const messageTo = (path: string, kind: SubmissionKind, body: z.ZodType<object>) =>
    app.post(path, async (request, reply) => {
      const key = keyOf(request);
      return respond(kind, key, reply, () => {
        const sent = body.safeParse(request.body);
        if (!sent.success) return INVALID;
        store.submit(kind, sent.data, key);
        return CREATED;
      });
    });
  messageTo('/api/contact/add', 'contact', MESSAGE);
  messageTo('/api/optout/add', 'opt-out', OPT_OUT);

  app.post<{ Params: { postId: string } }>('/api/post/post_count/:postId', async (request, reply) => {
    const key = keyOf(request);
    return respond('view', key, reply, () => {
      const { postId } = request.params;
      const sent = VIEW.safeParse(request.body);
      if (!repository.has(postId))
        return { status: 404, body: { status: false, message: 'Post not found.' } };
      if (!sent.success || sent.data.postId !== postId) return INVALID;
      store.view(postId, sent.data.ip_addr, key);
      return { status: 200, body: { status: true, message: 'Counted.' } };
    });
  });

  app.get<{ Querystring: { kind?: string } }>('/demo-cms/submissions', async ({ query }, reply) => {
    const kind = z.enum(SUBMISSION_KINDS).safeParse(query.kind);
    if (!kind.success) return sendProblem(reply, 400, `kind: expected one of ${SUBMISSION_KINDS.join(', ')}`);
    return { received: store.received(kind.data), submissions: store.submissions(kind.data) };
  });
  app.get('/demo-cms/views', async () => ({ received: store.received('view'), views: store.views() }));

  function respond(
    kind: CallKind,
    key: string | null,
    reply: FastifyReply,
    work: () => CallResponse,
  ): FastifyReply {
    const { status, body } = store.respondOnce(kind, key, work);
    return reply.code(status).send(body);
  }
}

function keyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key'];
  return typeof key === 'string' && key !== '' ? key : null;
}

/** An e-mail address: text, at sign, text, dot, text, no spaces. */
function looksLikeEmail(text: string): boolean {
  const at = text.indexOf('@');
  const dot = text.lastIndexOf('.');
  return (
    at > 0 && dot > at + 1 && dot < text.length - 1 && text.indexOf('@', at + 1) === -1 && !/\s/.test(text)
  );
}
