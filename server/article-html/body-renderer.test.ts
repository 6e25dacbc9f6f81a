import { afterEach, describe, expect, it, vi } from 'vitest';
import { createBodyRenderer } from './body-renderer.ts';
import { renderArticleHtml } from './render-article-html.ts';

/** A thread reads its sources first, which takes long on a busy machine. */
const THREAD_START_MS = 60_000;

const OPTIONS = { imageHost: '/media', imagesServedBelow: '/media', publicOrigin: 'https://www.example.com' };
const LONG = `<h2>Long</h2>${'<p>Words of a long body, <b>some</b> of them bold.</p>'.repeat(2_000)}`;

const codeOf = (source: string) => new URL(`data:text/javascript,${encodeURIComponent(source)}`);

afterEach(() => void vi.useRealTimers());

describe('a body', () => {
  it('is rendered as it is anywhere', async () => {
    const html = '<h2>One</h2><p>Text</p>';
    expect(await createBodyRenderer()(html, OPTIONS)).toEqual(renderArticleHtml(html, OPTIONS));
  });

  it(
    'of more than 64 KB is the same, and is rendered on a thread',
    async () => {
      // A thread is ended after ten seconds, in which a busy machine may not start it.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      expect(await createBodyRenderer()(LONG, OPTIONS)).toEqual(renderArticleHtml(LONG, OPTIONS));
      const code =
        "import { parentPort } from 'node:worker_threads'; parentPort.postMessage('of the thread')";
      expect(await createBodyRenderer(codeOf(code))(LONG, OPTIONS)).toBe('of the thread');
    },
    THREAD_START_MS,
  );

  it.each(["throw new Error('broken')", 'process.exit(0)'])(
    'whose thread fails rejects, and is tried again: %s',
    async (code) => {
      const renderBody = createBodyRenderer(codeOf(code));
      await expect(renderBody(LONG, OPTIONS)).rejects.toThrow();
      await expect(renderBody(LONG, OPTIONS)).rejects.toThrow();
    },
    THREAD_START_MS,
  );
});
