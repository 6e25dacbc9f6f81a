import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { after } from '#server/time.ts';
import type { PageAssets, PageToRender, RenderedPage, Renderer } from './render-response.ts';
import type { RenderJob, RenderReply, WorkerData } from './render-worker.ts';

/** Terminate the worker if it returns nothing for this long (ms) while pages are queued. A render takes milliseconds. */
export const RENDER_TIMEOUT_MS = 10_000;

/** With more pages the server sheds load: a render takes some milliseconds, so the last of them would wait about a second. */
export const MAX_RENDER_QUEUE = 200;

/** Bound of the young generation. A render's objects die at once; with a larger one the thread holds 100 MB of them. */
const YOUNG_GENERATION_MB = 12;

/**
 * Bound of the old generation: twelve are in use. A page that needs more ends the worker and not the process, and V8
 * collects garbage before it is as much as it would allow a process of its own.
 */
const OLD_GENERATION_MB = 96;

/** Of V8's flags those of `npm start` that bound a heap. */
const PROCESS_BOUNDS = ['--max-semi-space-size', '--initial-old-space-size'];

export interface RenderQueueOptions {
  assets: PageAssets;
  logger: Logger;
  /** The built `render-worker.ts`. */
  worker: URL;
}

/** Renders on a worker thread (`docs/decisions/0016`). If that dies or hangs, all queued pages reject; the next starts another. */
export function createRenderQueue({ assets, logger, worker }: RenderQueueOptions): Renderer {
  const jobs = new Map<number, PromiseWithResolvers<RenderedPage>>();
  let lastId = 0;
  let isClosed = false;
  let timeout: NodeJS.Timeout | undefined;
  const first = start();
  let thread: Worker | null = first;

  function start(): Worker {
    // The process's own bounds, set on the command line, would overrule those of the worker: its young space would be larger,
    // and its garbage would grow to what the process collects at. They are read when a heap is made.
    for (const flag of PROCESS_BOUNDS) setFlagsFromString(`${flag}=0`);
    const started = new Worker(worker, {
      workerData: { assets } satisfies WorkerData,
      name: 'renderer',
      resourceLimits: {
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
        maxOldGenerationSizeMb: OLD_GENERATION_MB,
      },
    });
    started.on('message', settle);
    started.on('error', (err) => logger.error({ err }, 'the render thread failed'));
    started.on('exit', () => {
      if (thread === started) thread = null;
      clearTimeout(timeout);
      for (const { reject } of jobs.values()) reject(new Error('the render thread ended'));
      jobs.clear();
    });
    return started;
  }

  function settle(reply: RenderReply): void {
    const job = jobs.get(reply.id);
    jobs.delete(reply.id);
    restartTimeout();
    if ('error' in reply) job?.reject(reply.error);
    else job?.resolve(reply.rendered);
  }

  function restartTimeout(): void {
    clearTimeout(timeout);
    if (jobs.size === 0) return;
    timeout = after(RENDER_TIMEOUT_MS, () => {
      logger.error({ queueLength: jobs.size }, 'the render thread hangs and is terminated');
      void thread?.terminate();
    });
  }

  return {
    started: once(first, 'online').catch(() => null),
    async render(page: PageToRender): Promise<RenderedPage> {
      if (isClosed) throw new Error('the render thread is closed');
      thread ??= start();
      const job = Promise.withResolvers<RenderedPage>();
      const id = ++lastId;
      thread.postMessage({ id, page } satisfies RenderJob);
      jobs.set(id, job);
      if (jobs.size === 1) restartTimeout();
      return job.promise;
    },
    queueLength: () => jobs.size,
    async close() {
      isClosed = true;
      await thread?.terminate();
    },
  };
}
