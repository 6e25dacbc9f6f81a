import sharp from 'sharp';
import type { Scene } from './drawing.ts';

export type PictureFormat = 'avif' | 'webp' | 'jpeg';

/** The whole SVG of a scene, drawn `width` pixels wide; its height follows, rounded to a pixel. */
export function svgOf(scene: Scene, width: number): string {
  const height = Math.round((width * scene.height) / scene.width);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${scene.width} ${scene.height}" preserveAspectRatio="none">${scene.markup}</svg>`
  );
}

/** The scene as an image file, `width` pixels wide. */
export async function rasterise(scene: Scene, width: number, format: PictureFormat): Promise<Buffer> {
  const image = sharp(Buffer.from(svgOf(scene, width))).flatten({ background: '#f6f1e7' });
  if (format === 'avif') return image.avif({ quality: 50, effort: 2 }).toBuffer();
  if (format === 'webp') return image.webp({ quality: 72, effort: 3 }).toBuffer();
  return image.jpeg({ quality: 74, mozjpeg: true }).toBuffer();
}
