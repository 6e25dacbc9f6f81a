import { describe, expect, it } from 'vitest';
import { createEventReader, type StreamedEvent } from './event-stream.ts';

function read(...pieces: string[]): StreamedEvent[] {
  const events: StreamedEvent[] = [];
  const take = createEventReader((event) => events.push(event));
  for (const piece of pieces) take(piece);
  return events;
}

describe('a stream of events', () => {
  it('is read event by event, by name', () => {
    expect(read('event: figures\ndata: {"a":1}\n\nevent: history\ndata: []\n\n')).toEqual([
      { name: 'figures', data: '{"a":1}' },
      { name: 'history', data: '[]' },
    ]);
  });

  it('may come in any pieces', () => {
    const text = 'event: figures\ndata: {"a":"b c"}\n\n';
    expect(read(...text)).toEqual([{ name: 'figures', data: '{"a":"b c"}' }]);
  });

  it('tells nothing of an event that was cut off', () => {
    expect(read('event: figures\ndata: {"a":')).toEqual([]);
  });

  it('tells nothing of blocks without data', () => {
    expect(read('retry: 2000\n\n: a comment\n\n')).toEqual([]);
  });
});
