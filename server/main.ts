import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import closeWithGrace from 'close-with-grace';
import { setGlobalDispatcher } from 'undici';
import { buildSite, hasBuild } from '#tools/build.ts';
import { bootstrap } from './bootstrap.ts';
import { type Config, ConfigError, readConfig } from './config/config.ts';
import { OutboxUnusable } from './outbox/open-sqlite.ts';
import { createAgent, hasProxy } from './outgoing-requests.ts';
import { greeting } from './process/greeting.ts';
import { createLogger } from './process/logger.ts';
import { after, systemClock } from './time.ts';
import { openTracing } from './tracing/tracing.ts';

/** Entry point: reads the configuration, builds if there is no build, listens, shuts down gracefully. */

const root = join(import.meta.dirname, '..');
const development = process.argv.includes('--dev');
/** Stops as soon as it is ready, to fill the compile cache of a container image. */
const once = process.argv.includes('--once');

/** Wait at most this long (ms), and for this share of the grace period, for connections that stay open without a request. */
const MAX_IDLE_WAIT_MS = 1_000;
const MAX_IDLE_WAIT_SHARE = 0.1;

/** The steps of a stop end with the grace period: a process that runs for so long (ms) after it hangs. */
const HANGS_AFTER_MS = 1_000;

/** A process manager signals the whole group, and npm passes on what it gets: a repeat this soon (ms) is the same signal. */
const SAME_SIGNAL_MS = 250;

/** By then (ms) the first pages have compiled what they need, which the compile cache is to have. */
const FLUSH_AFTER_MS = 5_000;

/**
 * Flags of V8 for a server under load, for all threads. Of objects that survive for a while, as those of a request do that waits
 * for a page, it would allocate all further ones in the old generation, where they stay until the next full collection, and it
 * would let that generation double before it collects (`docs/decisions/0049`).
 */
const V8_FLAGS = ['--no-allocation-site-pretenuring', '--heap-growing-percent=15'];

function configOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

const config = configOrExit();
// For what has no pool of its own: purges at the CDN.
if (hasProxy(config.proxies)) setGlobalDispatcher(createAgent({}, config.proxies));
const isTerminal = process.stdout.isTTY === true;
const tracing = await openTracing(config.tracing);
const logger = await createLogger(config, isTerminal, tracing.logFields);
tracing.reportTo(logger, systemClock);
if (!development && !hasBuild(root)) {
  logger.info('no build yet: building');
  await buildSite(root);
}

try {
  const running = await bootstrap({ config, logger, root, development, tracing });
  let isStopping = false;
  let signalledAt = Number.NEGATIVE_INFINITY;
  const { close } = closeWithGrace(
    {
      delay: config.shutdownGraceMs + HANGS_AFTER_MS,
      logger: { error: (error) => logger.error(error) },
      skip: ['SIGTERM', 'SIGINT'],
      onSecondSignal: running.abandon,
      onSecondError: running.abandon,
    },
    async ({ err, signal }) => {
      isStopping = true;
      if (err) logger.fatal({ err }, 'stopping because of an error');
      else if (signal) logger.info({ signal }, 'stopping');
      const began = systemClock.monotonic();
      const { drainMs, shutdownGraceMs: graceMs } = config;
      const idleMs = Math.min(drainMs, MAX_IDLE_WAIT_MS, graceMs * MAX_IDLE_WAIT_SHARE);
      await running.drain(drainMs, idleMs);
      await running.stop(graceMs - (systemClock.monotonic() - began));
    },
  );
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (!isStopping) {
        signalledAt = systemClock.monotonic();
        logger.info({ signal }, 'stopping');
        close();
      } else if (systemClock.monotonic() - signalledAt > SAME_SIGNAL_MS) {
        logger.error(`second ${signal}, exiting`);
        running.abandon();
        process.exit(1);
      }
    });
  // Readers come last: where the operators' port is taken, they find no site that ends again.
  if (config.ops.port !== 0) await running.ops.listen({ port: config.ops.port, host: config.ops.host });
  await running.app.listen({ port: config.port, host: config.host });
  if (isTerminal) process.stdout.write(greeting(config));
  // Not before: from then on V8 takes none of Node's own modules from the form that is compiled into its binary.
  for (const flag of V8_FLAGS) setFlagsFromString(flag);
  if (once) {
    // The compile cache is to have what a page needs.
    await running.app.inject('/');
    process.kill(process.pid, 'SIGTERM');
  }
  // Before V8 drops the code that only a start needs. Writes nothing if the cache was there.
  after(FLUSH_AFTER_MS, flushCompileCache);
} catch (error) {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
  else if (error instanceof OutboxUnusable || (error instanceof Error && 'syscall' in error))
    // A disk or a port that the system refuses: its message says all.
    logger.fatal(`the server could not start: ${error.message}`);
  else logger.fatal({ err: error }, 'the server could not start');
  process.exit(1);
}
