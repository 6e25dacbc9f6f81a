import { describe, expect, it } from 'vitest';
import { createSampleWindow } from '#client/dashboard/samples/sample-window.ts';
import { QUIET_STATE } from '../../../tests/fixtures/live-state.ts';
import { type Situation, verdictOf } from './verdict.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const STEP_MS = 10_000;
const START = 'process_start_time_seconds';
const SERVED = 'http_requests_total{status="200"}';
const FRESH = 'response_cache_requests_total{result="hit"}';

/** Five minutes of readers, and series given by their values at the last samples; before that they have the first of them. */
function verdict(series: Record<string, number[]>, over: Partial<Situation> = {}) {
  const at = Array.from({ length: 31 }, (_, nth) => NOW - (30 - nth) * STEP_MS);
  const columns: Record<string, number[]> = {
    [START]: at.map(() => NOW / 1000 - 9_000),
    [SERVED]: at.map((_, nth) => nth * 100),
    [FRESH]: at.map((_, nth) => nth * 100),
  };
  for (const [name, last] of Object.entries(series))
    columns[name] = [...at.slice(last.length).map(() => last[0] ?? 0), ...last];
  const window = createSampleWindow({
    stepSeconds: 10,
    series: Object.keys(columns),
    at,
    values: at.map((_, nth) => Object.values(columns).map((values) => values[nth] ?? null)),
  });
  const { readers, findings, notes, advice } = verdictOf({
    window,
    long: null,
    state: QUIET_STATE,
    changes: [],
    instances: [],
    isConnected: true,
    ...over,
  });
  return [readers, ...findings.map(({ text }) => text), ...notes, advice].join('. ');
}

const sent = (operation: string) => `upstream_request_duration_seconds{operation="${operation}",le="0.1"}`;
const failed = (operation: string, outcome = 'status') =>
  `upstream_requests_total{operation="${operation}",outcome="${outcome}"}`;

