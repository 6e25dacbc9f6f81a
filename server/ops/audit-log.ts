import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { createFolder } from '#server/storage/create-folder.ts';
import { readIfExists, replaceFile } from '#server/storage/replace-file.ts';
import { AuditEntry } from '#shared/models/ops/ops-schemas.ts';

export const AUDIT_FILE = 'audit-log.jsonl';
export const MAX_ENTRIES = 1_000;
/** Of the JSON text of each of `asked`, `before` and `after`: a purge may name a thousand tags. */
const MAX_DETAIL_CHARS = 500;
/** More than twice what `MAX_ENTRIES` take at most, so that the file is seldom rewritten. */
const MAX_FILE_BYTES = 10_000_000;

/** A change: the request for it, and the state before and after. */
export interface Change {
  what: string;
  asked?: unknown;
  before?: unknown;
  after?: unknown;
}

export interface AuditLogOptions {
  dir: string;
  logger: Pick<Logger, 'warn' | 'error'>;
  /** Returns the name of the token of a request, never the token. */
  tokenNameOf: (request: Pick<FastifyRequest, 'headers'>) => string;
  /** Milliseconds since 1970. */
  wallClock: () => number;
}

/** Who changed what. */
export interface AuditLog {
  /** Writes one line to the log and one entry to the disk. Resolves once it is there, or once the disk has failed: never rejects. */
  record(request: Pick<FastifyRequest, 'ip' | 'id' | 'headers'>, change: Change): Promise<void>;
  /** Returns the last `MAX_ENTRIES` entries, newest first. */
  entries(): Promise<AuditEntry[]>;
}

/**
 * Makes an audit log in a file of JSON lines, appended with fsync. Entries that the disk refuses are kept in memory and
 * written with the next. The file is read anew each time: during a restart two processes append to it.
 */
export function createAuditLog({ dir, logger, tokenNameOf, wallClock }: AuditLogOptions): AuditLog {
  const path = join(dir, AUDIT_FILE);
  let unwritten: AuditEntry[] = [];
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const batch = new Set(unwritten);
    if (batch.size === 0) return;
    try {
      const size = await append(path, linesOf(batch));
      unwritten = unwritten.filter((entry) => !batch.has(entry));
      if (size > MAX_FILE_BYTES) await compact();
    } catch (error) {
      unwritten = unwritten.slice(-MAX_ENTRIES);
      logger.error(
        { err: error },
        'the audit log could not be written: its last entries are in memory alone',
      );
    }
  }

  async function compact(): Promise<void> {
    const kept = lastEntries(await readIfExists(path));
    await replaceFile(path, linesOf(kept.reverse()));
  }

  return {
    record(request, { what, asked, before, after }) {
      const entry: AuditEntry = {
        id: randomUUID(),
        at: new Date(wallClock()).toISOString(),
        who: tokenNameOf(request),
        from: request.ip,
        requestId: request.id,
        what,
        ...(asked !== undefined && { asked: bounded(asked) }),
        ...(before !== undefined && { before: bounded(before) }),
        ...(after !== undefined && { after: bounded(after) }),
      };
      logger.warn(entry, 'operator change');
      unwritten.push(entry);
      // One write at a time, each with all entries that wait.
      writing = writing.then(write);
      return writing;
    },
    async entries() {
      const bytes = await readIfExists(path).catch((error: unknown) => {
        logger.warn({ err: error }, 'the audit log cannot be read');
        return null;
      });
      return lastEntries(bytes, unwritten);
    },
  };
}

/** Each line begins with the line break: one that a crash or a full disk has cut spoils no other. */
function linesOf(entries: Iterable<AuditEntry>): string {
  return [...entries].map((entry) => `\n${JSON.stringify(entry)}`).join('');
}

/** Appends a text durably and returns the size of the file in bytes. */
async function append(path: string, text: string): Promise<number> {
  createFolder(dirname(path));
  const file = await open(path, 'a', 0o600);
  try {
    await file.appendFile(text);
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/**
 * Returns the last `MAX_ENTRIES` entries of a file and of those that are not written yet, each once, newest first. Lines
 * that a crash or a full disk has cut are left out. Earlier ones are not parsed: the file may hold many times as many.
 */
function lastEntries(bytes: Buffer | null, unwritten: readonly AuditEntry[] = []): AuditEntry[] {
  const entries = new Map<string, AuditEntry>();
  for (const entry of unwritten.slice(-MAX_ENTRIES).reverse()) entries.set(entry.id, entry);
  for (const line of bytes?.toString().split('\n').reverse() ?? []) {
    if (entries.size >= MAX_ENTRIES) break;
    const entry = parseEntry(line);
    if (entry && !entries.has(entry.id)) entries.set(entry.id, entry);
  }
  return [...entries.values()];
}

function parseEntry(line: string): AuditEntry | null {
  try {
    return AuditEntry.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

/** Returns a value, or the beginning of its JSON text where that is too long. */
function bounded(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text.length <= MAX_DETAIL_CHARS ? value : `${text.slice(0, MAX_DETAIL_CHARS)}…`;
}
