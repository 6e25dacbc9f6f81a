/** The text is no JSON, or nested deeper than any response of the upstream. */
export class NotJson extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NotJson';
  }
}

const MAX_DEPTH = 64;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Returns the index of the quote that ends the string beginning before `from`; the length when there is none. */
function endOfString(bytes: Buffer, from: number): number {
  let index = from;
  while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1;
  return index;
}

function nestsDeeperThan(bytes: Buffer, limit: number): boolean {
  let depth = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) index = endOfString(bytes, index + 1);
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) depth += 1;
    else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}

/**
 * Parses UTF-8 JSON, with or without a byte order mark. Checks the depth on the bytes first, in one pass, since deep nesting
 * stalls a recursive parser. Throws `NotJson`, whose message has nothing of the text.
 */
export function parseJson(bytes: Buffer): unknown {
  if (nestsDeeperThan(bytes, MAX_DEPTH)) throw new NotJson('nested too deep');
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson('no JSON');
  }
}
