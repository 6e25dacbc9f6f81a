import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemClock } from '#server/time.ts';
import { type CmsClient, createCmsClient } from './client/cms-client.ts';
import { type CmsCall, cmsCalls } from './cms-calls.ts';

let upstream: Server;
/** A server that no slug may lead to. */
let canary: Server;
let client: CmsClient;
let asked: { host: string | undefined; target: string | undefined }[];
let canaryAsked = 0;
let host: string;
let elsewhere: string;

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

beforeAll(async () => {
  upstream = createServer(({ headers, url }, response) => {
    asked.push({ host: headers.host, target: url });
    response.end('{}');
  });
  canary = createServer((_request, response) => void response.end('{}'));
  canary.on('connection', () => canaryAsked++);
  host = await listen(upstream);
  elsewhere = await listen(canary);
  client = createCmsClient({
    origin: `http://${host}/base`,
    timeoutMs: 5_000,
    logger: { warn: () => undefined },
    clock: systemClock,
  });
});
afterAll(async () => {
  await client.close();
  for (const server of [upstream, canary]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  asked = [];
});

type Calls = typeof cmsCalls;

/** Whether a call is made with a text of any value: alone, or as a member. */
type TakesText<Call> = Call extends (given: infer Given) => CmsCall
  ? string extends Given | Given[keyof Given]
    ? true
    : false
  : false;

/** The calls whose paths are made from what a client sends. `OPT_OUT_PATH` is the operator's. */
type CallWithText = Exclude<
  { [Name in keyof Calls]: TakesText<Calls[Name]> extends true ? Name : never }[keyof Calls],
  'optOut'
>;

/** Each with the path's parts before, between and after. */
const CALLS: Record<CallWithText, { call: (one: string, other: string) => CmsCall; parts: string[] }> = {
  tag: { call: (one) => cmsCalls.tag(one), parts: ['/api/post/tag/', ''] },
  topic: {
    call: (one, other) => cmsCalls.topic({ category: one, subcategory: other, page: 1, limit: 10 }),
    parts: ['/api/post/topic/', '/', '?page=1&limit=10'],
  },
  asideTopic: { call: (one) => cmsCalls.asideTopic(one), parts: ['/api/post/asidetopic/', ''] },
  postDetails: {
    call: (one, other) => cmsCalls.postDetails({ category: one, slug: other }),
    parts: ['/api/post/postdetails/', '/', ''],
  },
  postCount: { call: (one) => cmsCalls.postCount(one), parts: ['/api/post/post_count/', ''] },
  search: {
    call: (one, other) => cmsCalls.search({ category: one, term: other, page: 2 }),
    parts: ['/api/post/search/', '/', '?page=2'],
  },
  authorPosts: {
    call: (one) => cmsCalls.authorPosts({ id: one, page: 2 }),
    parts: ['/api/post/author/', '?page=2'],
  },
  author: { call: (one) => cmsCalls.author(one), parts: ['/api/author/', ''] },
  event: { call: (one) => cmsCalls.event(one), parts: ['/api/event/eventdetails/', ''] },
};

const HOSTILE = () => [
  '.',
  '..',
  '../..',
  '../../admin',
  '%2e%2e',
  '%252e%252e',
  '..%2f..',
  '..\\..',
  '..;',
  '/',
  '//',
  `//${elsewhere}`,
  `//${elsewhere}/x`,
  `http://${elsewhere}/x`,
  `@${elsewhere}/`,
  `:80@${elsewhere}/`,
  `\\\\${elsewhere}`,
  'a/b',
  '?x=',
  '?page=9',
  '&limit=9',
  '#',
  '#x',
  ';x',
  '\r\nHost: evil.example\r\n\r\n',
  ' HTTP/1.1\r\nX: y',
  '\0',
  '%00',
  '%0d%0a',
  ' ',
  '\t',
  '*',
  '\ud800',
  'é',
  '💩',
  '__proto__',
];

/** One segment: no URL parser sees anything in it but a name, and once decoded it is what was given. */
function expectSegments(target: string, parts: readonly string[], given: string[]): void {
  const literals = parts.map((part) => part.replaceAll('?', '\\?'));
  const match = new RegExp(`^/base${literals.join("([\\w.!~*'()%-]*)")}$`).exec(target);
  expect(match, target).not.toBeNull();
  expect(new URL(target, 'http://x').pathname, target).toBe(target.split('?')[0]);
  for (const [index, segment] of (match?.slice(1) ?? []).entries()) {
    const text = decodeURIComponent(segment);
    expect(/^(%2E){1,2}$/.test(text) ? decodeURIComponent(text) : text).toBe(given[index]?.toWellFormed());
  }
}

it.each(Object.entries(CALLS))(
  'a call of %s asks the upstream below its own path',
  async (_name, { call, parts }) => {
    for (const one of HOSTILE()) {
      for (const other of ['x', one]) {
        const { path, call: name } = call(one, other);
        asked = [];
        await client.get(path, { call: name, parse: () => null });
        expect(asked, one).toHaveLength(1);
        expect(asked[0]?.host).toBe(host);
        expectSegments(asked[0]?.target ?? '', parts, [one, other]);
      }
    }
    expect(canaryAsked).toBe(0);
  },
);

it('any text makes a segment', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(CALLS)),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      ({ call, parts }, one, other) => expectSegments(`/base${call(one, other).path}`, parts, [one, other]),
    ),
  );
});
