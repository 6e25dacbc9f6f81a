import { join } from 'node:path';
import closeWithGrace from 'close-with-grace';
import { bootstrap } from './bootstrap.ts';
import { buildSite, hasBuild } from './build.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { createLogger } from './logger.ts';
import { setV8Flags } from './v8-flags.ts';

/** The process: configuration, build, listen, close gracefully. The only file that listens. */

const root = join(import.meta.dirname, '..');
const development = process.argv.includes('--dev');
/** This server takes over from one that still runs, or may hand over to the next (`docs/decisions/0006`). */
const handOver = process.argv.includes('--hand-over');
/** Stops as soon as it is ready: that fills the compile cache of an image (`start.js`). */
const once = process.argv.includes('--once');

/** Of a stop's time, for connections to learn that they close; never longer than load balancers need. */
const DRAIN_SHARE = 0.1;
const LONGEST_DRAIN_MS = 1_000;

function configOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

setV8Flags();
const config = configOrExit();
const logger = createLogger(config.logLevel);

if (!development && !hasBuild(root)) {
  logger.info('no build yet: building');
  await buildSite(root);
}

try {
  const running = await bootstrap({ config, logger, root, development, handOver });
  closeWithGrace(
    {
      delay: config.shutdownGraceMs,
      logger: { error: (error) => logger.error(error) },
      onSecondSignal: running.abandon,
      onSecondError: running.abandon,
    },
    async ({ err, signal }) => {
      if (err) logger.fatal({ err }, 'stopping because of an error');
      else logger.info({ signal }, 'stopping');
      await running.drain(Math.min(config.shutdownGraceMs * DRAIN_SHARE, LONGEST_DRAIN_MS));
      await running.stop(config.shutdownGraceMs * (1 - DRAIN_SHARE));
    },
  );
  // `reusePort` goes through Fastify to Node, though Fastify's types do not name it.
  const readers = { port: config.port, host: config.host, reusePort: handOver };
  await running.app.listen(readers);
  await running.owned;
  if (config.ops.port !== 0) await running.ops.listen({ port: config.ops.port, host: config.ops.host });
  if (once) {
    await running.ready();
    process.kill(process.pid, 'SIGTERM');
  }
} catch (error) {
  logger.fatal({ err: error }, 'the server could not start');
  process.exit(1);
}
