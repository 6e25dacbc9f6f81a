import { createEventParser, type StreamedEvent } from '#client/dashboard/live/event-stream.ts';

/** An open metrics stream. */
export interface OpenStream {
  status: number;
  headers: Headers;
  /** Returns the next event of a name and skips those before it. Null when the stream has ended. */
  next(name: string): Promise<StreamedEvent | null>;
  close(): void;
}

/** Opens `GET /live` of an operators' listener. */
export async function openStream(ops: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  const end = new AbortController();
  const response = await fetch(`${ops}/live`, { headers, signal: end.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const events: StreamedEvent[] = [];
  const parseChunk = createEventParser((event) => events.push(event));
  return {
    status: response.status,
    headers: response.headers,
    async next(name) {
      for (;;) {
        const event = events.shift();
        if (event?.name === name) return event;
        if (event) continue;
        const chunk = await reader?.read();
        if (chunk === undefined || chunk.done) return null;
        parseChunk(chunk.value);
      }
    },
    close: () => end.abort(),
  };
}
