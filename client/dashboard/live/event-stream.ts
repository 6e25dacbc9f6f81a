/** One server-sent event. */
export interface StreamedEvent {
  name: string;
  data: string;
}

/** Reads server-sent events out of text that comes in pieces: a whole event is told as soon as its empty line is there. */
export function createEventReader(onEvent: (event: StreamedEvent) => void): (piece: string) => void {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event) onEvent(event);
    }
  };
}

function eventOf(block: string): StreamedEvent | null {
  const lines = block.split(/\r?\n/);
  const valuesOf = (field: string) =>
    lines
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).trimStart());
  const data = valuesOf('data');
  return data.length === 0 ? null : { name: valuesOf('event').at(-1) ?? 'message', data: data.join('\n') };
}
