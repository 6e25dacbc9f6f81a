import { spawnSync } from 'node:child_process';
import { z } from 'zod';

/**
 * `npm run audit`: asks the registry whether what is installed is what was published (signatures, provenance), and whether
 * advisories name it. Exit code 1 for a bad signature or a severe advisory. A registry that answers neither is said to: it
 * is no finding.
 */

const Signatures = z.object({ invalid: z.array(z.unknown()), missing: z.array(z.unknown()) });
const Advisories = z.object({
  metadata: z.object({ vulnerabilities: z.object({ high: z.number(), critical: z.number() }) }),
});

const signatures = audit(Signatures, 'signatures');
if (signatures === null)
  report('signatures: not checked, because the registry or its keys could not be asked');
else {
  const { invalid, missing } = signatures;
  report(`signatures: ${invalid.length} invalid, ${missing.length} missing`);
  if (invalid.length + missing.length > 0) process.exitCode = 1;
}

const advisories = audit(Advisories, '--omit=dev');
if (advisories === null) report('advisories: not checked, because the registry refused');
else {
  const { high, critical } = advisories.metadata.vulnerabilities;
  report(`advisories: ${critical} critical, ${high} high`);
  if (high + critical > 0) process.exitCode = 1;
}

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs `npm audit`. Returns null where its output is of another shape: it could not ask. */
function audit<T>(shape: z.ZodType<T>, ...args: string[]): T | null {
  const { stdout } = spawnSync('npm', ['audit', ...args, '--json', '--fetch-retries=1'], {
    encoding: 'utf8',
  });
  try {
    return shape.safeParse(JSON.parse(stdout)).data ?? null;
  } catch {
    return null;
  }
}
