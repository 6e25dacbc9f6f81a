import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type DrillProcess, startProcess } from '../processes/server-process.ts';

/** Load from a separate process, so that the drill's own work does not distort the measurement. */
const Orders = z.object({
  origin: z.string(),
  /** Requested in turn; `#` is replaced by a rising number. */
  paths: z.array(z.string()),
  readers: z.number(),
  /** Pause between two requests of one reader, in milliseconds. */
  pauseMs: z.number(),
  /** False: one connection per request. */
  keepAlive: z.boolean(),
  /** Number of requests after which the load ends; null: none. */
  most: z.number().nullable(),
});
export type LoadOrders = z.input<typeof Orders>;

/** What it prints after its first request. */
const BEGUN = 'begun';

/** Error code of a response that began and did not end. */
export const CUT = 'cut';

const Seen = z.object({
  asked: z.number(),
  statuses: z.record(z.string(), z.number()),
  /** Number by error code; `ECONNREFUSED` is expected while no server listens. */
  errors: z.record(z.string(), z.number()),
  medianMs: z.number(),
  p99Ms: z.number(),
  slowestMs: z.number(),
});
export type LoadProcessSeen = z.infer<typeof Seen>;

/** Starts a load; `stop` ends it and resolves with its results, `ended` waits for `most` requests. */
export async function startLoad(orders: LoadOrders): Promise<{
  /** Resolves after its first request: on a busy machine the process takes seconds to start. */
  begun(): Promise<void>;
  stop(): Promise<LoadProcessSeen>;
  ended(): Promise<LoadProcessSeen>;
  /** As for `DrillProcess`. */
  yields(): void;
}> {
  const child: DrillProcess = startProcess(['tests/faults/load/load-process.ts', JSON.stringify(orders)]);
  let over = false;
  void child.ended.then(() => {
    over = true;
  });
  async function ended(): Promise<LoadProcessSeen> {
    await child.ended;
    return Seen.parse(JSON.parse(child.log.at(-1) ?? ''));
  }
  return {
    ended,
    yields: child.yields,
    async begun() {
      while (!child.log.includes(BEGUN)) {
        if (over) throw new Error(`the load ended before it began:\n${child.log.join('\n')}`);
        await pause(10);
      }
    },
    async stop() {
      child.kill('SIGTERM');
      return ended();
    },
  };
}

/** Formats as `200 x 312; ECONNRESET x 1; median 2 ms, p99 9 ms`. */
export function seenText({ statuses, errors, medianMs, p99Ms }: LoadProcessSeen): string {
  const counts = [...Object.entries(statuses), ...Object.entries(errors)];
  const all = counts.map(([what, count]) => `${what} x ${count}`).join(', ');
  return `${all}; median ${medianMs.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
}

async function run(orders: LoadOrders): Promise<void> {
  const { origin, paths, readers, pauseMs, keepAlive, most } = orders;
  const agent = new Agent({ keepAlive, maxSockets: readers });
  const statuses: Record<string, number> = {};
  const errors: Record<string, number> = {};
  const times: number[] = [];
  let asked = 0;
  let hasBegun = false;
  let over = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      over = true;
    });

  const add = (to: Record<string, number>, what: string) => {
    to[what] = (to[what] ?? 0) + 1;
  };

  function once(path: string): Promise<void> {
    return new Promise((resolve) => {
      const began = performance.now();
      const fail = (error: NodeJS.ErrnoException) => {
        add(errors, error.code ?? error.message);
        resolve();
      };
      httpRequest(origin + path, { agent, headers: { accept: 'text/html' } }, (response) => {
        response.resume();
        response.once('error', () => {
          add(errors, CUT);
          resolve();
        });
        response.once('end', () => {
          times.push(performance.now() - began);
          add(statuses, String(response.statusCode));
          resolve();
        });
      })
        .once('error', fail)
        .end();
    });
  }

  async function reader(): Promise<void> {
    while (!over && (most === null || asked < most)) {
      const index = asked++;
      await once((paths[index % paths.length] ?? '/').replace('#', String(index)));
      if (!hasBegun) process.stdout.write(`${BEGUN}\n`);
      hasBegun = true;
      if (pauseMs > 0) await pause(pauseMs);
    }
  }

  await Promise.all(Array.from({ length: readers }, reader));
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const seen: LoadProcessSeen = {
    asked,
    statuses,
    errors,
    medianMs: at(0.5),
    p99Ms: at(0.99),
    slowestMs: at(1),
  };
  process.stdout.write(`${JSON.stringify(seen)}\n`);
}

if (import.meta.main) await run(Orders.parse(JSON.parse(process.argv[2] ?? '')));
