import { hash } from 'node:crypto';

/** A file that is served from memory. */
export interface SiteFile {
  type: string;
  body: Buffer;
  etag: string;
  cacheControl: string;
}

/** Files by path. */
export type SiteFiles = Map<string, SiteFile>;

/** Folder of the addresses of hashed files and fonts: `theme.css` finds `fonts/` beside it. */
export const SITE_ASSETS = '/assets/site';

/**
 * Loads media types, and returns what gives that of a file by the ending of its name. Not with this module: most sites have
 * no folder, and the table takes a start some ten milliseconds.
 */
export async function loadTypes(): Promise<(path: string) => string> {
  const { default: mime } = await import('mime');
  return (path) => {
    const type = mime.getType(path) ?? 'application/octet-stream';
    // Safari plays nothing without ranges, which files in memory do not have: it is a download.
    if (/^(audio|video)\//.test(type)) return 'application/octet-stream';
    return /^text\/|[/+](json|xml)$/.test(type) && type !== 'image/svg+xml' ? `${type}; charset=utf-8` : type;
  };
}

/** Adds a file under its own path. */
export function addFile(
  files: SiteFiles,
  path: string,
  body: Buffer,
  type: string,
  cacheControl = 'public, max-age=3600',
): void {
  files.set(path, { type, body, etag: `"${hash('sha1', body, 'base64url')}"`, cacheControl });
}

/** Adds a file under a path with its hash. Returns the path. */
export function addHashedFile(files: SiteFiles, name: string, body: Buffer, type: string): string {
  const digest = hash('sha1', body, 'base64url').slice(0, 10);
  const path = `${SITE_ASSETS}/${name.replace('.', `.${digest}.`)}`;
  addFile(files, path, body, type, 'public, max-age=31536000, immutable');
  return path;
}

/** Returns the file of a path. One of another version of the folder has the current content, not to be stored. */
export function findFile(files: SiteFiles, path: string): SiteFile | null {
  const file = files.get(path);
  if (file || !path.startsWith(SITE_ASSETS)) return file ?? null;
  const nameOf = (hashed: string) => hashed.replace(/\.[\w-]{10}\./, '.');
  const name = nameOf(path);
  const [, current] = [...files].find(([other]) => nameOf(other) === name) ?? [];
  return current ? { ...current, cacheControl: 'no-store' } : null;
}

/** Sizes of the icons that are made of `icon.svg`, by path. All are PNG: browsers go by the type of the response. */
const ICON_SIZES = {
  '/favicon.ico': 32,
  '/apple-touch-icon.png': 180,
  '/icon-192.png': 192,
  '/icon-512.png': 512,
} as const;

/** Adds all icons in place of the default ones. Rejects where the SVG cannot be rendered. */
export async function addIcons(files: SiteFiles, path: string, svg: Buffer): Promise<void> {
  // Imported here, because most sites have no icon of their own.
  const { default: sharp } = await import('sharp');
  for (const [icon, size] of Object.entries(ICON_SIZES)) {
    const resized = sharp(path, { density: 384 }).resize(size, size, { fit: 'contain', background: '#0000' });
    addFile(files, icon, await resized.png().toBuffer(), 'image/png');
  }
  addFile(files, '/favicon.svg', svg, 'image/svg+xml');
}
