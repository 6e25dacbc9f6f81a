import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sendProblem } from '#demo/routes/problem.ts';
import { cutOff, deepJson, dripped, gzipBomb, hugeJson } from './fault-bodies.ts';
import { createFaultRules, type FaultKind, type FaultRule, faultRule } from './fault-rules.ts';

export type { FaultRule } from './fault-rules.ts';

const USUAL_MS = 100;
const OWN_CALLS = '/demo-cms/';
const ERROR_PAGE =
  '<!doctype html><title>Error</title><h1>Something went wrong</h1><p>Please try again later.</p>';

type Respond = (reply: FastifyReply, rule: FaultRule) => unknown;

/** Faults that replace the response. The others change it on its way. */
const INSTEAD: Partial<Record<FaultKind, Respond>> = {
  status: (reply, { status = 500 }) =>
    reply.code(status).send({ status: false, message: 'Switched on purpose.' }),
  hang: (reply) => reply.hijack(),
  reset: (reply) => {
    reply.hijack();
    reply.raw.socket?.resetAndDestroy();
  },
  'broken-json': (reply) => json(reply).send('{"status":true,"result":[{"id":1,"post_title":"An unfin'),
  'wrong-json': (reply, { body = null }) => json(reply).send(JSON.stringify(body)),
  html: (reply, { status = 200 }) => reply.code(status).type('text/html; charset=utf-8').send(ERROR_PAGE),
  'huge-body': (reply) => json(reply).send(hugeJson()),
  'deep-json': (reply) => json(reply).send(deepJson()),
  'gzip-bomb': (reply) => json(reply).header('content-encoding', 'gzip').send(gzipBomb()),
};

/**
 * Injects faults into every call except `/demo-cms/...` itself: `PUT` and `DELETE /demo-cms/faults`. Counts those calls by
 * method and path: `GET` and `DELETE /demo-cms/calls`. Closing the app ends calls that hang.
 */
export function faultSwitches(app: FastifyInstance): void {
  const rules = createFaultRules();
  const calls = new Map<string, number>();
  const spoiled = new WeakMap<FastifyRequest, FaultRule>();
  const closing = new AbortController();

  app.addHook('preClose', async () => closing.abort());

  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?', 1).join('');
    if (path.startsWith(OWN_CALLS)) return;
    const call = `${request.method} ${path}`;
    calls.set(call, (calls.get(call) ?? 0) + 1);
    for (const rule of rules.hit(path)) {
      if (rule.kind === 'latency') await delay(rule.ms ?? USUAL_MS, closing.signal);
      const response = INSTEAD[rule.kind];
      if (response) {
        response(reply, rule);
        return reply;
      }
      spoiled.set(request, rule);
    }
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const rule = spoiled.get(request);
    if (!rule || !(typeof payload === 'string' || Buffer.isBuffer(payload))) return payload;
    const bytes = Buffer.from(payload);
    reply.header('content-length', bytes.length);
    if (rule.kind === 'cut-body') return cutOff(bytes);
    if (rule.kind === 'slow-body') return dripped(bytes, rule.ms ?? USUAL_MS, closing.signal);
    return payload;
  });

  app.put('/demo-cms/faults', async (request, reply) => {
    const asked = z.array(faultRule).safeParse(request.body);
    if (!asked.success) return sendProblem(reply, 400, z.prettifyError(asked.error));
    rules.set(asked.data);
    return asked.data;
  });
  app.delete('/demo-cms/faults', async (_request, reply) => {
    rules.set([]);
    return reply.code(204).send();
  });
  app.get('/demo-cms/calls', async () => Object.fromEntries(calls));
  app.delete('/demo-cms/calls', async (_request, reply) => {
    calls.clear();
    return reply.code(204).send();
  });
}

function json(reply: FastifyReply): FastifyReply {
  return reply.type('application/json; charset=utf-8');
}

async function delay(ms: number, stop: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal: stop });
  } catch {
    return;
  }
}
