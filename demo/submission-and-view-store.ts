import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

export const SUBMISSION_KINDS = ['subscription', 'contact', 'opt-out'] as const;
export type SubmissionKind = (typeof SUBMISSION_KINDS)[number];

/** The response to a call. */
export interface CallResponse {
  status: number;
  body: object;
}

/** A call of a kind: a submission, or a view count. */
export type CallKind = SubmissionKind | 'view';

/** Stored submissions and views, on disk or in memory. */
export type Store = ReturnType<typeof openStore>;

const SCHEMA = `
  create table if not exists calls (kind text primary key, received integer not null) strict;
  create table if not exists answers (
    kind text not null, key text not null, status integer not null, body text not null,
    received integer not null, primary key (kind, key)) strict;
  create table if not exists submissions (
    id integer primary key, kind text not null, payload text not null, subscriber text unique, key text) strict;
  create table if not exists views (
    id integer primary key, post_id text not null, ip_addr text not null, key text) strict;
`;

const COUNT = z.object({ received: z.number() });
const RESPONSE = z.object({ status: z.number(), body: z.string() });
const STORED = z.object({ id: z.number(), key: z.string().nullable(), received: z.number() });
const SUBMISSION = STORED.extend({ kind: z.enum(SUBMISSION_KINDS), payload: z.string() });
const VIEW = STORED.extend({ post_id: z.string(), ip_addr: z.string() });
const VIEWS_OF_POST = z.object({ post_id: z.string(), views: z.number() });

/** Makes a folder and a file that nobody but their owner can read, and returns the file's path. SQLite gives its log files the same mode. */
function privateFile(dir: string, name: string): string {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  chmodSync(dir, 0o700);
  const path = join(dir, name);
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  return path;
}

/** Opens `demo-cms.sqlite` in the folder (made if need be); null keeps everything in memory. */
export function openStore(dir: string | null) {
  const database = new DatabaseSync(dir === null ? ':memory:' : privateFile(dir, 'demo-cms.sqlite'));
  database.exec('pragma journal_mode = wal; pragma synchronous = normal;');
  database.exec(SCHEMA);

  const countCall = database.prepare(
    'insert into calls values (?, 1) on conflict (kind) do update set received = received + 1',
  );
  const callsOf = database.prepare('select received from calls where kind = ?');
  const repeatedResponse = database.prepare(
    'update answers set received = received + 1 where kind = ? and key = ? returning status, body',
  );
  const keepResponse = database.prepare('insert into answers values (?, ?, ?, ?, 1)');
  const addSubmission = database.prepare(
    'insert into submissions (kind, payload, subscriber, key) values (?, ?, ?, ?) on conflict do nothing',
  );
  const addView = database.prepare('insert into views (post_id, ip_addr, key) values (?, ?, ?)');
  const listSubmissions = database.prepare(`
    select s.id, s.kind, s.payload, s.key, coalesce(a.received, 1) as received
    from submissions s left join answers a on a.kind = s.kind and a.key = s.key
    where s.kind = ? order by s.id`);
  const listViews = database.prepare(`
    select v.id, v.post_id, v.ip_addr, v.key, coalesce(a.received, 1) as received
    from views v left join answers a on a.kind = 'view' and a.key = v.key order by v.id`);
  const countPageViews = database.prepare('select post_id, count(*) as views from views group by post_id');

  return {
    /** Runs `work` in one transaction and returns its response, or the first response again where the idempotency key is known. */
    respondOnce(kind: CallKind, key: string | null, work: () => CallResponse): CallResponse {
      return inTransaction(() => {
        countCall.run(kind);
        const repeated = key === null ? undefined : repeatedResponse.get(kind, key);
        if (repeated) {
          const { status, body } = RESPONSE.parse(repeated);
          return { status, body: JSON.parse(body) };
        }
        const response = work();
        if (key !== null) keepResponse.run(kind, key, response.status, JSON.stringify(response.body));
        return response;
      });
    },
    /** Stores a submission. Returns false and stores nothing where this subscriber is known already. */
    submit(
      kind: SubmissionKind,
      payload: object,
      key: string | null,
      subscriber: string | null = null,
    ): boolean {
      return addSubmission.run(kind, JSON.stringify(payload), subscriber, key).changes === 1;
    },
    /** Stores one view of a post. */
    view(postId: string, ipAddr: string, key: string | null): void {
      addView.run(postId, ipAddr, key);
    },
    /** Counts the calls of a kind, whatever their response. */
    received(kind: CallKind): number {
      const row = callsOf.get(kind);
      return row ? COUNT.parse(row).received : 0;
    },
    /** Returns the submissions of a kind. `received`: how many calls had its idempotency key; 1 without one. */
    submissions(kind: SubmissionKind) {
      return z
        .array(SUBMISSION)
        .parse(listSubmissions.all(kind))
        .map(({ key, payload, ...rest }) => ({ ...rest, payload: JSON.parse(payload), idempotencyKey: key }));
    },
    /** Returns the views, as `submissions` does. */
    views() {
      return z
        .array(VIEW)
        .parse(listViews.all())
        .map(({ id, post_id, ip_addr, key, received }) => ({
          id,
          postId: post_id,
          ipAddr: ip_addr,
          idempotencyKey: key,
          received,
        }));
    },
    /** Returns the number of views by post id. */
    viewsByPost(): Map<string, number> {
      const rows = z.array(VIEWS_OF_POST).parse(countPageViews.all());
      return new Map(rows.map(({ post_id, views }) => [post_id, views]));
    },
    close(): void {
      database.close();
    },
  };

  function inTransaction<T>(work: () => T): T {
    database.exec('begin immediate');
    try {
      const result = work();
      database.exec('commit');
      return result;
    } catch (error) {
      database.exec('rollback');
      throw error;
    }
  }
}
