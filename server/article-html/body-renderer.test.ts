import { describe, expect, it, vi } from 'vitest';
import { createBodyRenderer } from './body-renderer.ts';
import { renderArticleHtml } from './render-article-html.ts';

/** A thread reads its sources first, which takes long on a busy machine. */
const THREAD_START_MS = 60_000;

const OPTIONS = { imageHost: '/media', imagesServedBelow: '/media', publicOrigin: 'https://www.example.com' };
const LONG = `<h2>Long</h2>${'<p>Words of a long body, <b>some</b> of them bold.</p>'.repeat(2_000)}`;

function rendererOf(options: { maxBytes?: number; worker?: URL } = {}) {
  const render = vi.fn(renderArticleHtml);
  return { render, renderBody: createBodyRenderer({ maxBytes: 1_000_000, render, ...options }) };
}

const codeOf = (source: string) => new URL(`data:text/javascript,${encodeURIComponent(source)}`);

describe('a body', () => {
  it('is rendered once a version, and is the same each time', async () => {
    const { render, renderBody } = rendererOf();
    const first = await renderBody('<h2>One</h2><p>Text</p>', OPTIONS);
    expect(first).toEqual(renderArticleHtml('<h2>One</h2><p>Text</p>', OPTIONS));
    expect(await renderBody('<h2>One</h2><p>Text</p>', OPTIONS)).toEqual(first);
    expect(render).toHaveBeenCalledTimes(1);
    await renderBody('<h2>Two</h2><p>Text</p>', OPTIONS);
    expect(render).toHaveBeenCalledTimes(2);
  });

  it('is rendered again for other options', async () => {
    const { render, renderBody } = rendererOf();
    await renderBody('<p>Text</p>', OPTIONS);
    await renderBody('<p>Text</p>', { ...OPTIONS, publicOrigin: 'https://other.example' });
    expect(render).toHaveBeenCalledTimes(2);
  });

  it('is forgotten where there is no room: bytes are bounded', async () => {
    const { render, renderBody } = rendererOf({ maxBytes: 1_000.4 });
    for (const text of ['a', 'b', 'c', 'd', 'a']) await renderBody(`<p>${text}</p>`, OPTIONS);
    expect(render).toHaveBeenCalledTimes(5);
  });

  it(
    'of more than 64 KB is rendered on a thread, once a version as well',
    async () => {
      const { render, renderBody } = rendererOf();
      const body = await renderBody(LONG, OPTIONS);
      expect(body).toEqual(renderArticleHtml(LONG, OPTIONS));
      expect(await renderBody(LONG, OPTIONS)).toEqual(body);
      expect(render).not.toHaveBeenCalled();
    },
    THREAD_START_MS,
  );

  it.each(["throw new Error('broken')", 'process.exit(0)'])(
    'whose thread fails rejects, and is tried again: %s',
    async (code) => {
      const { renderBody } = rendererOf({ worker: codeOf(code) });
      await expect(renderBody(LONG, OPTIONS)).rejects.toThrow();
      await expect(renderBody(LONG, OPTIONS)).rejects.toThrow();
    },
    THREAD_START_MS,
  );
});
