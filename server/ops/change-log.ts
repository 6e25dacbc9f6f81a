import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { createEvent } from '#server/cache/cache-events.ts';
import type { Clock } from '#server/time.ts';
import { type Change, ChangesResponse } from '#shared/models/ops/ops-schemas.ts';
import { documented } from './ops-responses.ts';

export const MAX_CHANGES = 200;
/** Of the JSON text of each of `asked`, `before` and `after`: a purge may name a thousand tags. */
const MAX_DETAIL_CHARS = 500;

/** What an operator changed: the request for it, the state before and after, and the call that takes it back. */
export type RecordedChange = Pick<Change, 'what' | 'asked' | 'before' | 'after'> &
  Partial<Pick<Change, 'undo'>>;

export interface ChangeLogOptions {
  changes: RecentChanges;
  logger: Pick<Logger, 'warn'>;
  /** Returns the name of the token of a request, never the token. */
  tokenNameOf: (request: Pick<FastifyRequest, 'headers'>) => string;
  clock: Clock;
}

/** The last 200 changes of this instance, and of the others on the same Redis. */
export type RecentChanges = ReturnType<typeof createRecentChanges>;

export function createRecentChanges() {
  let changes: readonly Change[] = [];
  const addition = createEvent<readonly Change[]>();
  return {
    /** Adds changes, as far as they are not known. */
    add(added: readonly Change[]): void {
      const byId = new Map([...added, ...changes].map((change) => [change.id, change]));
      changes = [...byId.values()].sort(newestFirst).slice(0, MAX_CHANGES);
      addition.emit(added);
    },
    list: () => changes,
    onAdd: addition.on,
  };
}

/** By their ids where they are of the same millisecond: instances that know the same have the same list. */
function newestFirst(one: Change, other: Change): number {
  return other.at.localeCompare(one.at) || other.id.localeCompare(one.id);
}

export type ChangeLog = ReturnType<typeof createChangeLog>;

export function createChangeLog({ changes, logger, tokenNameOf, clock }: ChangeLogOptions) {
  const ownId = randomUUID();
  let recorded = 0;
  return {
    /** Records who changed what: a line in the log, and a recent change. */
    record(
      request: Pick<FastifyRequest, 'ip' | 'id' | 'headers'>,
      { what, asked, before, after, undo = null }: RecordedChange,
    ): void {
      const change: Change = {
        // Ascending: it tells the order of two changes of the same millisecond.
        id: `${ownId}-${String(++recorded).padStart(9, '0')}`,
        at: new Date(clock.now()).toISOString(),
        who: tokenNameOf(request),
        // Undefined, whatever its type says, where the client has left.
        from: request.ip ?? '',
        requestId: request.id,
        what,
        ...(asked !== undefined && { asked: bounded(asked) }),
        ...(before !== undefined && { before: bounded(before) }),
        ...(after !== undefined && { after: bounded(after) }),
        undo,
      };
      logger.warn(change, 'operator change');
      changes.add([change]);
    },
  };
}

/** Serves the last changes. */
export async function changeRoutes(
  app: FastifyInstance,
  { changes }: { changes: Pick<RecentChanges, 'list'> },
): Promise<void> {
  app.get(
    '/changes',
    documented('Who changed what, and the call that takes it back: the last 200 changes, newest first', {
      200: ChangesResponse,
    }),
    async () => ({ changes: changes.list() }),
  );
}

function bounded(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text.length <= MAX_DETAIL_CHARS ? value : `${text.slice(0, MAX_DETAIL_CHARS)}…`;
}
