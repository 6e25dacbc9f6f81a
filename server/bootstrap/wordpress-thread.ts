import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { ConfigError } from '#server/config/config.ts';
import type { AdapterOptions } from '#wordpress/adapter.ts';
import type { ThreadMessage } from '#wordpress/wordpress.ts';

export interface WordpressThreadOptions extends Omit<AdapterOptions, 'warn' | 'host' | 'port'> {
  logger: Logger;
}

/** The adapter for WordPress, on a thread of its own. */
export interface WordpressThread {
  /** Base URL of the upstream API. */
  origin: string;
  /** Base URL of the pictures. */
  imageHost: string;
  close(): Promise<void>;
}

const YOUNG_GENERATION_MB = 16;
/** Bound of the old generation: a list of a hundred posts takes a tenth of it. */
const OLD_GENERATION_MB = 128;

/** The adapter's source, or its bundle beside the server's. */
const ENTRY = import.meta.url.endsWith('.js') ? './wordpress.js' : '../../wordpress/wordpress.ts';

/** A thread that fails is started again after this time (ms). */
const RESTART_MS = 1_000;

/**
 * Starts the adapter for WordPress on a thread of its own, so that cached pages are served meanwhile; again, where the
 * thread fails. Rejects with a `ConfigError` of one line where the WordPress cannot be read.
 */
export async function startWordpressThread({
  logger,
  ...options
}: WordpressThreadOptions): Promise<WordpressThread> {
  let thread: Worker;
  let port = 0;
  let isClosing = false;

  function start(): Promise<Omit<WordpressThread, 'close'>> {
    thread = new Worker(new URL(ENTRY, import.meta.url), {
      name: 'wordpress',
      workerData: { ...options, mayBeAway: port !== 0 || options.mayBeAway, host: '127.0.0.1', port },
      resourceLimits: {
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
        maxOldGenerationSizeMb: OLD_GENERATION_MB,
      },
    });
    const { promise, resolve, reject } = Promise.withResolvers<Omit<WordpressThread, 'close'>>();
    thread.on('message', (message: ThreadMessage) => {
      if ('started' in message) resolve(message.started);
      else if ('failed' in message) reject(new ConfigError(message.failed));
      else logger.warn(message.warning);
    });
    thread.on('error', reject);
    thread.on('exit', () => {
      if (port !== 0 && !isClosing) setTimeout(startAgain, RESTART_MS);
    });
    return promise;
  }

  function startAgain(): void {
    if (isClosing) return;
    logger.error('the thread of the adapter for WordPress ended: it is started again');
    start().catch((err: unknown) => logger.error({ err }, 'the adapter for WordPress could not be started'));
  }

  const { origin, imageHost } = await start();
  port = Number(new URL(origin).port);
  return {
    origin,
    imageHost,
    async close() {
      isClosing = true;
      // It has none once it has ended.
      if (thread.threadId === -1) return;
      const exited = once(thread, 'exit');
      thread.postMessage('close');
      await exited;
    },
  };
}
