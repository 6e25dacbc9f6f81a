import { isIP } from 'node:net';

/** How one variable is read. `parse` answers undefined where the text is not what `expected` says. */
export interface Variable<T> {
  name: string;
  /** The text that stands in for an unset variable; null where the variable may be absent. */
  fallback: string | null;
  meaning: string;
  expected: string;
  secret: boolean;
  parse: (text: string) => T | undefined;
}

/** pino's levels, as LOG_LEVEL takes them. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** A whole number within bounds, both included. */
export function whole(
  least: number,
  most: number,
): { expected: string; parse: (text: string) => number | undefined } {
  return {
    expected: `a whole number from ${least} to ${most}`,
    parse: (text) => {
      const value = /^[0-9]{1,12}$/.test(text) ? Number(text) : Number.NaN;
      return value >= least && value <= most ? value : undefined;
    },
  };
}

/** A text of one shape. */
export function text(
  expected: string,
  pattern: RegExp,
): { expected: string; parse: (text: string) => string | undefined } {
  return { expected, parse: (value) => (pattern.test(value) ? value : undefined) };
}

/** An absolute URL of certain protocols, without a slash at its end. */
export function url(protocols: string[]): { expected: string; parse: (text: string) => string | undefined } {
  return {
    expected: `an absolute URL (${protocols.map((protocol) => `${protocol}//`).join(' or ')})`,
    parse: (value) => {
      const parsed = URL.parse(value);
      return parsed && protocols.includes(parsed.protocol) ? value.replace(/\/+$/, '') : undefined;
    },
  };
}

/** A scheme and a host, and nothing behind them. */
export const origin = {
  expected: 'an origin such as https://www.example.com, without path',
  parse: (value: string): string | undefined => {
    const parsed = URL.parse(value);
    const bare =
      parsed?.pathname === '/' && parsed.search === '' && parsed.hash === '' && parsed.username === '';
    return bare && /^https?:$/.test(parsed.protocol) ? parsed.origin : undefined;
  },
};

function isNetwork(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}

/** As Fastify's `trustProxy`, without its hop count. */
export const trustProxy = {
  expected: 'false, true, or a comma-separated list of addresses or CIDRs',
  parse: (value: string): boolean | string[] | undefined => {
    if (value === 'true' || value === 'false') return value === 'true';
    const networks = value.split(',').map((part) => part.trim());
    return networks.every(isNetwork) ? networks : undefined;
  },
};

/** A variable: its name, what stands in when it is unset, what it means, and how it is read. */
export function variable<T>(
  name: string,
  fallback: string | null,
  meaning: string,
  rule: { expected: string; parse: (text: string) => T | undefined },
  secret = false,
): Variable<T> {
  return { name, fallback, meaning, secret, ...rule };
}
