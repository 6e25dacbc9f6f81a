import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { loadContent } from './load-content.ts';
import { createPictureFolder, PICTURES_DIR } from './picture-folder.ts';

const getPicture = createPictureFolder();
const content = loadContent();
const POST = `/posts/${content.posts[0]?.slug}.jpg`;
const BANNER = `/ads/${content.advertisements[0]?.key}.jpg`;

async function bytesOf(
  path: string,
  width: number,
  format: 'avif' | 'webp' | 'jpeg' = 'webp',
): Promise<Buffer> {
  const picture = await getPicture({ path, width, format });
  if (!picture) throw new Error(`no picture at ${path}`);
  return picture.bytes;
}

describe('the folder of pictures', () => {
  it('has one original for each picture that the content names, and no other', () => {
    const named = [
      ...content.posts.map(({ slug }) => `posts/${slug}`),
      ...content.posts.flatMap(({ slug, figures }) =>
        Array.from({ length: figures }, (_, index) => `figures/${slug}-${index + 1}`),
      ),
      ...content.authors.filter(({ photo }) => photo).map(({ key }) => `authors/${key}`),
      ...content.events.map(({ slug }) => `events/${slug}`),
      ...content.advertisements.map(({ key }) => `ads/${key}`),
    ];
    const files = globSync('*/*', { cwd: PICTURES_DIR }).map((file) => file.replace(/\.(svg|webp)$/, ''));
    expect(files.sort()).toEqual(named.sort());
  });

  it('holds vectors without text, scripts or links: they look the same on a machine without fonts', () => {
    for (const file of globSync('*/*.svg', { cwd: PICTURES_DIR }))
      expect(readFileSync(join(PICTURES_DIR, file), 'utf8'), file).not.toMatch(
        /<(text|script|image|foreignObject)|href=|url\(['"]?(?!#)|\son\w+=/,
      );
  });

  it.each([
    [POST, 300, 200],
    [POST, 1600, 1067],
    [BANNER, 300, null],
  ])('serves %s %i wide, its shape kept', async (path, width, height) => {
    const size = await sharp(await bytesOf(path, width)).metadata();
    expect(size.width).toBe(width);
    if (height !== null) expect(size.height).toBe(height);
  });

  it.each([
    ['avif', 'heif'],
    ['webp', 'webp'],
    ['jpeg', 'jpeg'],
  ] as const)('serves the asked format %s', async (format, kind) => {
    expect((await sharp(await bytesOf(POST, 100, format)).metadata()).format).toBe(kind);
  });

  it('resizes a variant once, however many ask for it, and tells variants apart by their ETag', async () => {
    const request = { path: POST, width: 120, format: 'webp' } as const;
    const [first, second] = await Promise.all([getPicture(request), getPicture(request)]);
    expect(second).toBe(first);
    expect((await getPicture({ ...request, width: 121 }))?.etag).not.toBe(first?.etag);
    expect(first?.etag).toMatch(/^"[\w-]{27}"$/);
  });

  it.each(['/posts/unknown.jpg', '/posts/../posts/unknown.jpg', '/', '/authors/__proto__.jpg', '/posts'])(
    'has nothing at %s',
    async (path) => {
      expect(await getPicture({ path, width: 100, format: 'webp' })).toBeNull();
    },
  );
});
