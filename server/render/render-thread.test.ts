import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { createRenderThread } from './render-thread.ts';
import type { PageToRender, Renderer } from './renderer.ts';

const PAGE: PageToRender = {
  status: 200,
  renderInput: { url: '/about', origin: 'https://www.example.com', loaderData: {}, error: null },
};

/** A thread that does with each order what `code` says. */
function workerThat(code: string): URL {
  const source = `
    import { parentPort } from 'node:worker_threads';
    let orders = 0;
    parentPort.on('message', async ({ id, page }) => {
      orders++;
      const render = () => {
        const body = new TextEncoder().encode(page.renderInput.url + ' ' + orders);
        const variant = (encoding) => ({ body, etag: '"1"', encoding });
        const variants = { br: variant('br'), gzip: variant('gzip'), identity: variant('identity') };
        const response = { status: page.status, contentType: 'text/html', variants, bytes: body.length };
        parentPort.postMessage({ id, rendered: { renderMs: 1, response } });
      };
      ${code}
    });`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

describe('the render thread', () => {
  let renderer: Renderer | undefined;
  const logged: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line) => void logged.push(line) });

  function start(code: string, silenceMs = 60_000): Renderer {
    logged.length = 0;
    renderer = createRenderThread({
      assets: { head: '', scripts: {} },
      logger,
      silenceMs,
      worker: workerThat(code),
    });
    return renderer;
  }

  async function renderedText(): Promise<string> {
    const rendered = await renderer?.render(PAGE);
    return rendered?.response.variants.identity.body.toString() ?? '';
  }

  afterEach(() => renderer?.close());

  it('answers each order with its own page, as buffers', async () => {
    const { waiting } = start('render();');
    const both = Promise.all([renderedText(), renderedText()]);
    expect(waiting()).toBe(2);
    expect(await both).toEqual(['/about 1', '/about 2']);
    expect(waiting()).toBe(0);
  });

  it('rejects with what was wrong with a page, and goes on', async () => {
    start(
      "if (orders === 1) parentPort.postMessage({ id, error: new Error('no such component') }); else render();",
    );
    await expect(renderedText()).rejects.toThrow('no such component');
    expect(await renderedText()).toBe('/about 2');
  });

  it('that dies takes the waiting pages with it, and the next one finds a new thread', async () => {
    start("if (page.status === 404) throw new Error('out of its mind'); else render();");
    const waiting = [renderer?.render({ ...PAGE, status: 404 }), renderer?.render({ ...PAGE, status: 404 })];
    for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected');
    expect(logged.join()).toContain('out of its mind');
    expect(await renderedText()).toBe('/about 1');
  });

  it('that is stuck is ended', async () => {
    start('if (page.status === 404) for (;;); else render();', 50);
    await expect(renderer?.render({ ...PAGE, status: 404 })).rejects.toThrow('the render thread ended');
    expect(logged.join()).toContain('stuck');
  });

  it('renders at low priority once the server is ready, and so does the next thread', async () => {
    start(`
      const isLow = (await import('node:worker_threads')).workerData.isLowPriority;
      if (page?.status === 404) process.exit();
      if (!page) globalThis.isLow = true;
      else { page.renderInput.url = String(isLow || globalThis.isLow === true); render(); }`);
    expect(await renderedText()).toBe('false 1');
    renderer?.lowerPriority();
    expect(await renderedText()).toBe('true 3');
    await expect(renderer?.render({ ...PAGE, status: 404 })).rejects.toThrow('ended');
    expect(await renderedText()).toBe('true 1');
  });

  it('that was closed takes no more', async () => {
    await start('render();').close();
    await expect(renderedText()).rejects.toThrow('closed');
  });
});
