import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { pino } from 'pino';
import { z } from 'zod';
import type { PageRecord } from '#client/routes.tsx';
import { bootstrap } from '#server/bootstrap.ts';
import { allVariables, readConfig } from '#server/config/config.ts';
import { loadBuild } from '#server/render/site-build.ts';
import { siteSchema } from '#server/site/site-schema.ts';
import { declarations, kindOf, shownLabels } from '#shared/metric-declarations.ts';
import { RESOURCE_TABLE, RESOURCES } from '#shared/models/resources-and-policies.ts';
import { grafanaBoard } from './grafana-board.ts';

/** `npm run docs`: writes the documentation that is derived from code. `tests/integration/generated-docs.test.ts` holds it. */

const root = join(import.meta.dirname, '..');
/** How long the inspected site may take to stop, in milliseconds. */
const STOP_MS = 30_000;

/** What routes without a summary in their schema serve, by the end of their path. The first that fits counts. */
const SUMMARIES: readonly (readonly [suffix: string, summary: string])[] = [
  ['/healthz', 'Liveness'],
  ['/events/:slug.ics', 'An event for calendars (iCalendar)'],
  ['/readyz', 'Readiness'],
  ['/media/*', 'Resized images; only with IMAGE_RESIZE=on or without IMAGE_HOST'],
  ['/feed.xml', 'RSS 2.0'],
  ['/feed.atom', 'Atom'],
  ['/feed.json', 'JSON Feed'],
  ['/news-sitemap.xml', 'News sitemap: posts of the last two days'],
  ['/sitemap.xml', 'Sitemap index'],
  ['/robots.txt', 'Robots exclusion'],
  ['/security.txt', 'Where to report a vulnerability (RFC 9116)'],
  ['/opensearch.xml', 'OpenSearch description'],
  ['/manifest.webmanifest', 'Web app manifest'],
  ['/speculation-rules.json', 'Speculation rules: links to prefetch'],
  ['/search', 'Redirects the search form to its canonical address'],
  ['.xml', 'A part of the sitemap'],
  ['.svg', 'A file of client/public'],
  ['.png', 'A file of client/public'],
  ['.ico', 'A file of client/public'],
];

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A path with its parameters as OpenAPI writes them. */
const templateOf = (path: string) => path.replace(/:(\w+)/g, '{$1}');
const code = (text: string) => `\`${text}\``;

function environmentTable(): string {
  const shown = allVariables().filter(({ name }) => !/^CACHE_.+_(TTL|SWR|SIE)$/.test(name));
  const rows = shown.map(({ name, fallback, expected, description, isSecret }) => {
    const inFile = isSecret ? `; or in a file that ${code(`${name}_FILE`)} names` : '';
    return [code(name), fallback === null ? 'unset' : code(fallback), expected, description + inFile];
  });
  return table(['variable', 'default', 'accepts', 'meaning'], rows);
}

function policyTable(): string {
  const rows = RESOURCES.map((resource) => {
    const { description, policy } = RESOURCE_TABLE[resource];
    const { ttl, swr, sie } = policy;
    return [code(resource.toUpperCase()), description, String(ttl), String(swr), String(sie)];
  });
  return table(['resource', 'what it is', 'TTL', 'SWR', 'SIE'], rows);
}

function pageTable(pages: readonly PageRecord[]): string {
  const rows = pages.map(({ name, path, query }) => [
    name,
    path === '*' ? 'every other path' : code(templateOf(path)),
    Object.keys(query ?? {})
      .map(code)
      .join(', '),
  ]);
  return table(['page', 'path', 'query parameters'], rows);
}

function metricTable(): string {
  const rows = declarations().map(([name, { labels, help, lookWhen, ...metric }]) => [
    code(labels.length === 0 ? name : `${name}{${labels.join(',')}}`),
    kindOf(name),
    help,
    lookWhen,
    shownLabels(metric).join(', '),
  ]);
  return table(['metric', 'type', 'meaning', 'look at it when', 'on the dashboard as'], rows);
}

function summaryOf({ url, schema }: RouteOptions): string {
  const described = schema && 'summary' in schema ? schema.summary : undefined;
  const summary = described ?? SUMMARIES.find(([suffix]) => url.endsWith(suffix))?.[1];
  if (typeof summary !== 'string') throw new Error(`${url} has no summary: give its schema one`);
  return summary;
}

