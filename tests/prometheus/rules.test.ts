import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSiteUnderTest } from '../integration/site-under-test.ts';
import { ALERT_CASES, type AlertCase, QUIET_NIGHT } from './alert-cases.ts';
import { OPERATING_DIR, readAlerts, readGroupNames, readRecordings } from './rule-files.ts';

/** In the order of evaluation: alerts use what is recorded. */
const FILES = ['recording-rules.yaml', 'alerts.yaml'].map((file) => join(OPERATING_DIR, file));

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'promtool-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

function promtool(args: string[], input = ''): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

/** Writes a file for promtool, to which JSON is YAML. Resolves with its path. */
async function writeJson(name: string, content: object): Promise<string> {
  const file = join(dir, `${name}.yaml`);
  await writeFile(file, JSON.stringify(content));
  return file;
}

/** Metrics of the library, which keep its names (`docs/operating/metrics-and-alerts.md`). */
const NAMES_OF_THE_LIBRARY =
  /^nodejs_eventloop_utilization_(histogram|summary) metric name should not include type/;

/** A unit test of promtool: the alert as it must be, or none. */
function unitTestOf({ alert, interval, at, fires, quiet, labels = {} }: AlertCase, mustFire: boolean) {
  const rule = readAlerts().find((one) => one.alert === alert);
  const expected = { exp_labels: { ...rule?.labels, ...labels }, exp_annotations: rule?.annotations };
  return {
    name: `${alert} ${mustFire ? 'fires' : 'is quiet'}`,
    interval,
    input_series: Object.entries(mustFire ? fires : quiet).map(([series, values]) => ({ series, values })),
    alert_rule_test: [{ eval_time: at, alertname: alert, exp_alerts: mustFire ? [expected] : [] }],
  };
}

it('Prometheus accepts the rules', () => {
  const { status, output } = promtool(['check', 'rules', ...FILES]);
  expect({ status, output }).toMatchObject({ status: 0 });
});

describe('the alert rules', () => {
  it('have a case each', () => {
    expect([...new Set(ALERT_CASES.map(({ alert }) => alert))]).toEqual(
      readAlerts().map(({ alert }) => alert),
    );
  });

  it('fire where they must, and are quiet where they must', async () => {
    const recordings = readRecordings();
    const files = await Promise.all(
      readAlerts().map(async (rule) => {
        const { alert, expr } = rule;
        // Beside its own alert alone: each evaluation of all rules costs some milliseconds.
        const used = recordings.filter(({ record }) => expr.includes(record));
        const rules = await writeJson(`${alert}-rules`, {
          groups: [{ name: alert, rules: [...used, rule] }],
        });
        const cases = ALERT_CASES.filter((one) => one.alert === alert);
        return writeJson(`${alert}-tests`, {
          rule_files: [rules],
          // Over days once an hour only.
          evaluation_interval: cases.some(({ interval }) => interval === '5m') ? '1h' : '1m',
          tests: cases.flatMap((one) => [unitTestOf(one, true), unitTestOf(one, false)]),
        });
      }),
    );
    const { status, output } = promtool(['test', 'rules', ...files]);
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output.match(/SUCCESS/g)).toHaveLength(files.length);
  });

  it('are silent in a quiet night with crawlers, 404s, floods of 4xx and a restart', async () => {
    const alert_rule_test = readAlerts().flatMap(({ alert }) =>
      ['130m', '306m', '402m', '590m', '640m', '719m'].map((eval_time) => ({
        eval_time,
        alertname: alert,
        exp_alerts: [],
      })),
    );
    const input_series = Object.entries(QUIET_NIGHT).map(([series, values]) => ({ series, values }));
    const tests = [{ name: 'a quiet night', interval: '1m', input_series, alert_rule_test }];
    const file = await writeJson('quiet-night', {
      rule_files: FILES,
      group_eval_order: readGroupNames(),
      evaluation_interval: '2m',
      tests,
    });
    const { status, output } = promtool(['test', 'rules', file]);
    expect(output).toContain('SUCCESS');
    expect(status).toBe(0);
  });

  it('name a heading of the runbook each', async () => {
    const runbook = await readFile(join(OPERATING_DIR, 'troubleshooting.md'), 'utf8');
    const anchors = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    for (const { alert, annotations } of readAlerts()) {
      expect(annotations.runbook_url).toBe(`troubleshooting.md#${alert.toLowerCase()}`);
      expect(anchors).toContain(alert.toLowerCase());
    }
  });

  it('use recorded series that are recorded', () => {
    const recorded = new Set(readRecordings().map(({ record }) => record));
    const used = readAlerts().flatMap(({ expr }) => expr.match(/\bsite:[\w:]+/g) ?? []);
    expect(new Set(used)).toEqual(recorded);
  });
});

it('Prometheus finds nothing wrong with the metrics of a running site', async () => {
  const site = await startSiteUnderTest();
  try {
    for (const path of ['/', '/topic/news']) await (await fetch(site.origin + path)).text();
    const metrics = await (await fetch(`${site.ops}/metrics`)).text();
    const { output } = promtool(['check', 'metrics'], metrics);
    expect(output.split('\n').filter((line) => line !== '' && !NAMES_OF_THE_LIBRARY.test(line))).toEqual([]);
  } finally {
    await site.close();
  }
});
