import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Overloaded } from '#server/errors.ts';
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
    isOverloaded: false,
    looks: 0,
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
    isOverloaded() {
      state.looks++;
      return state.isOverloaded;
    },
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

describe('a picture of an overloaded server', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  type Started = ReturnType<typeof start>;
  /** Asks for a picture in several widths: more than one client's pictures that are made at once. */
  const askForMany = ({ images }: Started) =>
    [160, 320, 480, 640, 800].map((width) =>
      images.getImage({ ...VARIANT, width }).then(
        () => 'there',
        (error: unknown) => (error instanceof Overloaded ? 'refused' : error),
      ),
    );
  const passAll = async ({ pass }: Started, ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      pass(100);
      await vi.advanceTimersByTimeAsync(100);
    }
  };

  it('waits for its end, without a fetch', async () => {
    const started = start();
    started.state.isOverloaded = true;
    const asked = askForMany(started);
    await passAll(started, 4_900);
    expect(started.state.fetches).toBe(0);
    started.state.isOverloaded = false;
    await passAll(started, 100);
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 5 }, () => 'there'));
  });

  it('waits with its original where the overload begins meanwhile', async () => {
    const started = start();
    const delay = Promise.withResolvers<void>();
    started.state.delayFetch = delay.promise;
    const asked = started.images.getImage(VARIANT);
    await vi.waitFor(() => expect(started.state.fetches).toBe(1));
    started.state.isOverloaded = true;
    delay.resolve();
    await passAll(started, 1_000);
    expect(started.state.transforms).toBe(0);
    started.state.isOverloaded = false;
    await passAll(started, 100);
    expect((await asked).isStale).toBe(false);
  });

  it('is refused after five seconds, together with all that wait, and a later one at once', async () => {
    const started = start();
    started.state.isOverloaded = true;
    const asked = askForMany(started);
    await passAll(started, 5_200);
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 5 }, () => 'refused'));
    started.state.looks = 0;
    await expect(started.images.getImage({ ...VARIANT, width: 1_200 })).rejects.toBeInstanceOf(Overloaded);
    expect(started.state.looks).toBe(1);
  });

  it('waits in each overload, also where nobody looked between two', async () => {
    const started = start();
    started.state.isOverloaded = true;
    const first = askForMany(started);
    await passAll(started, 5_200);
    await Promise.all(first);
    started.pass(3_600_000);
    const second = askForMany(started);
    await passAll(started, 1_000);
    started.state.isOverloaded = false;
    await passAll(started, 100);
    expect(await Promise.all(second)).toEqual(Array.from({ length: 5 }, () => 'there'));
  });

  it('does not wait once the service is closed', async () => {
    const started = start();
    started.state.isOverloaded = true;
    const asked = askForMany(started);
    await started.images.close();
    await passAll(started, 100);
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 5 }, () => 'refused'));
  });
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
