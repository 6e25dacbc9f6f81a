import { join } from 'node:path';
import closeWithGrace from 'close-with-grace';
import { pino } from 'pino';
import { buildSite, hasBuild } from './build.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { startSite } from './site.ts';

/** The process: configuration, build, listen, close gracefully. The only file that listens. */

const root = join(import.meta.dirname, '..');
const development = process.argv.includes('--dev');

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
const logger = pino({ level: config.logLevel });

if (!development && !hasBuild(root)) {
  logger.info('no build yet: building');
  await buildSite(root);
}

try {
  const running = await startSite({ config, logger, root, development });
  await running.app.listen({ port: config.port, host: config.host });
  if (config.ops.port !== 0) await running.ops.listen({ port: config.ops.port, host: config.ops.host });
  closeWithGrace(
    { delay: config.shutdownGraceMs, logger: { error: (error) => logger.error(error) } },
    async ({ err, signal }) => {
      if (err) logger.fatal({ err }, 'stopping because of an error');
      else logger.info({ signal }, 'stopping');
      await running.stop(config.shutdownGraceMs);
    },
  );
} catch (error) {
  logger.fatal({ err: error }, 'the server could not start');
  process.exit(1);
}
