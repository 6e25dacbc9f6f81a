import { parseArgs } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { buildDemoCms, type DemoCmsOptions } from './demo-cms.ts';

export interface StartOptions extends DemoCmsOptions {
  /** Default, and 0: any free port. */
  port?: number | undefined;
}

/** A demo CMS listening on the loopback interface. */
export interface RunningDemoCms {
  /** Such as `http://127.0.0.1:4000`. */
  origin: string;
  /** Closes it at once, with every connection. */
  close(): Promise<void>;
  app: FastifyInstance;
}

/** Starts a demo CMS on 127.0.0.1. Rejects where the port is taken or the content has mistakes. */
export async function startDemoCms({ port = 0, ...options }: StartOptions): Promise<RunningDemoCms> {
  const app = buildDemoCms(options);
  try {
    const origin = await app.listen({ port, host: '127.0.0.1' });
    return { origin, close: () => app.close(), app };
  } catch (error) {
    await app.close();
    throw error;
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4000' },
      faults: { type: 'boolean', default: false },
      data: { type: 'string' },
    },
  });
  const demoCms = await startDemoCms({
    port: Number(values.port),
    faults: values.faults,
    dataDir: values.data ?? null,
  });
  process.stdout.write(`${demoCms.origin}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void demoCms.close());
}
