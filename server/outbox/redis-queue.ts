import { setTimeout as pause } from 'node:timers/promises';
import type { Job, JobType, Worker } from 'bullmq';
import { z } from 'zod';
import type { RedisClient } from '#server/redis/redis-client.ts';
import {
  MAX_FAILURES,
  MAX_IN_FLIGHT,
  MAX_LISTED,
  MAX_REJECTED,
  type Message,
  type MessageCount,
  type MessageQueue,
  OUTBOX_KINDS,
  type OutboxEntry,
  type OutboxKind,
  type Outcome,
  REJECTED_KEPT_MS,
} from './message.ts';

const LOG_INTERVAL_MS = 60_000;
/** Workers look again for a Redis that failed after this time (ms). */
const WORKER_RETRY_MS = 1_000;
/** How long BullMQ has to write the outcome of the last jobs when a worker stops (ms). */
const LAST_WRITE_MS = 250;
/** Messages are counted this often (ms). */
const COUNT_INTERVAL_MS = 2_000;
/** Counting and listing keep no reader waiting (ms). */
const SLOW_TIMEOUT_MS = 2_000;
/** A job that nobody extends this lock (ms) of is another instance's, which looks for such jobs this often (ms). */
const LOCK_MS = 15_000;
const STALLED_INTERVAL_MS = 10_000;
/** Of all instances together: ten submissions of a kind a second, and two hundred views. */
const SUBMISSION_LIMIT = { max: 10, duration: 1_000 };
const VIEW_LIMIT = { max: 200, duration: 1_000 };
/** Messages that Redis has no trouble to take within the deadline of a command. */
const MAX_ADDED = 50;
/** Messages that are made due at once. */
const MAX_PROMOTED = 1_000;
/** Jobs read at once, of each state. */
const PAGE = 50;
/** Among so many pending messages the oldest is looked for. */
const OLDEST_AMONG = 20;

const PENDING = ['active', 'wait', 'delayed'] as const;

const Data = z.object({
  payload: z.unknown(),
  traceparent: z.string().nullable(),
  /** Why the upstream has rejected it already: it is not sent until an operator retries it. */
  rejection: z.string().nullable(),
});

export interface RedisQueueOptions {
  client: Pick<RedisClient, 'run' | 'connect'>;
  /** Of the queue's keys. */
  prefix: string;
  /** Delivers a message, as soon as that may be. Never rejects. */
  process: (message: Message) => Promise<Outcome>;
  /** Wall milliseconds. */
  now: () => number;
  /** How long a message waits after so many failures, in milliseconds. */
  backoff: (failures: number) => number;
  logger: { error(details: object, message: string): void; warn(details: object, message: string): void };
}

/**
 * Opens the queue of all instances: a BullMQ queue for each kind. Jobs of an instance that dies are delivered by another.
 * Loads BullMQ only here: most sites need none.
 */