describe('the verdict', () => {
  it('of a site whose readers are served is that there is nothing to do', () => {
    expect(verdict({})).toBe('Readers are served. Nothing to do');
  });

  it('says that the upstream fails, since when and with what, and that cached pages outlast it', () => {
    expect(verdict({ [sent('post.topic')]: [0, 10, 20, 30], [failed('post.topic')]: [0, 10, 20, 30] })).toBe(
      'Readers are served. The upstream fails since 11:59:40 UTC: status on post.topic. Nothing to do while SIE lasts: tell whoever runs the upstream',
    );
  });

  it('says of deliveries that fail that nothing is lost, also where their form posts are 5xx', () => {
    expect(
      verdict({
        [sent('subscribe.add')]: [0, 50],
        [failed('subscribe.add')]: [0, 50],
        'http_requests_total{status="502"}': [0, 50],
        'outbox_messages{kind="submissions",state="pending"}': [0, 50],
      }),
    ).toMatch(
      /^Readers are served\. 7\.7 % of responses are 5xx since .*, of form posts alone\. An operation of the upstream fails since .*: status on subscribe\.add\. 50 submissions wait\. Nothing is lost: /,
    );
  });

  it('does not say of messages that the upstream rejects that they wait', () => {
    const told = verdict({
      [sent('subscribe.add')]: [0, 50],
      [failed('subscribe.add')]: [0, 50],
      'outbox_messages{kind="submissions",state="rejected"}': [0, 50],
    });
    expect(told).toContain('The upstream has rejected 50 messages.');
    expect(told).toMatch(/See Messages: retry or discard them$/);
  });

  it('says since when an operation fails by its own failures, not by what a breaker did not send', () => {
    const reads = 'upstream_refusals_total';
    const failing = { [sent('post.topic')]: [0, 10, 20], [failed('post.topic')]: [0, 10, 20] };
    expect(verdict({ ...failing, [reads]: [0, 9, 9, 9, 9, 9, 9] })).toContain('fails since 11:59:50 UTC');
  });

  it('says since when the upstream and its readers fail, which a few failures before it were not', () => {
    const told = verdict({
      [sent('post.topic')]: [0, 100, 200, 300, 400],
      [failed('post.topic')]: [0, 1, 2, 92, 182],
      'http_requests_total{status="503"}': [0, 1, 2, 52, 102],
    });
    expect(told).toContain('of responses are 5xx since 11:59:50 UTC');
    expect(told).toContain('The upstream fails since 11:59:50 UTC');
  });

  it('says which page is a 503 where nothing is cached, and who mends it', () => {
    const lastFailedRead = { at: NOW, status: 503, route: '/topic/:category', url: '/topic/news' };
    const failing = {
      [sent('post.topic')]: [0, 50],
      [failed('post.topic')]: [0, 50],
      'http_requests_total{status="503"}': [0, 50],
    };
    expect(verdict(failing, { state: { ...QUIET_STATE, lastFailedRead } })).toMatch(
      /^Readers are served\. 7\.7 % of responses are 5xx since .*, such as 503 on \/topic\/:category\. .*what is not cached is a 503 until it is back$/,
    );
  });

  it('does not speak of most readers, nor of nothing to do, where the one page that was asked for is a 503', () => {
    const lastFailedRead = { at: NOW, status: 503, route: '/topic/:category', url: '/topic/news' };
    const quiet = { [SERVED]: [0], [FRESH]: [0], 'http_requests_total{status="503"}': [0, 1] };
    const told = verdict(
      { ...quiet, [sent('post.topic')]: [0, 2], [failed('post.topic')]: [0, 2] },
      { state: { ...QUIET_STATE, lastFailedRead } },
    );
    expect(told).toMatch(/^The only response of the last minute was a 5xx\. The upstream fails since /);
    expect(told).toMatch(/what is not cached is a 503 until it is back$/);
  });

  it('does not say that readers are served where most get an error', () => {
    expect(verdict({ 'http_requests_total{status="500"}': [0, 9_000] })).toMatch(
      /^Most readers get an error\./,
    );
  });

  it('says of a late page which operation is slow', () => {
    const bucket = (le: string) => `http_request_duration_seconds{le="${le}"}`;
    const slow = 'upstream_request_duration_seconds{operation="post.topic",le="1"}';
    const told = verdict({ [bucket('0.25')]: [0, 50], [bucket('1')]: [0, 50], [slow]: [0, 50] });
    expect(told).toContain(
      '50.0 % of responses take longer than 0.25 s since 12:00:00 UTC, p95 975 ms on post.topic.',
    );
    expect(told).toMatch(/longer TTLs spare the upstream$/);
  });

  it('says since when the upstream is slow, which a few late calls before it were not', () => {
    const bucket = (le: string) => `upstream_request_duration_seconds{operation="post.topic",le="${le}"}`;
    expect(verdict({ [bucket('0.1')]: [0, 900, 900, 900], [bucket('2')]: [0, 9, 500, 990] })).toContain(
      'The upstream is slow since 11:59:50 UTC: p95 1.9',
    );
  });

  it('says which items are left out and by which rule, which is no failure of the operation', () => {
    const lastDrops = { 'post.topic': { at: NOW, reason: 'no slug (2)', key: null } };
    expect(
      verdict(
        { [sent('post.topic')]: [0, 50], 'upstream_dropped_items_total{operation="post.topic"}': [0, 2] },
        { state: { ...QUIET_STATE, lastDrops } },
      ),
    ).toBe(
      'Readers are served. The upstream sends items that cannot be shown: 2 items of post.topic: no slug (2). Tell the editors: each is left out until it is mended there',
    );
  });

  it('says that a limit refuses, which is no failure', () => {
    expect(
      verdict({ 'http_requests_total{status="429"}': [0, 12], 'http_refusals_total{limit="read"}': [0, 12] }),
    ).toBe(
      'Readers are served. The limit of reads refused 12 requests with 429 in the last minute. Nothing to do',
    );
  });

  it('says that the disk of the outbox takes no messages, and what to do', () => {
    expect(verdict({ outbox_disk_usable: [1, 0] })).toBe(
      'Readers are served. The disk of the outbox takes no messages. Mend the disk of DATA_DIR: a form post that the upstream does not take is refused meanwhile',
    );
  });

  it('counts one message and several', () => {
    const rejected = (n: number) =>
      verdict({ 'outbox_messages{kind="submissions",state="rejected"}': [0, n] });
    expect(rejected(1)).toContain('The upstream has rejected 1 message.');
    expect(rejected(2)).toContain('The upstream has rejected 2 messages.');
  });

  it('says when the server restarted, and where it is the first start', () => {
    const started = NOW / 1000 - 15;
    expect(verdict({ [START]: [started - 9_000, started, started] })).toContain(
      'The server restarted at 11:59:45 UTC',
    );
    expect(verdict({ [START]: Array.from({ length: 31 }, () => started) })).toContain(
      'The server started at 11:59:45 UTC',
    );
  });

  it('says that the event loop is late, but not of the start itself', () => {
    const late = { 'event_loop_lag_seconds{stat="p99"}': [0, 0.15] };
    expect(verdict(late)).toContain('The event loop is 150 ms late');
    const started = NOW / 1000 - 60;
    expect(verdict({ ...late, [START]: [started - 9_000, started] })).not.toContain('late');
  });

  it('says that the cache is frozen and until when, and does not tell the change twice', () => {
    const mode = { mode: 'freeze' as const, ttlFactor: 1, endsInSeconds: 600 };
    const state = { ...QUIET_STATE, mode, lastChange: 'a' };
    const change = {
      id: 'a',
      at: '2026-03-01T11:59:00Z',
      who: 'OPS_TOKEN',
      from: '::1',
      requestId: 'r',
      undo: null,
    };
    expect(verdict({}, { state, changes: [{ ...change, what: 'cache mode', after: mode }] })).toBe(
      'Readers are served. Frozen: no upstream requests; cached data is served at any age, until 12:10:00 UTC. Back to normal, once it is no longer needed',
    );
    const stretched = { ...QUIET_STATE, mode: { ...mode, ttlFactor: 10 } };
    expect(verdict({}, { state: stretched })).toContain(
      'cached data is served at any age; every TTL × 10, until 12:10:00 UTC.',
    );
    const policy = { ...change, what: 'policy of topic', before: { ttl: 30 }, after: { ttl: 300 } };
    expect(verdict({}, { changes: [policy] })).toContain(
      'topic: TTL 30 s to 5 min (OPS_TOKEN) at 11:59:00 UTC',
    );
  });

  it('says of a silent instance which it is, and of a listener that does not respond nothing else', () => {
    expect(verdict({}, { isConnected: false })).toContain('The operators’ listener does not respond');
  });
});
