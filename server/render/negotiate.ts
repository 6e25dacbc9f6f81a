import type { Encoding } from './finished-answer.ts';

const known = new Map<string, Encoding>();

/** `Accept-Encoding` headers are few and repeat; a client that sends ever new ones must not grow the memory. */
const KNOWN_AT_MOST = 200;

/** The encoding to answer in: brotli, then gzip, then none, as the `Accept-Encoding` header allows (RFC 9110, 12.5.3). */
export function chooseEncoding(header: string | undefined): Encoding {
  if (!header) return 'identity';
  const seen = known.get(header);
  if (seen) return seen;
  const chosen = choose(header);
  if (known.size < KNOWN_AT_MOST) known.set(header, chosen);
  return chosen;
}

function choose(header: string): Encoding {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().slice(0, 1000).split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, q === undefined ? 1 : Number(q) || 0);
  }
  const accepts = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  if (accepts('br')) return 'br';
  return accepts('gzip') || (weights.get('x-gzip') ?? 0) > 0 ? 'gzip' : 'identity';
}

/** True where `If-None-Match` names this ETag; weak comparison, as RFC 9110 (13.1.2) asks. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  if (header === etag) return true;
  return header.split(',').some((candidate) => {
    const tag = candidate.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}
