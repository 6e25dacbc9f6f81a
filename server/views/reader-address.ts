import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/** The address looked up stands in this long, in milliseconds. */
const KEPT_MS = 600_000;
/** A lookup that failed is not tried again before this, in milliseconds. */
const FAILURE_MS = 5_000;
/** A lookup that stays down is logged this often, in milliseconds. */
const LOG_MS = 60_000;

const LookupAnswer = z.object({
  ip: z
    .string()
    .max(45)
    .refine((text) => isIP(text) !== 0),
});

/** True for an address that others can reach: not loopback, private, link-local, CGNAT, unique-local or reserved. */
export function isPublicAddress(ip: string): boolean {
  // `isIP` first: ipaddr.js also takes "8" and "0x7f.1" for addresses.
  return isIP(ip) !== 0 && ipaddr.process(ip).range() === 'unicast';
}

export interface ReaderAddress {
  /** The reader's address, or the looked-up one where it is not public, or the address as seen. Never rejects. */
  addressOf(requestIp: string): Promise<string>;
  /** Starts a lookup where one will be needed. Never throws. */
  prepare(requestIp: string): void;
}

export interface ReaderAddressOptions {
  lookup: () => Promise<unknown>;
  /** Monotonic milliseconds. */
  clock: () => number;
  logger: { warn(details: object, message: string): void };
}

/** Finds readers' addresses. One lookup at a time; its answer is checked and kept for ten minutes. */
export function createReaderAddress({ lookup, clock, logger }: ReaderAddressOptions): ReaderAddress {
  let known: { ip: string; until: number } | null = null;
  let failedUntil = Number.NEGATIVE_INFINITY;
  let loggedUntil = Number.NEGATIVE_INFINITY;
  let running: Promise<string | null> | null = null;

  async function ask(): Promise<string | null> {
    try {
      const { ip } = LookupAnswer.parse(await lookup());
      known = { ip, until: clock() + KEPT_MS };
      return ip;
    } catch (error) {
      failedUntil = clock() + FAILURE_MS;
      logNowAndThen(error);
      return null;
    }
  }

  function logNowAndThen(error: unknown): void {
    if (clock() < loggedUntil) return;
    loggedUntil = clock() + LOG_MS;
    // A schema's complaint would repeat what the lookup said.
    const reason = error instanceof z.ZodError ? 'it answered no address' : error;
    logger.warn({ err: reason }, 'the address lookup failed');
  }

  async function lookedUp(): Promise<string | null> {
    if (known && clock() < known.until) return known.ip;
    if (clock() < failedUntil) return null;
    running ??= ask().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    async addressOf(requestIp) {
      if (isPublicAddress(requestIp)) return ipaddr.process(requestIp).toString();
      return (await lookedUp()) ?? requestIp;
    },
    prepare(requestIp) {
      if (!isPublicAddress(requestIp)) void lookedUp();
    },
  };
}
