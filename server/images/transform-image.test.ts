import sharp, { type Sharp } from 'sharp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ImageNotFound, TransformTimedOut } from './image-host.ts';
import { transformImage } from './transform-image.ts';

afterEach(() => void vi.restoreAllMocks());

function picture(width: number, height: number, channels: 3 | 4 = 3) {
  return sharp({ create: { width, height, channels, background: { r: 200, g: 90, b: 30, alpha: 0.5 } } });
}

async function sizeOf(bytes: Buffer) {
  const { width, height, format } = await sharp(bytes).metadata();
  return { width, height, format };
}

describe('transformImage', () => {
  it.each([
    ['avif', 'heif'],
    ['webp', 'webp'],
    ['jpeg', 'jpeg'],
    ['png', 'png'],
    ['fallback', 'jpeg'],
  ] as const)('makes %s of the asked width', async (format, made) => {
    const { bytes, type } = await transformImage(await picture(900, 600).png().toBuffer(), {
      width: 320,
      format,
    });
    expect(type).toBe(`image/${format === 'fallback' ? 'jpeg' : format}`);
    expect(await sizeOf(bytes)).toEqual({ width: 320, height: 213, format: made });
  });

  it('keeps transparency where the client takes PNG', async () => {
    const original = await picture(90, 60, 4).png().toBuffer();
    expect((await transformImage(original, { width: 160, format: 'fallback' })).type).toBe('image/png');
    expect((await transformImage(original, { width: 160, format: 'jpeg' })).type).toBe('image/jpeg');
  });

  it('enlarges nothing', async () => {
    const { bytes } = await transformImage(await picture(90, 60).jpeg().toBuffer(), {
      width: 320,
      format: 'webp',
    });
    expect(await sizeOf(bytes)).toMatchObject({ width: 90, height: 60 });
  });

  it.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)('decodes %s', async (format) => {
    const original = await picture(90, 60).toFormat(format).toBuffer();
    const { bytes } = await transformImage(original, { width: 160, format: 'webp' });
    expect(await sizeOf(bytes)).toMatchObject({ width: 90, height: 60 });
  });

  it.each([
    ['bytes of nothing', async () => Buffer.alloc(0)],
    ['HTML', async () => Buffer.from('<!doctype html><script>')],
    ['HEIC', async () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0heicmif1', 'latin1')],
    [
      'SVG behind a comment',
      async () =>
        Buffer.from('<!--ftypavif--><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
    ['SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['TIFF', () => picture(9, 9).tiff().toBuffer()],
  ])('decodes no %s', async (_, original) => {
    const transforming = transformImage(await original(), { width: 160, format: 'webp' });
    await expect(transforming).rejects.toBeInstanceOf(ImageNotFound);
  });

  it('turns a photo upright and removes what the camera wrote', async () => {
    const original = await picture(900, 600)
      .withExif({ IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { bytes } = await transformImage(original, { width: 160, format: 'jpeg' });
    const { width, height, exif, orientation } = await sharp(bytes).metadata();
    expect({ width, height, exif, orientation }).toEqual({
      width: 160,
      height: 240,
      exif: undefined,
      orientation: undefined,
    });
  });

  it('takes the first frame of an animation', async () => {
    const frames = await Promise.all(
      [picture(50, 40), picture(50, 40).negate()].map((one) => one.png().toBuffer()),
    );
    const original = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(original).metadata()).pages).toBe(2);
    const { bytes } = await transformImage(original, { width: 160, format: 'webp' });
    expect(await sizeOf(bytes)).toMatchObject({ width: 50, height: 40 });
  });

  it('keeps a very tall picture within what the formats hold', async () => {
    const original = await picture(40, 20_000).png().toBuffer();
    const { bytes } = await transformImage(original, { width: 160, format: 'webp' });
    expect((await sizeOf(bytes)).height).toBe(16_383);
  });

  it('refuses too many pixels, without decoding them', async () => {
    const original = await sharp({
      create: { width: 10_000, height: 5_001, channels: 3, background: '#fff' },
    })
      .png()
      .toBuffer();
    await expect(transformImage(original, { width: 160, format: 'webp' })).rejects.toThrow(ImageNotFound);
  });

  it.each([
    [2_000, 2_000, 'avif', { type: 'image/avif', isProgressive: false }],
    [2_000, 2_001, 'avif', { type: 'image/webp', isProgressive: false }],
    [2_000, 2_000, 'jpeg', { type: 'image/jpeg', isProgressive: true }],
    [2_000, 2_001, 'jpeg', { type: 'image/jpeg', isProgressive: false }],
  ] as const)(
    'leaves %d x %d pixels as %s to encoders that its timeout stops, where they are too many',
    async (width, height, format, expected) => {
      const original = await picture(width, height).png().toBuffer();
      const { bytes, type } = await transformImage(original, { width: 2_000, format });
      const { isProgressive } = await sharp(bytes).metadata();
      expect({ type, isProgressive }).toEqual(expected);
    },
  );

  it.each([
    [3_000, 2_000],
    [300, 900],
  ])('crops %d x %d pixels to the size that is asked for, enlarged if need be', async (width, height) => {
    const original = await picture(width, height).png().toBuffer();
    const { bytes } = await transformImage(original, { width: 1_200, height: 630, format: 'jpeg' });
    expect(await sizeOf(bytes)).toEqual({ width: 1_200, height: 630, format: 'jpeg' });
  });

  it('counts the pixels that are encoded: not those of a large original, and upright', async () => {
    const original = await picture(3_000, 1_500).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const typeAt = async (width: number) => (await transformImage(original, { width, format: 'avif' })).type;
    expect([await typeAt(1_200), await typeAt(1_600)]).toEqual(['image/avif', 'image/webp']);
  });

  it.each(['avif', 'webp'] as const)(
    'gives up %s that takes too long, which is not an original that cannot be decoded',
    async (format) => {
      const noise = Buffer.alloc(2_000 * 16_000 * 3);
      for (let index = 0; index < noise.length; index++) noise[index] = ((index * 7919) >> 3) & 255;
      const original = await sharp(noise, { raw: { width: 2_000, height: 16_000, channels: 3 } })
        .png({ compressionLevel: 1 })
        .toBuffer();
      const { timeout } = sharp.prototype;
      const shortened = vi.spyOn(sharp.prototype, 'timeout').mockImplementation(function (this: Sharp) {
        return timeout.call(this, { seconds: 1 });
      });
      await expect(transformImage(original, { width: 2_000, format })).rejects.toBeInstanceOf(
        TransformTimedOut,
      );
      expect(shortened).toHaveBeenCalledExactlyOnceWith({ seconds: 10 });
    },
  );

  it('refuses a truncated picture, and bytes that only begin like one', async () => {
    const whole = await sharp(Buffer.from(Array.from({ length: 30_000 }, (_, n) => (n * 7919) % 251)), {
      raw: { width: 100, height: 100, channels: 3 },
    })
      .jpeg()
      .toBuffer();
    for (const broken of [whole.subarray(0, whole.length / 2), Buffer.from('\xff\xd8\xff<script>', 'latin1')])
      await expect(transformImage(broken, { width: 160, format: 'webp' })).rejects.toThrow(ImageNotFound);
  });
});
