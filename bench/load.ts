import autocannon from 'autocannon';

/** Requests a second of one target for `seconds`, over 50 connections. Throws when an answer was not 2xx or 304. */
export async function requestsPerSecond(
  url: string,
  headers: Record<string, string>,
  seconds: number,
): Promise<number> {
  const result = await autocannon({ url, connections: 50, duration: seconds, headers });
  const bad = result.non2xx - (result.statusCodeStats?.['304']?.count ?? 0);
  if (bad > 0 || result.errors > 0) throw new Error(`${url}: ${bad} bad answers, ${result.errors} errors`);
  return result.requests.average;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
