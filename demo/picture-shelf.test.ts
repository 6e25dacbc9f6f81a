import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPictureShelf } from './picture-shelf.ts';
import type { PictureRequest } from './pictures/picture.ts';

/** A source whose renderings end when the test says so. */
function heldSource() {
  const rendered: string[] = [];
  const waiting: (() => void)[] = [];
  return {
    rendered,
    waiting,
    async render({ path, width }: PictureRequest) {
      rendered.push(path);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return path === '/unknown.jpg' ? null : Buffer.alloc(1000, `${path} ${width}`);
    },
  };
}

function countingSource() {
  const rendered: string[] = [];
  const render = async ({ path, width, format }: PictureRequest) => {
    rendered.push(path);
    return Buffer.from(`${path} ${width} ${format}`.padEnd(1000));
  };
  return { rendered, render };
}

const picture = (path: string): PictureRequest => ({ path, width: 300, format: 'webp' });

describe('createPictureShelf', () => {
  it('renders a picture once for all who ask at the same time, and for those after', async () => {
    const source = heldSource();
    const shelf = createPictureShelf({ source, dir: null });
    const both = Promise.all([shelf(picture('/a.jpg')), shelf(picture('/a.jpg'))]);
    await expect.poll(() => source.waiting.length).toBe(1);
    source.waiting[0]?.();
    const [first, second] = await both;
    expect(second).toBe(first);
    await shelf(picture('/a.jpg'));
    expect(source.rendered).toEqual(['/a.jpg']);
  });

  it('renders no more than two at once', async () => {
    const source = heldSource();
    const shelf = createPictureShelf({ source, dir: null });
    const all = Promise.all(['/a.jpg', '/b.jpg', '/c.jpg', '/d.jpg'].map((path) => shelf(picture(path))));
    for (const held of [2, 3, 4, 4]) {
      await expect.poll(() => source.rendered.length).toBe(held);
      source.waiting.shift()?.();
    }
    expect(await all).toHaveLength(4);
  });

  it('tells renderings apart by width and format, each with an entity tag of its own', async () => {
    const shelf = createPictureShelf({ source: countingSource(), dir: null });
    const narrow = await shelf(picture('/a.jpg'));
    const wide = await shelf({ ...picture('/a.jpg'), width: 600 });
    const other = await shelf({ ...picture('/a.jpg'), format: 'avif' });
    expect(new Set([narrow?.etag, wide?.etag, other?.etag]).size).toBe(3);
    expect(narrow?.etag).toMatch(/^"[\w-]{27}"$/);
  });

  it('keeps no more bytes than its bound, the latest ones', async () => {
    const source = countingSource();
    const shelf = createPictureShelf({ source, dir: null, maxBytes: 2500 });
    for (const path of ['/a.jpg', '/b.jpg', '/c.jpg', '/c.jpg', '/a.jpg']) await shelf(picture(path));
    expect(source.rendered).toEqual(['/a.jpg', '/b.jpg', '/c.jpg', '/a.jpg']);
  });

  it('takes a picture from disk after a restart', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'pictures-'));
    try {
      const source = countingSource();
      const first = await createPictureShelf({ source, dir })(picture('/a.jpg'));
      const again = await createPictureShelf({ source, dir })(picture('/a.jpg'));
      expect(again).toEqual(first);
      expect(source.rendered).toEqual(['/a.jpg']);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('serves all the same where the folder cannot be written', async () => {
    const shelf = createPictureShelf({ source: countingSource(), dir: '/dev/null/pictures' });
    expect(await shelf(picture('/a.jpg'))).not.toBeNull();
  });

  it('asks again for a picture whose rendering failed', async () => {
    let calls = 0;
    const render = async () => {
      calls += 1;
      if (calls === 1) throw new Error('out of paint');
      return Buffer.from('picture');
    };
    const shelf = createPictureShelf({ source: { render }, dir: null });
    await expect(shelf(picture('/a.jpg'))).rejects.toThrow('out of paint');
    expect((await shelf(picture('/a.jpg')))?.bytes.toString()).toBe('picture');
  });
});
