import { describe, expect, it } from 'vitest';
import { createEventParser, type StreamedEvent } from './event-stream.ts';

function parse(...chunks: string[]): StreamedEvent[] {
  const events: StreamedEvent[] = [];
  const parseChunk = createEventParser((event) => events.push(event));
  for (const chunk of chunks) parseChunk(chunk);
  return events;
}

describe('an event stream', () => {
  it('is parsed event by event, by name', () => {
    expect(parse('event: metrics\ndata: {"a":1}\n\nevent: history\ndata: []\n\n')).toEqual([
      { name: 'metrics', data: '{"a":1}' },
      { name: 'history', data: '[]' },
    ]);
  });

  it('may come in any chunks', () => {
    const text = 'event: metrics\ndata: {"a":"b c"}\n\n';
    expect(parse(...text)).toEqual([{ name: 'metrics', data: '{"a":"b c"}' }]);
  });

  it('yields nothing for an event that was cut off', () => {
    expect(parse('event: metrics\ndata: {"a":')).toEqual([]);
  });

  it('yields nothing for blocks without data', () => {
    expect(parse('retry: 2000\n\n: a comment\n\n')).toEqual([]);
  });
});
