import { parseArgs } from 'node:util';
import { createReport } from './report.ts';
import { drillBacklog } from './scenarios/backlog.ts';
import { drillCacheFaults } from './scenarios/cache-faults.ts';
import { drillDiskFaults } from './scenarios/disk-faults.ts';
import { drillEdgeFaults } from './scenarios/edge-faults.ts';
import { drillFailingUpstream } from './scenarios/failing-upstream.ts';
import { drillHostileRequests } from './scenarios/hostile-requests.ts';
import { drillCrashes } from './scenarios/killed-during-posts.ts';
import { drillLoadFaults } from './scenarios/load-faults.ts';
import { drillOneClient } from './scenarios/one-client.ts';
import { drillPartialFaults } from './scenarios/partial-faults.ts';
import { drillProcessFaults } from './scenarios/process-faults.ts';
import { drillRedisFaults } from './scenarios/redis-faults.ts';
import { drillRollingDeploy } from './scenarios/rolling-deploy.ts';
import { drillUnknownPaths } from './scenarios/unknown-paths.ts';

/**
 * `npm run drill`: injects the faults of the table into the built server and checks each promise. `--short` runs those
 * that fit into a test run; `--only name` one group. Exits with 1 where a promise is broken.
 */
const GROUPS = {
  crash: drillCrashes,
  'failing-upstream': drillFailingUpstream,
  'partial-faults': drillPartialFaults,
  'cache-faults': drillCacheFaults,
  'process-faults': drillProcessFaults,
  'disk-faults': drillDiskFaults,
  'hostile-requests': drillHostileRequests,
  'one-client': drillOneClient,
  'redis-faults': drillRedisFaults,
  'edge-faults': drillEdgeFaults,
  'rolling-deploy': drillRollingDeploy,
  backlog: drillBacklog,
  'unknown-paths': drillUnknownPaths,
  'load-faults': drillLoadFaults,
};

const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, only: { type: 'string' } },
});
if (values.only !== undefined && !(values.only in GROUPS))
  throw new Error(`--only: one of ${Object.keys(GROUPS).join(', ')}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const report = createReport((line) => process.stdout.write(`${line}\n`));
const began = performance.now();
for (const [name, drill] of Object.entries(GROUPS)) {
  if (values.only !== undefined && values.only !== name) continue;
  process.stdout.write(`${name}\n`);
  await drill(report, values.short);
}
const { text, ok } = report.finish(values.short || values.only !== undefined);
process.stdout.write(
  `\n${text}\n${ok ? 'every promise held' : 'A PROMISE IS BROKEN'} (${Math.round((performance.now() - began) / 1000)} s)\n`,
);
process.exitCode = ok ? 0 : 1;
