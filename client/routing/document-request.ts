/** No loader of a page reads a body. */
const readNoBody = () => Promise.reject(new TypeError('A request for a document has no body'));

/**
 * The request for a document that the router's static handler gets: a GET of an absolute URL, which no header decides.
 * Node's own `Request` would load the code of `fetch`, 10 MB and 22 ms of each thread (`docs/decisions/0037`); this class
 * loads it only for its headers.
 */
export class DocumentRequest implements Request {
  readonly url: string;
  readonly signal: AbortSignal;
  readonly method = 'GET';
  readonly mode = 'navigate';
  readonly destination = 'document';
  readonly credentials = 'same-origin';
  readonly cache = 'default';
  readonly redirect = 'manual';
  readonly referrer = 'about:client';
  readonly referrerPolicy = '';
  readonly integrity = '';
  readonly keepalive = false;
  readonly body = null;
  readonly bodyUsed = false;
  readonly arrayBuffer = readNoBody;
  readonly blob = readNoBody;
  readonly bytes = readNoBody;
  readonly formData = readNoBody;
  readonly json = readNoBody;
  readonly text = readNoBody;

  /** Throws `TypeError` where `url` is not absolute. */
  constructor(url: string | URL, signal = new AbortController().signal) {
    this.url = new URL(url).href;
    this.signal = signal;
  }

  get headers(): Headers {
    return new Headers();
  }

  clone(): Request {
    return new DocumentRequest(this.url, this.signal);
  }
}
