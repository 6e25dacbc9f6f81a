import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join, parse, sep } from 'node:path';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import type { Sharp } from 'sharp';

export type PictureFormat = 'avif' | 'webp' | 'png' | 'jpeg';

export interface PictureRequest {
  /** Path as in the content: `/posts/<slug>.jpg`, `/figures/<slug>-<n>.jpg`, `/authors/<key>.jpg`, `/events/<slug>.jpg`, `/ads/<key>.jpg`. */
  path: string;
  /** Pixels, 1 to 1600. */
  width: number;
  format: PictureFormat;
}

/** A resized picture and the strong ETag of its bytes. */
export interface Picture {
  bytes: Buffer;
  etag: string;
}

/** Resolves to null for a path without an original. Rejects where an original cannot be read. */
export type GetPicture = (request: PictureRequest) => Promise<Picture | null>;

/** The originals that come with the demo CMS: SVG, and WebP where words are set. */
export const PICTURES_DIR = join(import.meta.dirname, 'pictures');

const MAX_CACHE_BYTES = 96 * 1024 * 1024;
/** sharp works on Node's thread pool, which the site's own process needs for files and compression. */
const MAX_CONCURRENT_RESIZES = 2;
const SVG_DPI = 72;

/**
 * Serves the originals of a folder in any width and format. Concurrent requests for one variant share one resize
 * (single-flight); variants are kept in memory up to 96 MiB.
 */
export function createPictureFolder(dir: string = PICTURES_DIR): GetPicture {
  const originals = new Map(
    readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(svg|webp)$/.test(file))
      .map((file) => [pathOf(file), file]),
  );
  const queue = new PQueue({ concurrency: MAX_CONCURRENT_RESIZES });
  const variants = new LRUCache<string, Picture, PictureRequest>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length,
    fetchMethod: (_key, _stale, { context }) => queue.add(() => resize(context)),
  });

  async function resize({ path, width, format }: PictureRequest): Promise<Picture> {
    const file = join(dir, originals.get(path) ?? '');
    // Here, because most of what a site starts with needs no picture.
    const { default: sharp } = await import('sharp');
    const { width: rendered = width } = await sharp(file).metadata();
    // Render vectors at the requested size: scaling pixels up would blur them.
    const density = file.endsWith('.svg') ? { density: (SVG_DPI * width) / rendered } : {};
    const image = sharp(file, density).resize({ width });
    const bytes = await encode(image, format).toBuffer();
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` };
  }

  return async (request) => {
    if (!originals.has(request.path)) return null;
    const key = `${request.path} ${request.width} ${request.format}`;
    return (await variants.fetch(key, { context: request })) ?? null;
  };
}

/** Returns the public path of a file: every picture is named `.jpg` there, as with a publisher's CMS. */
function pathOf(file: string): string {
  const { dir, name } = parse(file);
  return `/${dir.split(sep).join('/')}/${name}.jpg`;
}

function encode(image: Sharp, format: PictureFormat): Sharp {
  if (format === 'avif') return image.avif({ quality: 50, effort: 2 });
  if (format === 'webp') return image.webp({ quality: 72, effort: 3 });
  const opaque = image.flatten({ background: '#f6f1e7' });
  return format === 'png' ? opaque.png({ compressionLevel: 3 }) : opaque.jpeg({ quality: 74, mozjpeg: true });
}