const SHOWN: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** What is no page, by path. `HEAD` and what the OpenAPI documents hide (refused methods among it) are left out. */
function routeTable(routes: readonly RouteOptions[], pages: readonly PageRecord[] = []): string {
  const pagePaths = new Set(['/*', ...pages.map(({ path }) => path)]);
  const rows = routes
    .filter(({ url, schema }) => !(schema && 'hide' in schema) && !pagePaths.has(url))
    .flatMap((route) => [route.method].flat().map((method) => ({ method, route })))
    .filter(({ method }) => SHOWN.has(method))
    .map(({ method, route }) => ({ method, path: templateOf(route.url), summary: summaryOf(route) }))
    .toSorted(
      (one, other) =>
        one.path.localeCompare(other.path, 'en') || one.method.localeCompare(other.method, 'en'),
    )
    .map(({ method, path, summary }) => [method, code(path), summary]);
  return table(['method', 'path', 'what it serves'], rows);
}

/** Makes a site with every optional part, listens nowhere, and returns its routes and its metrics. */
async function inspectSite() {
  const routes = new Map<unknown, RouteOptions[]>();
  function record(message: unknown): void {
    const { fastify } = message as { fastify: FastifyInstance };
    const found: RouteOptions[] = [];
    routes.set(fastify, found);
    fastify.addHook('onRoute', (route) => void found.push(route));
  }
  const dir = await mkdtemp(join(tmpdir(), 'docs-'));
  subscribe('fastify.initialization', record);
  const site = await bootstrap({
    // Nothing listens there: a site starts without its Redis.
    config: readConfig({
      DATA_DIR: dir,
      REDIS_URL: 'redis://127.0.0.1:1',
      CDN: 'varnish',
      CDN_PURGE_URL: 'http://127.0.0.1:1',
      SITE_DIR: 'examples/site',
    }),
    logger: pino({ level: 'silent' }),
    root,
    development: false,
  });
  unsubscribe('fastify.initialization', record);
  await site.app.ready();
  // Long enough for what it still writes into the folder that is removed next.
  await site.stop(STOP_MS);
  await rm(dir, { recursive: true, force: true });
  return {
    readers: routes.get(site.app) ?? [],
    operators: routes.get(site.ops) ?? [],
  };
}

/** Returns the JSON Schema of `site.json`, by which editors complete it. */
function siteJsonSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(siteSchema, { io: 'input' }), null, 2)}\n`;
}

/** Replaces the text between `<!-- name -->` and `<!-- /name -->`. */
function fill(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`there is no place for ${name}`);
  return `${text.slice(0, from)}${start}\n\n${content}\n\n${text.slice(to)}`;
}

/** The records by number. What has been superseded says so in the paragraph of its date. */
async function decisionTable(): Promise<string> {
  const folder = join(root, 'docs/decisions');
  const files = (await readdir(folder)).filter((name) => /^\d{4}-.+\.md$/.test(name)).toSorted();
  const rows = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8');
      const [, number, title, date, rest] =
        /^# (\d{4})[.:] (.+)\n\n(\d{4}-\d\d-\d\d)\.?([\s\S]*?)\n\n/.exec(text) ?? [];
      if (!number || !title || !date)
        throw new Error(`${file} does not begin with its number, title and date`);
      const status = /[^.]*superseded by[^.]*\.md\)/.exec(rest ?? '')?.[0].trim() ?? 'in force';
      return [`[${number}](${file})`, title, date, status];
    }),
  );
  return table(['record', 'title', 'date', 'status'], rows);
}

/** Returns the text of `.env.example`: every variable of the schema with its default. */
function envExample(): string {
  const lines = allVariables().flatMap(({ name, fallback, description, expected }) => [
    `# ${description}: ${expected}`,
    fallback === null ? `# ${name}=` : `${name}=${fallback}`,
  ]);
  return `${lines.join('\n')}\n`;
}

/** Returns the text of each file that is derived from code, by its path. Needs a build. */
export async function generatedDocs(): Promise<Map<string, string>> {
  const { pages } = (await loadBuild(root)).bundle;
  const { readers, operators } = await inspectSite();
  const tables = {
    environment: environmentTable(),
    policies: policyTable(),
    pages: pageTable(pages),
    routes: routeTable(readers, pages),
    'operator routes': routeTable(operators),
  };
  let reference = await readFile(join(root, 'docs/reference.md'), 'utf8');
  for (const [name, content] of Object.entries(tables)) reference = fill(reference, name, content);
  const decisions = await readFile(join(root, 'docs/decisions/README.md'), 'utf8');
  const metricsPage = await readFile(join(root, 'docs/operating/metrics-and-alerts.md'), 'utf8');
  return new Map([
    ['.env.example', envExample()],
    ['docs/reference.md', reference],
    ['docs/operating/metrics-and-alerts.md', fill(metricsPage, 'metrics', metricTable())],
    ['docs/operating/grafana-dashboard.json', grafanaBoard()],
    ['docs/site.schema.json', siteJsonSchema()],
    ['docs/decisions/README.md', fill(decisions, 'decisions', await decisionTable())],
  ]);
}

if (import.meta.main) {
  for (const [path, text] of await generatedDocs()) await writeFile(join(root, path), text);
}
