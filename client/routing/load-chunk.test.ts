import { describe, expect, it, vi } from 'vitest';
import { CHUNK_TIMEOUT_MS, ChunkError, loadChunk } from './load-chunk.ts';

describe('loadChunk', () => {
  it('resolves with the module', async () => {
    await expect(loadChunk(async () => 'module')).resolves.toBe('module');
  });

  it('rejects with a ChunkError when the module fails to load', async () => {
    await expect(loadChunk(() => Promise.reject(new TypeError('gone')))).rejects.toBeInstanceOf(ChunkError);
  });

  it('times out after 120 seconds', async () => {
    vi.useFakeTimers();
    const loading = loadChunk(() => new Promise<never>(() => undefined));
    const outcome = expect(loading).rejects.toBeInstanceOf(ChunkError);
    expect(CHUNK_TIMEOUT_MS).toBe(120_000);
    await vi.advanceTimersByTimeAsync(CHUNK_TIMEOUT_MS);
    await outcome;
    vi.useRealTimers();
  });
});
