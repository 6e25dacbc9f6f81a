import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import type { BodyLoss } from '#server/article-html/embeds.ts';
import { renderArticleHtml } from '#server/article-html/render-article-html.ts';
import { createCmsClient } from '#server/cms/client/cms-client.ts';
import { createCmsApi } from '#server/cms/cms-api.ts';
import type { LeftOutReport } from '#server/cms/lenient-parsing.ts';
import { readConfig } from '#server/config/config.ts';
import { systemClock } from '#server/time.ts';
import {
  type CheckedCall,
  checkRepeats,
  checkUpstream,
  REPEATED_WRITES,
  uncalledWrites,
} from './upstream-conformance.ts';

/**
 * `npm run check-upstream -- URL`: calls each read of the specification at that upstream and prints what fits, what is
 * left out and why, and what of ten articles of each section became a link or went.
 * `API_AUTHORIZATION` and the proxies' variables, or their files, mean what they mean to the server. `--write`: also sends a subscription
 * and a contact message twice each, which the upstream should store once. Exit code 1 where a page could not be made.
 */

const TIMEOUT_MS = 10_000;
const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean' } },
  allowPositionals: true,
});
const [address = ''] = positionals;

if (!URL.canParse(address) || !/^https?:/.test(address)) {
  process.stderr.write(
    'usage: npm run check-upstream -- URL [--write] (http:// or https://, as for API_HOST)\n',
  );
  process.exit(1);
}

const reports: LeftOutReport[] = [];
const losses: BodyLoss[] = [];
const READ = /^(API_AUTHORIZATION|HTTPS?_PROXY|NO_PROXY)(_FILE)?$/;
const config = readConfig(
  Object.fromEntries(Object.entries(process.env).filter(([name]) => READ.test(name))),
);
const client = createCmsClient({
  origin: address,
  authorization: config.apiAuthorization,
  proxies: config.proxies,
  timeoutMs: TIMEOUT_MS,
  logger: pino({ level: 'silent' }),
  clock: systemClock,
});
const cms = createCmsApi({
  client,
  renderHtml: renderArticleHtml,
  publicOrigin: 'https://site.example.com',
  imageHost: '/media',
  imagesServedBelow: null,
  report: (report) => void reports.push(report),
  onLosses: (lost) => void losses.push(...lost),
});
function linesOf({ call, isPrimary, outcome, detail, leftOut }: CheckedCall): string {
  const importance =
    outcome === 'fails' ? (isPrimary ? ' (its page cannot be made)' : ' (a section is missing)') : '';
  const reasons = leftOut.map(({ reason, items }) => `${' '.repeat(16)}left out: ${items} × ${reason}\n`);
  return `${outcome.padEnd(14)}  ${call.padEnd(26)}  ${detail}${importance}\n${reasons.join('')}`;
}

/** Returns a line for each element and host of which something became a link or went, the most frequent first. */
function lossLines(): string {
  const counts = new Map<string, number>();
  for (const { outcome, element, host } of losses) {
    const what = `${outcome === 'link' ? 'became a link' : 'went'}: ${element}${host === null ? '' : ` of ${host}`}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  return sorted.map(([what, count]) => `${' '.repeat(16)}${what}, ${count} ×\n`).join('');
}

let isFit = true;
for await (const checked of checkUpstream(cms, () => reports.splice(0))) {
  process.stdout.write(linesOf(checked));
  if (checked.isPrimary && checked.outcome === 'fails') isFit = false;
}
const repeats = values.write ? checkRepeats(client, `check-upstream-${randomUUID().slice(0, 8)}`) : [];
for await (const checked of repeats) process.stdout.write(linesOf(checked));
for (const checked of uncalledWrites(values.write ? REPEATED_WRITES : []))
  process.stdout.write(linesOf(checked));
process.stdout.write(lossLines());
process.stdout.write(
  isFit
    ? 'Every page can be made.\n'
    : 'Some pages cannot be made. docs/upstream-api.yaml has what is expected.\n',
);
await client.close();
process.exit(isFit ? 0 : 1);
