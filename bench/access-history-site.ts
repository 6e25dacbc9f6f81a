import { join } from 'node:path';
import { pino } from 'pino';
import { bootstrap } from '#server/bootstrap.ts';
import { readConfig } from '#server/config.ts';
import { setV8Flags } from '#server/process/v8-flags.ts';

/**
 * The site from its sources on a free port; prints its origin. With `off` as its argument without the access history,
 * which no configuration turns off.
 */
setV8Flags();
const config = readConfig({
  ...process.env,
  OPS_PORT: '0',
  // The rate limit counts as always, with a limit that the load does not reach.
  RATE_LIMIT_READ: '10000000',
  LOG_LEVEL: 'warn',
});
const site = await bootstrap({
  config,
  logger: pino({ level: config.logLevel }),
  root: join(import.meta.dirname, '..'),
  development: false,
  recording: process.argv[2] !== 'off',
});
const origin = await site.app.listen({ port: 0, host: '127.0.0.1' });
// The warm-up must be over before the measurement.
await site.ready();
process.stdout.write(`${origin}\n`);
process.once('SIGTERM', () => void site.stop(1_000).then(() => process.exit(0)));
