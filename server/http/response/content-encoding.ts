import { ENCODINGS, type Encoding } from '#server/render/response-cache/cached-response.ts';

/**
 * Chosen codings by header: parsing one takes 3 µs, a tenth of a cache hit, and they are few and repeat. The bounds keep a
 * client that sends ever new ones from growing memory.
 */
const known = new Map<string, Encoding | null>();
const MAX_KNOWN = 200;
const MAX_KNOWN_LENGTH = 200;

/** The weight of `identity` where the header does not name it: acceptable, below every weight that can be given. */
const UNNAMED_IDENTITY = 0.0001;

/**
 * Returns the content coding with the highest weight in an `Accept-Encoding` header (RFC 9110, 12.5.3); of equal ones
 * brotli, then gzip, then identity. Null where the header excludes all three, as `identity;q=0` does.
 */
export function chooseEncoding(header: string | undefined): Encoding | null {
  if (!header) return 'identity';
  const seen = known.get(header);
  if (seen !== undefined) return seen;
  const chosen = choose(header);
  if (header.length <= MAX_KNOWN_LENGTH) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(header, chosen);
  }
  return chosen;
}

function choose(header: string): Encoding | null {
  const weights = weightsOf(header);
  const unnamed = weights.get('*');
  let chosen: Encoding | null = null;
  let highest = 0;
  for (const encoding of ENCODINGS) {
    const weight = weights.get(encoding) ?? unnamed ?? (encoding === 'identity' ? UNNAMED_IDENTITY : 0);
    if (weight > highest) {
      chosen = encoding;
      highest = weight;
    }
  }
  return chosen;
}

/** Returns weights by coding, 0 to 1; 0 for a weight that is not a number. `x-gzip` means gzip (RFC 9110, 8.4.1.3). */
function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().slice(0, 1000).split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name === 'x-gzip' ? 'gzip' : name, q === undefined ? 1 : Math.min(Number(q) || 0, 1));
  }
  return weights;
}
