import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { seeded } from '../../seeded.ts';
import {
  type Behaviour,
  type ScriptedUpstream,
  startScriptedUpstream,
} from '../processes/scripted-upstream.ts';
import { type ServerProcess, startServer, terminate } from '../processes/server-process.ts';
import { eventually, request } from '../processes/site-process.ts';
import type { Report } from '../report.ts';

const SEED = 20_261_120;
const DEADLINE_MS = 500;
/** Delivered messages are erased from the file when the outbox is next idle. */
const ERASED_MS = 60_000;
const DRAIN_MS = 300_000;
/** Ten a second, and a margin for both ends of the measured interval. */
const MOST_A_SECOND = 13;
/** By so much (ms) the first of them may come late on a busy machine. All at once would take some milliseconds. */
const SHORT_LATENESS_MS = 2_000;
/** About the duration of a round's posts. */
const LATEST_KILL_MS = 120;
/** Concurrent senders. */
const POSTERS = 4;
/** The upstream fails a third of the time, in each way that it can. */
const BEHAVIOURS: Behaviour[] = ['up', 'up', 'up', 'up', 'up', 'up', 'refuses', 'fails', 'lost'];
const FORMS = [
  { path: '/api/contact-messages', upstream: '/api/contact/add' },
  { path: '/api/opt-outs', upstream: '/api/optout/add' },
  { path: '/api/subscriptions', upstream: '/api/subscribe/add' },
];

interface Sent {
  email: string;
  upstream: string;
  /** 201, 502, or 0 where the server was killed first. */
  status: number;
}

