import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../tests/fixtures/clocks.ts';
import { TransformTimedOut } from './image-host.ts';
import { createImageService, FRESH_S, STALE_S } from './image-service.ts';
import type { StoredImage } from './image-store.ts';
import type { ImageVariant } from './widths-and-formats.ts';

const VARIANT = { path: '/a.png', width: 160, height: null, format: 'webp' } as const;
const CLIENT = '203.0.113.1';

/** The service with a store in memory, a clock that the test turns, and transforms that time out while it says so. */
function start() {
  const stored = new Map<string, StoredImage>();
  const clock = fakeClock({ now: 1, monotonic: 1 });
  const state = {
    timesOut: false,
    fetches: 0,
    transforms: 0,
    delayRead: Promise.resolve(),
    delayFetch: Promise.resolve(),
  };
  const { getImage, close } = createImageService({
    host: {
      async fetchOriginal() {
        state.fetches++;
        await state.delayFetch;
        return Buffer.from('an original');
      },
      close: async () => undefined,
    },
    store: {
      async read(key) {
        const found = stored.get(key) ?? null;
        await state.delayRead;
        return found;
      },
      write: async (key, image) => void stored.set(key, image),
      delete: async (key) => void stored.delete(key),
      close: async () => undefined,
    },
    async transform() {
      state.transforms++;
      if (state.timesOut) throw new TransformTimedOut('the transform took too long');
      return { bytes: Buffer.from('a picture'), type: 'image/webp' };
    },
    baseUrl: 'http://images.example.com',
    onTransform: () => undefined,
    maxWaitMs: 60_000,
    clock,
  });
  const images = {
    getImage: (variant: ImageVariant) => getImage(variant, CLIENT, new AbortController().signal),
    close,
  };
  function pass(ms: number): void {
    clock.wallMs += ms;
    clock.monotonicMs += ms;
  }
  return { images, state, pass };
}

it('a picture that was stored while a request looked it up is not transformed again', async () => {
  const { images, state } = start();
  const delay = Promise.withResolvers<void>();
  state.delayRead = delay.promise;
  const slow = images.getImage(VARIANT);
  state.delayRead = Promise.resolve();
  const first = await images.getImage(VARIANT);
  delay.resolve();
  expect(await slow).toEqual(first);
  expect(state.transforms).toBe(1);
});

describe('a transform that takes too long', () => {
  it('is not tried again for a minute, and says nothing about other widths', async () => {
    const { images, state, pass } = start();
    state.timesOut = true;
    await expect(images.getImage(VARIANT)).rejects.toBeInstanceOf(TransformTimedOut);
    pass(59_000);
    await expect(images.getImage(VARIANT)).rejects.toBeInstanceOf(TransformTimedOut);
    expect(state.transforms).toBe(1);
    state.timesOut = false;
    expect((await images.getImage({ ...VARIANT, width: 320 })).isStale).toBe(false);
    pass(2_000);
    expect((await images.getImage(VARIANT)).isStale).toBe(false);
  });

  it('leaves an older result in place, whatever its age', async () => {
    const { images, state, pass } = start();
    const { image } = await images.getImage(VARIANT);
    state.timesOut = true;
    for (const age of [FRESH_S + 1, FRESH_S + STALE_S]) {
      pass(age * 1_000);
      expect(await images.getImage(VARIANT)).toEqual({ image, isStale: true });
      await expect.poll(() => state.transforms).toBeGreaterThan(1);
    }
    expect(state.transforms).toBe(3);
  });
});
