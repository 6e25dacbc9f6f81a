import { createEventReader, type StreamedEvent } from '#client/dashboard/live/event-stream.ts';

/** An open line of live figures. */
export interface LiveLine {
  status: number;
  headers: Headers;
  /** The next event of a name; those before it are passed over. Null when the line has ended. */
  next(name: string): Promise<StreamedEvent | null>;
  close(): void;
}

/** Opens `GET /live` of an operators' listener. */
export async function openLive(ops: string, headers: Record<string, string> = {}): Promise<LiveLine> {
  const end = new AbortController();
  const response = await fetch(`${ops}/live`, { headers, signal: end.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const events: StreamedEvent[] = [];
  const take = createEventReader((event) => events.push(event));
  return {
    status: response.status,
    headers: response.headers,
    async next(name) {
      for (;;) {
        const event = events.shift();
        if (event?.name === name) return event;
        if (event) continue;
        const piece = await reader?.read();
        if (piece === undefined || piece.done) return null;
        take(piece.value);
      }
    },
    close: () => end.abort(),
  };
}
