import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type AdapterOptions, type RunningAdapter, startAdapter } from './adapter.ts';
import { createContentReader } from './content-reader.ts';
import { csvLine, csvLines } from './csv.ts';
import { createEvents } from './events.ts';
import { contentRedirects } from './redirects.ts';
import { createRestClient } from './rest-client.ts';
import { openStore, STORE_FILE } from './submission-and-view-store.ts';

/** `npm run wordpress`, `wordpress:submissions` and `wordpress:redirects`; and the process in which the site starts the adapter. */

const USAGE = `npm run wordpress -- URL [--host 127.0.0.1] [--port 4000]
npm run wordpress:submissions [-- --erase EMAIL]
npm run wordpress:redirects -- URL [--format nginx|vcl|csv|redirects]`;
const TIMEOUT_MS = 10_000;

/** What that process says: first that it has started, or why it could not; then what happens to the WordPress. */
export type ChildMessage =
  | { started: Pick<RunningAdapter, 'origin' | 'imageHost'> }
  | { failed: string }
  | { warning: string };

const env = (name: string) => process.env[name] || null;
const print = (text: string) => void process.stdout.write(text);
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** As the documented configurations of nginx and Varnish look a request up: without a slash at the end, in lower case. */
const lookedUp = (from: string) => JSON.stringify(from.replace(/\/$/, '').toLowerCase());

/** A line of each format for one redirect. */
const FORMATS: Readonly<Record<string, (from: string, to: string) => string>> = {
  nginx: (from, to) => `${lookedUp(from)} ${JSON.stringify(to)};\n`,
  vcl: (from, to) =>
    `if (req.http.Old-Path == ${lookedUp(from)}) { return (synth(301, ${JSON.stringify(to)})); }\n`,
  csv: (from, to) => csvLine([from, to]),
  redirects: (from, to) => `${from} ${to} 301\n`,
};

/** Ends the process where whoever reads its output has read enough (`| head`). */
function endWithReader(): void {
  process.stdout.once('error', () => process.exit());
}

async function printRedirects(url: string, format: string): Promise<void> {
  endWithReader();
  const lineOf = FORMATS[format];
  if (!lineOf) throw new Error(USAGE);
  const client = createRestClient(env('API_AUTHORIZATION'), TIMEOUT_MS);
  const content = createContentReader(url, client, env('WORDPRESS_SECTIONS') ?? '');
  const events = createEvents(client, content);
  for (const redirects of [contentRedirects(content), events.redirects()])
    for await (const [from, to] of redirects) print(lineOf(from, to));
  await client.close();
}

function printSubmissions(erased: string | undefined): void {
  endWithReader();
  const dir = env('DATA_DIR') ?? 'data';
  if (!existsSync(join(dir, STORE_FILE)))
    throw new Error(`no ${STORE_FILE} in ${dir}: DATA_DIR is that of the adapter`);
  const store = openStore(dir, Date.now);
  if (erased !== undefined) print(`${store.erase(erased)} erased\n`);
  else for (const line of csvLines(store.submissions())) print(line);
  store.close();
}

async function serve(wordpressUrl: string, host: string, port: number): Promise<void> {
  const { origin, imageHost, close } = await startAdapter({
    wordpressUrl,
    sections: env('WORDPRESS_SECTIONS') ?? '',
    submissionsUrl: env('SUBMISSIONS_URL'),
    authorization: env('API_AUTHORIZATION'),
    dataDir: env('DATA_DIR') ?? 'data',
    optOutPath: env('OPT_OUT_PATH') ?? '/api/optout/add',
    timeoutMs: Number(env('UPSTREAM_TIMEOUT_MS') ?? 3_000),
    host,
    port,
    warn: (line) => void process.stderr.write(`${line}\n`),
  });
  print(`API_HOST=${origin} IMAGE_HOST=${imageHost} IMAGE_RESIZE=on\n`);
  // A signal to the whole process group comes twice: npm passes on what it gets. To close again does nothing.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void close());
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '4000' },
      format: { type: 'string', default: 'nginx' },
      erase: { type: 'string' },
    },
  });
  const [command, address = command] = positionals;
  if (command === 'submissions') return printSubmissions(values.erase);
  if (!/^https?:/.test(address ?? '') || !URL.canParse(String(address))) throw new Error(USAGE);
  const url = String(address).replace(/\/*([?#].*)?$/, '');
  if (command === 'redirects') return printRedirects(url, values.format);
  return serve(url, values.host, Number(values.port));
}

/** Whether the site has started this process: its one argument. */
const isAttached = process.argv[2] === 'attached';
const say = (message: ChildMessage) => process.connected && process.send?.(message);

async function runAttached(): Promise<void> {
  // Signals of a terminal reach this process too. It ends with the site, which still delivers what readers have sent.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  // Readers come first on a machine with one core.
  setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  const [options]: Omit<AdapterOptions, 'warn'>[] = await once(process, 'message');
  if (!options) return;
  const { close, ...started } = await startAdapter({ ...options, warn: (warning) => say({ warning }) });
  process.once('disconnect', () => void close());
  if (process.connected) say({ started });
  else await close();
}

await (isAttached ? runAttached() : run()).catch((error: unknown) => {
  process.exitCode = 1;
  if (!isAttached) process.stderr.write(`${messageOf(error)}\n`);
  else if (say({ failed: messageOf(error) })) process.disconnect();
});
