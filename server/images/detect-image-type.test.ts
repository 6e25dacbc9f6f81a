import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { detectImageType } from './detect-image-type.ts';

const picture = sharp({ create: { width: 9, height: 9, channels: 3, background: '#abc' } });

describe('detectImageType', () => {
  it.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)('knows %s', async (format) => {
    expect(detectImageType(await picture.clone().toFormat(format).toBuffer())).toBe(format);
  });

  it.each([
    '',
    'GIF',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<!doctype html><script>',
    '%PDF-1.7',
    'RIFF....WAVEfmt ',
    'BM......',
    'II*\0',
    '\0\0\0\x18ftypheic\0\0\0\0heicmif1',
    '\0\0\0\x18ftypisom\0\0\0\0isommp42',
    '<!--ftypavif--><svg xmlns="http://www.w3.org/2000/svg"/>',
  ])('knows that %j is none', (text) => {
    expect(detectImageType(Buffer.from(text, 'latin1'))).toBeNull();
  });
});
