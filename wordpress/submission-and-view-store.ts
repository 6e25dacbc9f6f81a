import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

export type Kind = 'subscription' | 'contact' | 'opt-out';
/** The fields of a form. */
export type Submission = Readonly<{ email: string } & Record<string, string | boolean>>;
export type Store = ReturnType<typeof openStore>;

const Row = z.object({ received_at: z.string(), kind: z.string(), fields: z.string() });
const Fields = z.record(z.string(), z.unknown());
const Viewed = z.array(z.object({ id: z.number() }));

const SCHEMA = `
  create table if not exists submissions (
    id integer primary key, received_at text not null, kind text not null, email text not null, fields text not null) strict;
  create unique index if not exists subscribers on submissions (email) where kind = 'subscription';
  create table if not exists keys (key text primary key, day text not null) strict;
  create table if not exists views (
    post_id integer not null, day text not null, count integer not null, primary key (post_id, day)) strict;
`;
const POPULAR_DAYS = 7;
/** The site repeats for so long what it knows of no outcome of. */
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;
/** How long a reader of the file, such as the command that prints it, may hold up a write (ms). */
const LOCKED_MS = 1_000;

export const STORE_FILE = 'wordpress.sqlite';

/** Opens `wordpress.sqlite` in a folder, made if need be, both for this user alone. `wallClock`: ms since 1970. */
export function openStore(dir: string, wallClock: () => number) {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, STORE_FILE);
  // Before SQLite makes it: its other files get the same mode.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  const database = new DatabaseSync(file, { timeout: LOCKED_MS });
  database.exec(`pragma journal_mode = wal; pragma secure_delete = on; ${SCHEMA}`);
  const addKey = database.prepare('insert into keys values (?, ?) on conflict do nothing');
  const addSubmission = database.prepare(
    'insert into submissions (received_at, kind, email, fields) values (?, ?, ?, ?) on conflict do nothing',
  );
  const addView = database.prepare(
    'insert into views values (?, ?, 1) on conflict do update set count = count + 1',
  );
  const mostViewed = database.prepare(
    'select post_id as id from views where day > ? group by post_id order by sum(count) desc, post_id desc limit ?',
  );
  let today = '';

  const dayBefore = (days: number) => new Date(wallClock() - days * DAY_MS).toISOString().slice(0, 10);

  /** Runs `work` in a transaction; not where its key is known. */
  function once<T>(key: string | null, synchronous: 'full' | 'normal', repeated: T, work: () => T): T {
    database.exec(`pragma synchronous = ${synchronous}; begin immediate`);
    try {
      if (today !== dayBefore(0)) {
        today = dayBefore(0);
        for (const table of ['keys', 'views'])
          database.prepare(`delete from ${table} where day < ?`).run(dayBefore(KEPT_DAYS));
      }
      const result = key === null || addKey.run(key, today).changes === 1 ? work() : repeated;
      database.exec('commit');
      return result;
    } catch (error) {
      // A full disk has ended it already.
      if (database.isTransaction) database.exec('rollback');
      throw error;
    }
  }

  return {
    /** Keeps a submission, once by its key; a subscription by its address. Returns false where that is known already. */
    submit(kind: Kind, fields: Submission, key: string | null): boolean {
      const receivedAt = new Date(wallClock()).toISOString();
      const row = [receivedAt, kind, fields.email.toLowerCase(), JSON.stringify(fields)];
      const isAdded = () => addSubmission.run(...row).changes === 1;
      return once(kind === 'subscription' ? null : key, 'full', true, isAdded);
    },
    /** Counts a view of a post, once by its key. Nothing of the reader is kept. */
    view(postId: number, key: string | null): void {
      once(key, 'normal', undefined, () => void addView.run(postId, dayBefore(0)));
    },
    /** Ids of the posts with most views in seven days. */
    popular: (count: number): number[] =>
      Viewed.parse(mostViewed.all(dayBefore(POPULAR_DAYS), count)).map(({ id }) => id),
    /** Yields what is kept, oldest first. */
    *submissions() {
      for (const row of database.prepare('select * from submissions order by id').iterate()) {
        const { fields, ...rest } = Row.parse(row);
        yield { ...rest, ...Fields.parse(JSON.parse(fields)) };
      }
    },
    /** Erases all that a person has sent, also from free pages and the log. Returns how many submissions it was. */
    erase(email: string): number {
      const erase = database.prepare('delete from submissions where email = ?');
      const { changes } = erase.run(email.toLowerCase());
      database.exec('pragma wal_checkpoint(truncate)');
      return Number(changes);
    },
    close: () => database.close(),
  };
}
