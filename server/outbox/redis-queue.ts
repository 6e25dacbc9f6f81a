import type { Job, Queue as KindQueue } from 'bullmq';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { RedisClient } from '#server/redis/redis-client.ts';
import { pause } from '#server/time.ts';
import { OUTBOX_KINDS, type OutboxKind } from '#shared/models/outbox-kinds.ts';
import { MAX_BACKOFF_MS, MAX_FAILURES, stateAfter } from './delivery.ts';
import {
  type Kept,
  MAX_IN_FLIGHT,
  MAX_LISTED,
  MAX_REJECTED,
  type Message,
  type MessageCount,
  type MessageQueue,
  NOT_ATTEMPTED,
  OutboxEntry,
  type QueueOptions,
  REJECTED_KEPT_MS,
} from './message-types.ts';

/** Workers look again for a Redis that failed after this time (ms). */
const WORKER_RETRY_MS = 1_000;
/** How long BullMQ has to write the outcome of the last jobs when a worker stops (ms). */
const LAST_WRITE_MS = 250;
/** Messages are counted this often (ms). */
const COUNT_INTERVAL_MS = 2_000;
/** Counting and listing keep no reader waiting (ms). */
const SLOW_TIMEOUT_MS = 2_000;
/** A job whose lock (ms) nobody extends is taken over by another instance. Each looks for such jobs this often (ms). */
const LOCK_MS = 15_000;
const STALLED_INTERVAL_MS = 10_000;
/** Of all instances together: ten submissions of a kind a second, and two hundred views. */
const SUBMISSION_LIMIT = { max: 10, duration: 1_000 };
const VIEW_LIMIT = { max: 200, duration: 1_000 };
/** Messages of one command: Redis takes as many within its deadline. */
const MAX_ADDED = 50;
/** Rejected messages of a kind that are erased at once. */
const MAX_SWEPT = 2_000;
/** Among so many pending messages of a kind and state the oldest is looked for. */
const OLDEST_AMONG = 5;
/** BullMQ's scores of delayed jobs: the time that they are due (wall ms), times this. */
const SCORES_PER_MS = 0x1000;

/** A queue has the name of its kind. */
const Kind = z.enum(OUTBOX_KINDS);
const PENDING = ['active', 'wait', 'delayed'] as const;

const Data = z.object({
  payload: z.unknown(),
  traceparent: z.string().nullable(),
  /** Whether the upstream has rejected it already: it is not sent until an operator retries it. */
  isRejected: z.boolean(),
  /** Why the attempt before failed; null where there was none. */
  reason: z.string().nullable(),
  /** Whether an attempt counts that BullMQ does not know of. */
  isAttempted: z.boolean().default(false),
});

export interface RedisQueueOptions extends QueueOptions {
  client: Pick<RedisClient, 'run' | 'attempt' | 'connect'>;
  /** Of the queue's keys. */
  prefix: string;
}

/**
 * Opens the queue of all instances: a BullMQ queue for each kind. Jobs of an instance that dies are delivered by another.
 * Its times are on the wall clock, as BullMQ's are. Loads BullMQ only here: most sites need none.
 */
