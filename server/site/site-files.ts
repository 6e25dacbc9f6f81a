import { hash } from 'node:crypto';
import { extname } from 'node:path';

/** A file that is served from memory. */
export interface SiteFile {
  type: string;
  body: Buffer<ArrayBufferLike>;
  etag: string;
  /** Its address changes with its content. */
  isHashed: boolean;
}

/** Files by path. */
export type SiteFiles = Map<string, SiteFile>;

/** Folder of the addresses of hashed files and fonts: `theme.css` finds `fonts/` beside it. */
export const SITE_ASSETS = '/assets/site';

const TYPES: Readonly<Record<string, string>> = {
  '.txt': 'text/plain; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.pdf': 'application/pdf',
};

/** Adds a file under its own path. */
export function addFile(
  files: SiteFiles,
  path: string,
  body: Buffer<ArrayBufferLike>,
  isHashed = false,
): string {
  const type = TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream';
  files.set(path, { type, body, etag: `"${hash('sha1', body, 'base64url')}"`, isHashed });
  return path;
}

/** Adds a file under a path with its hash. Returns the path. */
export function addHashedFile(files: SiteFiles, name: string, body: Buffer<ArrayBufferLike>): string {
  const extension = extname(name);
  const digest = hash('sha1', body, 'base64url').slice(0, 10);
  return addFile(
    files,
    `${SITE_ASSETS}/${name.slice(0, -extension.length)}.${digest}${extension}`,
    body,
    true,
  );
}

/** Returns the file of a path. One of another version of the folder has the current content, not to be stored. */
export function findFile(files: SiteFiles, path: string): SiteFile | null {
  const file = files.get(path);
  if (file || !path.startsWith(SITE_ASSETS)) return file ?? null;
  const [, name, extension] = /^\/assets\/site\/(\w+)\.[\w-]{10}(\.\w+)$/.exec(path) ?? [];
  const same = [...files].find(
    ([other, { isHashed }]) =>
      isHashed && other.startsWith(`${SITE_ASSETS}/${name}.`) && other.endsWith(extension ?? ' '),
  );
  return same ? { ...same[1], isHashed: false } : null;
}

/** PNG icons that are made of `icon.svg`, by path. */
const ICON_SIZES = { '/apple-touch-icon.png': 180, '/icon-192.png': 192, '/icon-512.png': 512 } as const;
const ICO_SIZE = 32;

/** Adds all icons in place of the default ones. Rejects where the SVG cannot be rendered. */
export async function addIcons(files: SiteFiles, path: string, svg: Buffer<ArrayBufferLike>): Promise<void> {
  // Imported here, because most sites have no icon of their own.
  const { default: sharp } = await import('sharp');
  const pngOf = (size: number) =>
    sharp(path, { density: 384 })
      .resize(size, size, { fit: 'contain', background: '#0000' })
      .png()
      .toBuffer();
  for (const [icon, size] of Object.entries(ICON_SIZES)) addFile(files, icon, await pngOf(size));
  addFile(files, '/favicon.ico', ico(await pngOf(ICO_SIZE)));
  addFile(files, '/favicon.svg', svg);
}

/** Returns an icon file with one picture: a header of 22 bytes before the PNG. */
function ico(png: Buffer<ArrayBufferLike>): Buffer<ArrayBufferLike> {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.set([ICO_SIZE, ICO_SIZE], 6);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}
