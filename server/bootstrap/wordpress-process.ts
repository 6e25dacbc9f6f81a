import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { ConfigError } from '#server/config/config.ts';
import type { ForwardProxies } from '#server/outgoing-requests.ts';
import { after } from '#server/time.ts';
import type { AdapterOptions, RunningAdapter } from '#wordpress/adapter.ts';
import type { ChildMessage } from '#wordpress/wordpress.ts';

export interface WordpressProcessOptions extends Omit<AdapterOptions, 'warn' | 'host' | 'port'> {
  logger: Logger;
  proxies: ForwardProxies;
}

/** Bounds of its heap: a list of a hundred posts takes a tenth of it. */
const HEAP = ['--max-semi-space-size=8', '--max-old-space-size=128'];

/** The adapter's source, or its bundle beside the server's. */
const ENTRY = import.meta.url.endsWith('.js') ? './wordpress.js' : '../../wordpress/wordpress.ts';

/** A process that ends is started again after this time (ms). */
const RESTART_MS = 1_000;

/**
 * Starts the adapter for WordPress in a process of its own, so that cached pages are served meanwhile; again, where the
 * process ends: a thread that runs out of memory while it parses ends the site. Rejects with a `ConfigError` of one line
 * where the WordPress cannot be read.
 */
export async function startWordpressProcess(given: WordpressProcessOptions): Promise<RunningAdapter> {
  const { logger, proxies, ...options } = given;
  // Their values may be those of files.
  const env = { ...process.env, HTTP_PROXY: proxies.http ?? '', HTTPS_PROXY: proxies.https ?? '' };
  let child: ChildProcess;
  /** 0 until it has started. Then it is started again on the same one, which its origin names. */
  let port = 0;
  let isClosing = false;

  function start() {
    const { promise, resolve, reject } = Promise.withResolvers<Omit<RunningAdapter, 'close'>>();
    child = fork(fileURLToPath(new URL(ENTRY, import.meta.url)), ['attached'], { execArgv: HEAP, env });
    child.on('message', (message: ChildMessage) => {
      if ('started' in message) resolve(message.started);
      else if ('failed' in message) reject(new ConfigError(message.failed));
      else logger.warn(message.warning);
    });
    child.on('error', reject);
    child.on('exit', () => {
      reject(new Error('the process of the adapter for WordPress ended'));
      if (port !== 0 && !isClosing) after(RESTART_MS, startAgain);
    });
    child.send({ ...options, host: '127.0.0.1', port });
    return promise;
  }

  function startAgain(): void {
    if (isClosing) return;
    logger.error('the process of the adapter for WordPress ended: it is started again');
    start().catch((err: unknown) => logger.error({ err }, 'the adapter for WordPress could not be started'));
  }

  const { origin, imageHost } = await start();
  port = Number(new URL(origin).port);
  return {
    origin,
    imageHost,
    async close() {
      isClosing = true;
      if (!child.connected) return;
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
