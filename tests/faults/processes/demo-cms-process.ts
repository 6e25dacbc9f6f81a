import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { FaultRule } from '#demo/faults/faults.ts';
import { freePort } from '../../free-port.ts';
import { type DrillProcess, killHard, startProcess } from './server-process.ts';

const Posts = z.array(z.object({ id: z.coerce.string(), cat_slug: z.string(), post_name: z.string() }));
const Topic = z.object({ posts: z.object({ postData: Posts }) });
const Submissions = z.object({
  submissions: z.array(
    z.object({ payload: z.object({ email: z.string() }), idempotencyKey: z.string().nullable() }),
  ),
});
const Views = z.object({
  views: z.array(z.object({ postId: z.string(), ipAddr: z.string(), idempotencyKey: z.string().nullable() })),
});
const Calls = z.record(z.string(), z.number());

export type SubmissionKind = 'subscription' | 'contact' | 'opt-out';

/** The upstream of a drill: the demo CMS with fault switches, as a process that can be killed. */
export interface DemoCms {
  origin: string;
  faults(rules: FaultRule[]): Promise<void>;
  calls(): Promise<Record<string, number>>;
  forgetCalls(): Promise<void>;
  /** E-mail addresses of the submissions that have arrived, in order. */
  received(kind: SubmissionKind): Promise<string[]>;
  views(): Promise<z.infer<typeof Views>['views']>;
  /** Paths of the articles, without duplicates. */
  articles(): Promise<string[]>;
  /** As for `DrillProcess`. */
  yields(): void;
  /** Kills the process: its port is closed. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
}

const CATEGORIES = [
  'news',
  'quickbytes',
  'interview',
  'guest-author',
  'featured',
  'future-ready',
  'learning-center',
];

/** Starts a demo CMS that stores submissions in `dir`. */
export async function startDemoCmsProcess(dir: string): Promise<DemoCms> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  let own: DrillProcess = await start();

  async function start(): Promise<DrillProcess> {
    const started = startProcess(['demo/start.ts', '--faults', '--port', String(port), '--data', dir]);
    while (!(await responses())) await pause(10);
    return started;
  }

  async function responses(): Promise<boolean> {
    return fetch(`${origin}/demo-cms/calls`).then(
      (response) => response.ok,
      () => false,
    );
  }

  async function ask<T>(schema: z.ZodType<T>, path: string): Promise<T> {
    return schema.parse(await (await fetch(origin + path)).json());
  }

  return {
    origin,
    async faults(rules) {
      const response = await fetch(`${origin}/demo-cms/faults`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(rules),
      });
      if (!response.ok) throw new Error(`the demo CMS refused the faults: ${await response.text()}`);
    },
    calls: () => ask(Calls, '/demo-cms/calls'),
    async forgetCalls() {
      await fetch(`${origin}/demo-cms/calls`, { method: 'DELETE' });
    },
    async received(kind) {
      const { submissions } = await ask(Submissions, `/demo-cms/submissions?kind=${kind}`);
      return submissions.map(({ payload }) => payload.email);
    },
    views: async () => (await ask(Views, '/demo-cms/views')).views,
    async articles() {
      const pages = CATEGORIES.map((category) => ask(Topic, `/api/post/topic/${category}?page=1&limit=100`));
      const posts = (await Promise.all(pages)).flatMap(({ posts: { postData } }) => postData);
      return [...new Set(posts.map(({ cat_slug, post_name }) => `/${cat_slug}/${post_name}`))];
    },
    yields: () => own.yields(),
    leave: () => killHard(own),
    async comeBack() {
      own = await start();
    },
  };
}