export async function openRedisQueue(options: RedisQueueOptions): Promise<MessageQueue> {
  const { client, prefix, process, now, backoff, logger } = options;
  const bullmq = await import('bullmq');
  const { DelayedError, Queue, UnrecoverableError } = bullmq;
  const connection = client.connect();
  const workerConnection = client.connect({ blocks: true });
  let loggedAt = Number.NEGATIVE_INFINITY;
  const onError = (error: unknown) => {
    if (now() < loggedAt + LOG_INTERVAL_MS) return;
    loggedAt = now();
    logger.warn({ err: error }, 'the queue in Redis is not available');
  };
  const queues = new Map(
    OUTBOX_KINDS.map((kind) => {
      const queue = new Queue(kind, { connection, prefix, skipMetasUpdate: true });
      queue.on('error', onError);
      return [kind, queue];
    }),
  );
  const workers = OUTBOX_KINDS.map((kind) => {
    const worker = new bullmq.Worker(kind, trackJob, {
      connection: workerConnection,
      prefix,
      autorun: false,
      concurrency: MAX_IN_FLIGHT[kind],
      limiter: kind === 'view' ? VIEW_LIMIT : SUBMISSION_LIMIT,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_INTERVAL_MS,
      runRetryDelay: WORKER_RETRY_MS,
      // Each restart of an instance is one: it says nothing of the message.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      settings: { backoffStrategy: backoff },
    });
    worker.on('error', (error) => {
      onError(error);
      pauseWorker(worker);
    });
    return worker;
  });
  const running = new Set<Promise<void>>();
  let counted: readonly MessageCount[] = [];
  let oldestAt: number | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isClosing = false;

  /** After an error BullMQ asks again at once: of a Redis that is away without ever yielding to the event loop. */
  function pauseWorker(worker: Worker): void {
    if (worker.isPaused()) return;
    worker.pause(true).catch(onError);
    setTimeout(() => {
      if (!isClosing) void worker.resume();
    }, WORKER_RETRY_MS).unref();
  }

  function stopWorkers(): void {
    isClosing = true;
    for (const worker of workers) worker.pause(true).catch(onError);
  }

  function trackJob(job: Job, token?: string): Promise<void> {
    const work = processJob(job, token).finally(() => running.delete(work));
    running.add(work);
    return work;
  }

  /** Sends a job's message, and tells BullMQ by what it throws what becomes of it. */
  async function processJob(job: Job, token?: string): Promise<void> {
    const { message, rejection } = messageOf(job);
    if (rejection !== null) throw new UnrecoverableError(rejection);
    const { state, reason, isCounted } = await process(message);
    if (state === 'delivered' || state === 'already-subscribed') return;
    if (state === 'rejected' && message.kind === 'view') return;
    if (state === 'rejected') throw new UnrecoverableError(reason ?? state);
    if (isCounted) throw new Error(reason ?? state);
    await job.moveToDelayed(now() + backoff(Math.max(1, job.attemptsMade)), token);
    throw new DelayedError();
  }

  async function addJobs(kind: OutboxKind, messages: readonly Message[], rejection: string | null) {
    const jobs = messages.map(({ id, payload, traceparent, createdAt }) => ({
      name: kind,
      data: { payload, traceparent, rejection } satisfies z.infer<typeof Data>,
      opts: {
        jobId: id,
        // It was attempted just now.
        ...(rejection === null && { delay: backoff(0) }),
        timestamp: createdAt,
        attempts: MAX_FAILURES,
        backoff: { type: 'custom' },
        removeOnComplete: true,
        removeOnFail: kind === 'view',
      },
    }));
    const queue = queues.get(kind);
    const added = await client.run(async () => (await queue?.addBulk(jobs)) ?? null, null);
    if (added === null) throw new Error('Redis does not take messages');
    if (rejection !== null || kind === 'view') return;
    // One that was rejected before is still there, and was not added.
    for (const job of added) await client.run(async () => (await job.isFailed()) && retryJob(job), null);
  }

  async function retryJob(job: Job): Promise<void> {
    const data = Data.parse(job.data);
    if (data.rejection !== null) await job.updateData({ ...data, rejection: null });
    await job.retry('failed', { resetAttemptsMade: true });
  }

  /** Reads jobs of all kinds by pages: thousands at once would block the event loop. */
  async function jobsIn(states: JobType[], max: number): Promise<Job[]> {
    const jobs: Job[] = [];
    for (const queue of queues.values())
      for (let from = 0; jobs.length < max; from += PAGE) {
        const page = await queue.getJobs(states, from, from + PAGE - 1, true);
        if (page.length === 0) break;
        jobs.push(...page);
      }
    return jobs;
  }

  async function failedJobs(): Promise<Job[]> {
    const found = await jobsIn(['failed'], Number.POSITIVE_INFINITY);
    return found.sort((one, other) => (other.finishedOn ?? 0) - (one.finishedOn ?? 0));
  }

  async function countAll(): Promise<void> {
    const found = await client.run(
      () =>
        Promise.all(
          [...queues].map(async ([kind, queue]) => {
            const { failed = 0, ...pending } = await queue.getJobCounts(...PENDING, 'failed');
            const n = Object.values(pending).reduce((sum, one) => sum + one, 0);
            const first = n > 0 ? await queue.getJobs([...PENDING], 0, OLDEST_AMONG, true) : [];
            return { kind, n, failed, createdAt: first.map(({ timestamp }) => timestamp) };
          }),
        ),
      null,
      SLOW_TIMEOUT_MS,
    );
    if (found === null) return;
    counted = found.flatMap(({ kind, n, failed }): MessageCount[] => [
      { kind, state: 'pending', n },
      { kind, state: 'rejected', n: failed },
    ]);
    const oldest = found.flatMap(({ createdAt }) => createdAt);
    oldestAt = oldest.length > 0 ? Math.min(...oldest) : null;
  }

  /** Rejects with the error of a Redis that is not available. */
  async function run<T>(work: () => Promise<T>): Promise<T> {
    const result = await client.run(async () => ({ value: await work() }), null, SLOW_TIMEOUT_MS);
    if (result === null) throw new Error('Redis is not available');
    return result.value;
  }

  return {
    async add(messages) {
      const kinds = new Set(messages.map(({ kind }) => kind));
      for (const kind of kinds) {
        const ofKind = messages.filter((message) => message.kind === kind);
        for (let from = 0; from < ofKind.length; from += MAX_ADDED)
          await addJobs(kind, ofKind.slice(from, from + MAX_ADDED), null);
      }
    },
    addRejected: (message, reason) => addJobs(message.kind, [message], reason),
    counts: () => counted,
    oldestSeconds: () => (oldestAt === null ? 0 : Math.max(0, (now() - oldestAt) / 1_000)),
    list: () =>
      run(async () => {
        const rejected = await failedJobs();
        const pending = await jobsIn([...PENDING], MAX_LISTED - rejected.length);
        return [
          ...rejected.map((job) => entryOf(job, 'rejected')),
          ...pending.map((job) => entryOf(job, 'pending')),
        ].slice(0, MAX_LISTED);
      }),
    retry: ({ id, kind }) =>
      run(async () => {
        if (id === undefined) {
          const jobs = (await failedJobs()).filter((job) => kind === undefined || job.name === kind);
          await Promise.all(jobs.map(retryJob));
          return jobs.length;
        }
        for (const queue of queues.values()) {
          const job = await queue.getJob(id);
          if (!job) continue;
          if (await job.isFailed()) await retryJob(job);
          else if (await job.isDelayed()) await job.promote();
          return 1;
        }
        return 0;
      }),
    discard: (id) =>
      run(async () => {
        for (const queue of queues.values())
          if ((await queue.getJob(id)) && (await queue.remove(id)) === 1) return true;
        return false;
      }),
    promote(kind) {
      void client.run(async () => queues.get(kind)?.promoteJobs({ count: MAX_PROMOTED }), undefined);
    },
    sweep: () =>
      run(async () => {
        const failed = await failedJobs();
        const oldest = now() - REJECTED_KEPT_MS;
        for (const [i, job] of failed.entries())
          if (i >= MAX_REJECTED || (job.finishedOn ?? 0) < oldest) await job.remove();
      }),
    start() {
      for (const worker of workers) worker.run().catch(onError);
      timer = setInterval(() => void countAll(), COUNT_INTERVAL_MS).unref();
      void countAll();
    },
    pause: stopWorkers,
    async close(graceMs) {
      stopWorkers();
      if (timer) clearInterval(timer);
      const finished = Promise.allSettled(running).then(() =>
        pause(LAST_WRITE_MS, undefined, { ref: false }),
      );
      await Promise.race([finished, pause(graceMs, undefined, { ref: false })]);
      // `close()` would wait for ever for a silent Redis. The locks of what is still in flight end by themselves.
      await Promise.all(workers.map((worker) => worker.close(true).catch(onError)));
    },
  };

  function messageOf(job: Job): { message: Message; rejection: string | null } {
    const { payload, traceparent, rejection } = Data.parse(job.data);
    const kind = z.enum(OUTBOX_KINDS).parse(job.name);
    return { message: { id: job.id ?? '', kind, payload, traceparent, createdAt: job.timestamp }, rejection };
  }
}

function entryOf(job: Job, state: OutboxEntry['state']): OutboxEntry {
  return {
    id: job.id ?? '',
    kind: z.enum(OUTBOX_KINDS).parse(job.name),
    state,
    attempts: job.attemptsMade,
    lastError: job.failedReason ?? null,
    createdAt: new Date(job.timestamp).toISOString(),
    nextAttemptAt:
      state === 'rejected' ? null : new Date((job.processedOn ?? job.timestamp) + job.delay).toISOString(),
  };
}