/** Posts a thousand submissions over a hundred kills at random moments: each that was acknowledged is delivered exactly once. */
export async function drillCrashes(report: Report, short: boolean): Promise<void> {
  const size = short ? { submissions: 40, kills: 4 } : { submissions: 1_000, kills: 100 };
  const dir = await mkdtemp(join(tmpdir(), 'crash-'));
  const upstream = await startScriptedUpstream();
  const start = (port?: number) =>
    startServer({
      ...(port !== undefined && { port }),
      env: {
        API_HOST: upstream.origin,
        IMAGE_HOST: upstream.origin,
        IP_LOOKUP_URL: `${upstream.origin}/lookup`,
        UPSTREAM_TIMEOUT_MS: String(DEADLINE_MS),
        DATA_DIR: dir,
        LOG_LEVEL: 'silent',
      },
    });
  try {
    const server = await start();
    const { sent, last } = await killAndPost(server, start, upstream, size);
    await upstream.be('up');
    await reportDelivery(report, upstream, last, sent, dir);
    await reportSteady(report, { upstream, server: last, dir }, short);
    await terminate(last);
  } finally {
    await upstream.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Each round posts its share until the server is killed; what could not be sent is left to the next round. */
async function killAndPost(
  first: ServerProcess,
  start: (port: number) => Promise<ServerProcess>,
  upstream: ScriptedUpstream,
  { submissions, kills }: { submissions: number; kills: number },
): Promise<{ sent: Sent[]; last: ServerProcess }> {
  const random = seeded(SEED);
  const sent: Sent[] = [];
  let server = first;

  /** Posts until `end` are sent or the server is killed. */
  async function poster(end: number): Promise<void> {
    while (sent.length < end) {
      const form = FORMS[sent.length % FORMS.length] ?? FORMS[0];
      if (!form) return;
      const one: Sent = { email: `canary-${sent.length}@example.com`, upstream: form.upstream, status: 0 };
      sent.push(one);
      one.status = (await post(server.origin + form.path, one.email)).status;
      if (one.status === 0) return;
    }
  }

  const postUntil = (end: number) => Promise.all(Array.from({ length: POSTERS }, () => poster(end)));

  for (let kill = 1; kill <= kills; kill++) {
    await upstream.be(BEHAVIOURS[Math.floor(random() * BEHAVIOURS.length)] ?? 'up');
    const posting = postUntil(Math.ceil((kill * submissions) / kills));
    await pause(random() * LATEST_KILL_MS);
    server.kill('SIGKILL');
    await Promise.all([server.ended, posting]);
    server = await start(Number(new URL(server.origin).port));
  }
  await upstream.be('up');
  await postUntil(submissions);
  return { sent, last: server };
}

async function post(url: string, email: string): Promise<{ status: number }> {
  const body = {
    firstName: 'Canary',
    lastName: 'Quill',
    email,
    phone: '+1 202-555-0142',
    message: `secret of ${email}`,
    optIn: true,
  };
  const headers = { 'content-type': 'application/json' };
  return request(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function reportDelivery(
  report: Report,
  upstream: ScriptedUpstream,
  server: ServerProcess,
  sent: Sent[],
  dir: string,
): Promise<void> {
  const completed = sent.filter(({ status }) => status === 201 || status === 502);
  const odd = sent.filter(({ status }) => ![0, 201, 502].includes(status));
  const arrivedEmails = () =>
    new Set(upstream.arrivals.filter(isTaken).map(({ email, path }) => path + email));
  const lost = () => {
    const arrived = arrivedEmails();
    return completed.filter((one) => !arrived.has(one.upstream + one.email));
  };
  const depth = async () => (await (await fetch(`${server.ops}/outbox`)).json()).pending.submissions === 0;
  const drained = await eventually(async () => lost().length === 0 && (await depth()), DRAIN_MS);
  const keys = new Map<string, Set<string>>();
  for (const { email, path, key } of upstream.arrivals.filter(isTaken)) {
    const known = keys.get(path + email) ?? new Set();
    keys.set(path + email, known.add(key));
  }
  const twice = [...keys.values()].filter((one) => one.size > 1).length;
  const text =
    `${sent.length} sent, ${completed.length} acknowledged (${sent.filter(({ status }) => status === 201).length} with 201), ` +
    `${lost().length} lost, ${twice} under two keys, ${odd.length} with another status`;
  report.seen(
    'killed',
    'form post',
    text,
    drained && twice === 0 && odd.length === 0 && completed.length > 0,
  );

  // A temporary file may be gone meanwhile.
  const holdsPersonal = async (name: string) =>
    /canary-\d+@|secret of/.test(await readFile(join(dir, name), 'latin1').catch(() => ''));
  const personal = async () => {
    const names = await readdir(dir);
    const held = await Promise.all(names.map(holdsPersonal));
    return names.filter((_, index) => held[index]);
  };
  await eventually(async () => (await personal()).length === 0, ERASED_MS);
  const found = await personal();
  const files = await readdir(dir);
  const modes = await Promise.all(
    files
      .filter((name) => /^(outbox|messages|idempotency)/.test(name))
      .map(async (name) => (await stat(join(dir, name))).mode & 0o777),
  );
  const isPrivate = modes.every((mode) => mode === 0o600);
  const state = `personal data in ${found.join(', ') || 'none'} of ${files.length} files, modes ${[...new Set(modes)].map((mode) => mode.toString(8)).join(', ')}`;
  report.seen('killed', 'process', state, found.length === 0 && isPrivate);
}

/** Whether the upstream accepted it, also where its response was lost. */
function isTaken({ status }: { status: number }): boolean {
  return status < 300;
}

/** Delivers an outage's backlog: ten a second, repeats once; a rejected message is kept and retried by an operator. */
async function reportSteady(
  report: Report,
  { upstream, server, dir }: { upstream: ScriptedUpstream; server: ServerProcess; dir: string },
  short: boolean,
): Promise<void> {
  const url = `${server.origin}/api/contact-messages`;
  const emails = Array.from(
    { length: 30 },
    (_, index) => `steady-${String(index).padStart(2, '0')}@example.com`,
  );
  await upstream.be('refuses');
  for (const email of emails) await post(url, email);
  for (const email of emails.slice(0, 5)) await post(url, email);
  await upstream.be('up');
  const arrivals = () => upstream.arrivals.filter(({ email }) => email.startsWith('steady-'));
  await eventually(async () => arrivals().length >= emails.length, DRAIN_MS);
  const arrived = new Set(arrivals().map(({ email }) => email));
  const times = arrivals().map(({ at }) => at);
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  const rate = (times.length - 1) / seconds;
  const steady = `${arrived.size} of ${emails.length}, ${times.length - arrived.size} twice, ${rate.toFixed(1)} a second`;
  const isSteady = (times.length - 1) / (seconds + (short ? SHORT_LATENESS_MS / 1000 : 0)) <= MOST_A_SECOND;
  const ok = arrived.size === emails.length && times.length === emails.length && isSteady;
  report.seen('killed', 'process', steady, ok);
  report.seen('comesBack', 'form post', steady, ok);

  upstream.refuse('refused-', 422);
  await post(url, 'refused-1@example.com');
  const items = async () => (await (await fetch(`${server.ops}/outbox`)).json()).messages;
  const rejected = async (): Promise<{ id: string }[]> =>
    (await items()).filter(({ state }: { state: string }) => state === 'rejected');
  // Where the first attempt was not in time, the next one is rejected.
  await eventually(async () => (await rejected()).length > 0, DRAIN_MS);
  const kept = await rejected();
  upstream.refuse('refused-', 201);
  for (const { id } of kept) await fetch(`${server.ops}/outbox/${id}/retry`, { method: 'POST' });
  const retried = await eventually(
    async () =>
      upstream.arrivals.some(({ email, status }) => email === 'refused-1@example.com' && status === 201),
    DRAIN_MS,
  );
  const names = await readdir(dir);
  const text = `${kept.length} refused and kept, ${retried ? 'delivered' : 'not delivered'} when retried`;
  report.seen('killed', 'process', text, kept.length === 1 && retried && names.includes('messages.sqlite'));
}
