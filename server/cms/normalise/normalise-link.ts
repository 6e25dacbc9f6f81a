const MAX_LENGTH = 2048;

/** Returns an absolute `http:` or `https:` URL in its normal form; null for anything else. */
export function normaliseLink(value: string | null): string | null {
  if (value === null || value.length > MAX_LENGTH) return null;
  const url = URL.parse(value.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return null;
  return url.href;
}
