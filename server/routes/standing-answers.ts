import type { IncomingMessage } from 'node:http';
import type { CacheName } from '#server/cache/cache-status.ts';
import { PAGES_ROUTE } from '#server/ops/page-route.ts';
import type { AnswerFirst } from '#server/plugins/answer-first.ts';
import type { OnAnswered } from '#server/plugins/answered.ts';
import { onceSent } from '#server/plugins/once-sent.ts';
import type { AnswerCache, Standing } from '#server/render/answer-cache.ts';
import type { AnswerExtra } from '#server/render/pages.ts';
import type { SendAnswer } from '#server/render/send-answer.ts';
import type { PageViews } from '#server/views/page-views.ts';
import type { ApiTargets } from './api-targets.ts';

/** What the warm path stands on. */
export interface StandingAnswersDeps {
  answers: Pick<AnswerCache<AnswerExtra>, 'standing'>;
  apiTargets: Pick<ApiTargets, 'get'>;
  addressOf: (request: IncomingMessage) => string;
  /** Whether a reader may have one more answer. */
  allows: (ip: string) => boolean;
  nextId: () => string;
  views: PageViews;
  sendAnswer: SendAnswer;
  onAnswered: OnAnswered;
}

interface Found {
  served: Standing<AnswerExtra>;
  cacheName: CacheName;
  route: string;
}

/**
 * The warm path: a reader of a page or a client of an API answer that stands, under an address as it is spelled, is
 * answered at once. There is nothing to route, to parse or to check, so Fastify does not see the request
 * (`docs/decisions/0022`). All others are left to it, a reader who asked too often among them.
 */
export function answerStanding(deps: StandingAnswersDeps): AnswerFirst {
  const { answers, apiTargets, addressOf, allows, nextId, views, sendAnswer, onAnswered } = deps;

  function find(target: string): Found | null {
    const page = answers.standing(target);
    if (page) return { served: page, cacheName: 'page', route: PAGES_ROUTE };
    const asked = apiTargets.get(target);
    const served = asked && answers.standing(asked.key);
    return served ? { served, cacheName: 'data', route: asked.route } : null;
  }

  return (request, response) => {
    const { method, url: target = '', headers } = request;
    if (method !== 'GET') return false;
    const began = performance.now();
    const found = find(target);
    if (found === null) return false;
    const ip = addressOf(request);
    if (!allows(ip)) return false;
    const { served, cacheName, route } = found;
    const id = nextId();
    views.before(target, ip);
    sendAnswer(response, { id, headers }, served, cacheName);
    onceSent(response, (at) => {
      const status = response.statusCode;
      onAnswered({ id, method, target, route, status, ms: at - began });
      views.after(served.extra.viewOf, { method, status, headers }, ip);
    });
    return true;
  };
}
