import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Reading } from '#server/cache/dependency-tracker.ts';
import { createDeadline } from '#server/content/deadline.ts';
import { finishAnswer } from '#server/render/cached-response.ts';
import type { AnswerExtra } from '#server/render/pages.ts';
import type { AnswerCache } from '#server/render/response-cache.ts';
import type { SendAnswer } from '#server/render/send-response.ts';

export interface SendTextDeps {
  answers: Pick<AnswerCache<AnswerExtra>, 'get'>;
  sendAnswer: SendAnswer;
}

/**
 * Sends a text made of upstream data, kept like a page. `path`: its canonical path, made of parsed parameters and never
 * of the request's own spelling; it is the key.
 */
export function createSendText({ answers, sendAnswer }: SendTextDeps) {
  return async function sendText(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    type: string,
    make: (reading: Reading) => Promise<string>,
  ): Promise<FastifyReply> {
    const served = await answers.get(`feed ${path}`, async (reading) => {
      const text = await make(reading);
      return { kind: 'answer', answer: await finishAnswer(200, type, text), extra: { viewOf: null } };
    });
    if (served.kind !== 'answer') throw new Error('a text is an answer');
    sendAnswer(reply.hijack().raw, request, served, 'data');
    return reply;
  };
}

/**
 * The lists that one text is made of. One that cannot be had, or not within `deadlineMs` of the first, is left out; the
 * text is then made anew soon.
 */
export function listsWithin(deadlineMs: number, reading: Reading) {
  const deadline = createDeadline(deadlineMs);
  return async <T>(list: Promise<T>, standIn: T): Promise<T> =>
    (await deadline.within(list, () => reading.missed())) ?? standIn;
}
