import { LRUCache } from 'lru-cache';
import { ENCODINGS, type Encoding } from '#server/render/response-cache/encoded-bodies.ts';

/** Longer headers are cut: nothing that browsers send comes near it. */
const MAX_LENGTH = 1_000;

/**
 * Returns the weights of a header such as `Accept` or `Accept-Encoding` by its values in lower case, 0 to 1 (RFC 9110,
 * 12.4.2); 0 for a weight that is not a number.
 */
export function qualityValues(header: string): Map<string, number> {
  return new Map(
    header
      .slice(0, MAX_LENGTH)
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [value = '', ...parameters] = part.split(';').map((piece) => piece.trim());
        const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
        return [value, weight === undefined ? 1 : Math.min(Number(weight) || 0, 1)];
      }),
  );
}

/** Measured: 3 µs to parse a header, a tenth of a cache hit. They are few and repeat. */
const known = new LRUCache<string, Encoding | 'none'>({ max: 200, memoMethod: choose });
/** Longer than any browser's header: not worth the memory. */
const MAX_KNOWN_LENGTH = 200;

/** The weight of `identity` where the header does not name it: acceptable, below every weight that can be given. */
const UNNAMED_IDENTITY = 0.0001;

/**
 * Returns the content coding with the highest weight in an `Accept-Encoding` header (RFC 9110, 12.5.3); of equal ones
 * brotli, then gzip, which may be called `x-gzip` (8.4.1.3), then identity. Null where the header excludes all three, as
 * `identity;q=0` does.
 */
export function chooseEncoding(header: string | undefined): Encoding | null {
  if (!header) return 'identity';
  const chosen = header.length > MAX_KNOWN_LENGTH ? choose(header) : known.memo(header);
  return chosen === 'none' ? null : chosen;
}

function choose(header: string): Encoding | 'none' {
  const given = qualityValues(header);
  const unnamed = given.get('*');
  const weights: Record<Encoding, number> = {
    br: given.get('br') ?? unnamed ?? 0,
    gzip: given.get('gzip') ?? given.get('x-gzip') ?? unnamed ?? 0,
    identity: given.get('identity') ?? unnamed ?? UNNAMED_IDENTITY,
  };
  const [best] = ENCODINGS.toSorted((one, other) => weights[other] - weights[one]);
  return best !== undefined && weights[best] > 0 ? best : 'none';
}
