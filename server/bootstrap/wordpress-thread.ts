import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
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

/** Starts the adapter for WordPress on a thread of its own, so that cached pages are served meanwhile. */
export async function startWordpressThread({
  logger,
  ...options
}: WordpressThreadOptions): Promise<WordpressThread> {
  const thread = new Worker(new URL(ENTRY, import.meta.url), {
    name: 'wordpress',
    workerData: { ...options, host: '127.0.0.1', port: 0 },
    resourceLimits: {
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      maxOldGenerationSizeMb: OLD_GENERATION_MB,
    },
  });
  const started = Promise.withResolvers<Omit<WordpressThread, 'close'>>();
  thread.on('message', (message: ThreadMessage) => {
    if ('warning' in message) logger.warn(message.warning);
    else started.resolve(message.started);
  });
  thread.on('error', (err) => {
    logger.fatal({ err }, 'the thread of the adapter for WordPress failed');
    started.reject(err);
  });
  const { origin, imageHost } = await started.promise;
  return {
    origin,
    imageHost,
    async close() {
      const exited = once(thread, 'exit');
      thread.postMessage('close');
      await exited;
    },
  };
}
