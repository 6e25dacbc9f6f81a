import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

/** The address looked up stands in this long, in milliseconds. */
const KEPT_MS = 600_000;
/** A lookup that failed is not tried again before this, in milliseconds. */
const FAILURE_MS = 5_000;
/** A lookup that stays down is logged this often, in milliseconds. */
const LOG_MS = 60_000;

const LookupResponse = z.object({
  ip: z
    .string()
    .max(45)
    .refine((text) => isIP(text) !== 0),
});

/** Readers ask more than once, and reading an address takes longer than looking it up. */
const addresses = new LRUCache<string, { isPublic: boolean; text: string }>({
  max: 5_000,
  memoMethod: (ip) => {
    // `isIP` first: ipaddr.js also takes "8" and "0x7f.1" for addresses.
    if (isIP(ip) === 0) return { isPublic: false, text: ip };
    const address = ipaddr.process(ip);
    return { isPublic: address.range() === 'unicast', text: address.toString() };
  },
});

/**
 * An address that others can reach, as it is usually written; null for one that is loopback, private, link-local,
 * CGNAT, unique-local or reserved, or none at all.
 */
export function publicAddress(ip: string): string | null {
  const { isPublic, text } = addresses.memo(ip);
  return isPublic ? text : null;
}

export interface PublicIp {
  /**
   * The reader's address, or the looked-up one where it is not public, or the address as seen; a promise, which never
   * rejects, while a lookup runs.
   */
  clientIpOf(requestIp: string): string | Promise<string>;
  /** Starts a lookup where one will be needed. Never throws. */
  prepare(requestIp: string): void;
}

export interface PublicIpOptions {
  lookup: () => Promise<unknown>;
  /** Monotonic milliseconds. */
  clock: () => number;
  logger: { warn(details: object, message: string): void };
}

/** Finds readers' addresses. One lookup at a time; its answer is checked and kept for ten minutes. */
export function createPublicIp({ lookup, clock, logger }: PublicIpOptions): PublicIp {
  let known: { ip: string; until: number } | null = null;
  let failedUntil = Number.NEGATIVE_INFINITY;
  let loggedUntil = Number.NEGATIVE_INFINITY;
  let running: Promise<string | null> | null = null;

  async function ask(): Promise<string | null> {
    try {
      const { ip } = LookupResponse.parse(await lookup());
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

  function lookedUp(): string | null | Promise<string | null> {
    if (known && clock() < known.until) return known.ip;
    if (clock() < failedUntil) return null;
    running ??= ask().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    clientIpOf(requestIp) {
      const found = publicAddress(requestIp) ?? lookedUp();
      if (found instanceof Promise) return found.then((ip) => ip ?? requestIp);
      return found ?? requestIp;
    },
    prepare(requestIp) {
      if (publicAddress(requestIp) === null) void lookedUp();
    },
  };
}
