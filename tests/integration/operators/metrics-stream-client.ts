import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';

/** An open metrics stream. */
export interface OpenStream {
  status: number;
  headers: Headers;
  /** Returns the next event of a name and skips those before it. Null when the stream has ended. */
  next(name: string): Promise<EventSourceMessage | null>;
  close(): void;
}

/** Opens `GET /live` of an operators' listener. */
export async function openStream(ops: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  const end = new AbortController();
  const response = await fetch(`${ops}/live`, { headers, signal: end.signal });
  const reader = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  return {
    status: response.status,
    headers: response.headers,
    async next(name) {
      for (;;) {
        const next = await reader?.read();
        if (next === undefined || next.done) return null;
        if (next.value.event === name) return next.value;
      }
    },
    close: () => end.abort(),
  };
}
