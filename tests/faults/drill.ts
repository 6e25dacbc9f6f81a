import { parseArgs } from 'node:util';
import { drillBacklog } from './backlog.ts';
import { drillDiskFaults } from './disk-faults.ts';
import { drillEdgeFaults } from './edge-faults.ts';
import { drillFailingUpstream } from './failing-upstream.ts';
import { drillHostileRequests } from './hostile-requests.ts';
import { drillCrashes } from './killed-during-posts.ts';
import { drillLoadFaults } from './load-faults.ts';
import { drillPartialFaults } from './partial-faults.ts';
import { drillProcessFaults } from './process-faults.ts';
import { drillRedisFaults } from './redis-faults.ts';
import { createReport } from './report.ts';
import { drillRollingDeploy } from './rolling-deploy.ts';
import { drillUnknownPaths } from './unknown-paths.ts';
import { drillZeroDowntimeRestart } from './zero-downtime-restart.ts';

/**
 * `npm run drill`: injects the faults of the table into the built server and checks each promise. `--short` runs those
 * that fit into a test run; `--only name` one group. Exits with 1 where a promise is broken.
 */
const GROUPS = {
  crash: drillCrashes,
  'failing-upstream': drillFailingUpstream,
  'partial-faults': drillPartialFaults,
  'process-faults': drillProcessFaults,
  'disk-faults': drillDiskFaults,
  'hostile-requests': drillHostileRequests,
  'redis-faults': drillRedisFaults,
  'edge-faults': drillEdgeFaults,
  'zero-downtime-restart': drillZeroDowntimeRestart,
  'rolling-deploy': drillRollingDeploy,
  backlog: drillBacklog,
  'unknown-paths': drillUnknownPaths,
  'load-faults': drillLoadFaults,
};

const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, only: { type: 'string' } },
});
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