export async function openRedisQueue(options: RedisQueueOptions): Promise<MessageQueue> {
  const { client, prefix, process, now, backoff, logger } = options;
  const { DelayedError, Queue, UnrecoverableError, Worker } = await import('bullmq');

  const connection = client.connect();
  const workerConnection = client.connect({ blocks: true });
  const queues = OUTBOX_KINDS.map((kind) =>
    new Queue(kind, { connection, prefix, skipVersionCheck: true, skipMetasUpdate: true }).on(
      'error',
      ignore,
    ),
  );
  const workers = OUTBOX_KINDS.map((kind) =>
    new Worker(kind, trackJob, {
      connection: workerConnection,
      prefix,
      // Where Redis does not say its version at once, BullMQ would never ask again, and fail until the process ends.
      skipVersionCheck: true,
      autorun: false,
      concurrency: MAX_IN_FLIGHT[kind],
      limiter: kind === 'view' ? VIEW_LIMIT : SUBMISSION_LIMIT,
      maximumRateLimitDelay: SUBMISSION_LIMIT.duration,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_INTERVAL_MS,
      runRetryDelay: WORKER_RETRY_MS,
      // Each restart of an instance is one: it says nothing of the message.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      settings: { backoffStrategy: backoff },
    }).on('error', ignore),
  );
  /** BullMQ waits for them too, but connects again for it, which a silent Redis never ends. */
  const running = new Set<Promise<void>>();
  let counted: readonly MessageCount[] = [];
  let oldestAt: number | null = null;
  let timer: NodeJS.Timeout | undefined;

  function stopWorkers(): void {
    for (const worker of workers) void worker.pause(true);
  }

  function trackJob(job: Job, token?: string): Promise<void> {
    const work = processJob(job, token).finally(() => running.delete(work));
    running.add(work);
    return work;
  }

  /** Sends a job's message, and tells BullMQ by what it throws what becomes of it. */
  async function processJob(job: Job, token?: string): Promise<void> {
    const kind = Kind.parse(job.queueName);
    const { data } = Data.safeParse(job.data);
    if (data === undefined) {
      logger.error({ kind, id: job.id }, 'a message in Redis is not one of this site’s: it is rejected');
      throw new UnrecoverableError('the message is not one of this site’s');
    }
    const { payload, traceparent, isRejected, reason: before, isAttempted } = data;
    if (isRejected && job.attemptsStarted === 1) throw new UnrecoverableError(before ?? 'rejected');
    const { state, reason, isCounted } = await process({
      id: job.id ?? '',
      kind,
      payload,
      createdAt: job.timestamp,
      traceparent,
    });
    const left = stateAfter(kind, state, job.attemptsMade + Number(isAttempted) + Number(isCounted));
    if (left === null) return;
    if (left === 'rejected') throw new UnrecoverableError(reason ?? state);
    if (isCounted) throw new Error(reason ?? state);
    await job.moveToDelayed(Date.now() + backoff(Math.max(1, job.attemptsMade)), token);
    throw new DelayedError();
  }

  async function addJobs(queue: KindQueue, messages: readonly Message[], { state, reason, isCounted }: Kept) {
    const now = Date.now();
    const isRejected = state === 'rejected';
    // BullMQ counts one of a rejected message itself: the worker begins it to reject it.
    const isAttempted = isCounted && !isRejected;
    const jobs = messages.map(({ id, kind, payload, traceparent, createdAt }) => ({
      name: kind,
      data: { payload, traceparent, isRejected, reason, isAttempted } satisfies z.infer<typeof Data>,
      opts: {
        jobId: id,
        timestamp: createdAt,
        // It was attempted just now. BullMQ counts from the timestamp.
        delay: isRejected ? 0 : Math.max(0, now + backoff(0) - createdAt),
        attempts: MAX_FAILURES,
        backoff: { type: 'custom' },
        removeOnComplete: true,
        removeOnFail: kind === 'view',
      },
    }));
    const isAdded = await client.run(async () => {
      // One that was rejected before would not be added.
      if (queue.name !== 'view') await Promise.all(messages.map(({ id }) => queue.remove(id)));
      await queue.addBulk(jobs);
      return true;
    }, false);
    if (!isAdded) throw new Error('Redis does not take messages');
  }

  /** Rejects where Redis is not available. Not because it was too slow for a reader a moment ago: this may take longer. */
  async function run<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    const result = await client.attempt<T | null>(work, null, SLOW_TIMEOUT_MS);
    if (result === null) throw new Error('Redis is not available');
    return result;
  }

  async function countAll(): Promise<void> {
    const found: MessageCount[] = [];
    const createdAt: number[] = [];
    const count = async (queue: KindQueue) => {
      const { failed = 0, ...pending } = await queue.getJobCounts(...PENDING, 'failed');
      const n = Object.values(pending).reduce((sum, one) => sum + one, 0);
      const kind = Kind.parse(queue.name);
      found.push({ kind, state: 'pending', n }, { kind, state: 'rejected', n: failed });
      const oldest = n > 0 ? await queue.getJobs([...PENDING], 0, OLDEST_AMONG - 1, true) : [];
      createdAt.push(...oldest.map(({ timestamp }) => timestamp));
    };
    // At once: behind a slow Redis they would take too long one after the other.
    await Promise.all(queues.map(count));
    counted = found;
    oldestAt = createdAt.length > 0 ? Math.min(...createdAt) : null;
  }

  /** Ends what BullMQ would wait for until a clock that was set back is there again. */
  async function endLongWaits(redis: Redis, queue: KindQueue): Promise<void> {
    for (const name of ['limiter', 'stalled-check'])
      void redis.pexpire(queue.toKey(name), STALLED_INTERVAL_MS, 'LT').catch(ignore);
    const [, score] = await redis.zrange(queue.toKey('delayed'), -1, -1, 'WITHSCORES');
    if (Number(score) / SCORES_PER_MS > Date.now() + 2 * MAX_BACKOFF_MS) await queue.promoteJobs();
  }

  function queuesOf(kind: OutboxKind | undefined): KindQueue[] {
    return queues.filter(({ name }) => kind === undefined || kind === name);
  }

  async function retryOne(id: string): Promise<number> {
    for (const queue of queues) {
      const job = await queue.getJob(id);
      if (!job) continue;
      if (await job.isFailed()) await retryFailed(job);
      else if (await job.isDelayed()) await job.promote().catch(ignore);
      return 1;
    }
    return 0;
  }

  async function retryAll(kind: OutboxKind | undefined): Promise<number> {
    let retried = 0;
    // Those that fail again meanwhile come after them.
    for (const queue of queuesOf(kind))
      for (let left = await queue.getFailedCount(); left > 0; left -= MAX_LISTED) {
        const jobs = await queue.getJobs(['failed'], 0, Math.min(left, MAX_LISTED) - 1, true);
        const results = await Promise.all(jobs.map(retryFailed));
        retried += results.filter((isRetried) => isRetried).length;
      }
    return retried;
  }

  return {
    async add(messages, kept = NOT_ATTEMPTED) {
      for (const queue of queues) {
        const ofKind = messages.filter(({ kind }) => kind === queue.name);
        for (let from = 0; from < ofKind.length; from += MAX_ADDED)
          await addJobs(queue, ofKind.slice(from, from + MAX_ADDED), kept);
      }
    },
    counts: () => counted,
    oldestSeconds: () => (oldestAt === null ? 0 : Math.max(0, (now() - oldestAt) / 1_000)),
    list: () =>
      run(async () => {
        await countAll();
        const listed = queues.map(async (queue) => {
          const [rejected, pending] = await Promise.all([
            queue.getJobs(['failed'], 0, MAX_LISTED - 1),
            queue.getJobs([...PENDING], 0, MAX_LISTED - 1, true),
          ]);
          return [
            ...rejected.map((job) => entryOf(job, 'rejected')),
            ...pending.slice(0, MAX_LISTED).map((job) => entryOf(job, 'pending')),
          ];
        });
        return (await Promise.all(listed)).flat();
      }),
    promote: (kind) =>
      run(async () => {
        for (const queue of queuesOf(kind)) await queue.promoteJobs();
      }).catch(ignore),
    retry: ({ id, kind }) => run(() => (id === undefined ? retryAll(kind) : retryOne(id))),
    discard: ({ id, kind }) =>
      run(async () => {
        let discarded = 0;
        for (const queue of queuesOf(kind)) {
          if (id === undefined) discarded += (await queue.clean(0, 0, 'failed')).length;
          else if (await queue.getJob(id)) discarded += await queue.remove(id);
        }
        return discarded;
      }),
    sweep: () =>
      run(async () => {
        for (const queue of queues) await queue.clean(REJECTED_KEPT_MS, MAX_SWEPT, 'failed');
        const counts = await Promise.all(queues.map((queue) => queue.getFailedCount()));
        const most = queues[counts.indexOf(Math.max(...counts))];
        const excess = counts.reduce((sum, n) => sum + n, 0) - MAX_REJECTED;
        if (excess > 0) await most?.clean(0, Math.min(excess, MAX_SWEPT), 'failed');
      }).catch(ignore),
    start() {
      for (const worker of workers) worker.run().catch(ignore);
      const count = () =>
        void run((redis) =>
          Promise.all([countAll(), ...queues.map((queue) => endLongWaits(redis, queue))]),
        ).catch(ignore);
      timer = setInterval(count, COUNT_INTERVAL_MS).unref();
      count();
    },
    pause: stopWorkers,
    async close(graceMs) {
      stopWorkers();
      clearInterval(timer);
      const finished = Promise.allSettled(running).then(() => pause(LAST_WRITE_MS));
      await Promise.race([finished, pause(graceMs)]);
      // `close()` would wait for ever for a silent Redis. The locks of what is still in flight end by themselves.
      await Promise.all(workers.map((worker) => worker.close(true).catch(ignore)));
    },
  };
}

/** The client logs what is wrong with Redis. */
function ignore(): void {}

/** Counts its attempts anew. Resolves with false where it could not: another instance works on the job too. */
function retryFailed(job: Job): Promise<boolean> {
  return job
    .updateData({ ...job.data, isAttempted: false })
    .then(() => job.retry('failed', { resetAttemptsMade: true }))
    .then(
      () => true,
      () => false,
    );
}

function entryOf(job: Job, state: OutboxEntry['state']): OutboxEntry {
  const { data } = Data.safeParse(job.data);
  const dueAt = (job.processedOn ?? job.timestamp) + job.delay;
  return OutboxEntry.parse({
    id: job.id ?? '',
    kind: job.queueName,
    state,
    attempts: job.attemptsMade + Number(data?.isAttempted ?? false),
    lastError: job.failedReason ?? data?.reason ?? null,
    createdAt: job.timestamp,
    nextAttemptAt: state === 'rejected' ? null : dueAt,
  });
}
