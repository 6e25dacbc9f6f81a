import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { createDrawingThread } from './render-thread.ts';
import type { Drawing, PageToDraw } from './renderer.ts';

const PAGE: PageToDraw = {
  status: 200,
  drawing: { url: '/about', origin: 'https://www.example.com', loaderData: {}, error: null },
};

/** A thread that does with each order what `code` says. */
function workerThat(code: string): URL {
  const source = `
    import { parentPort } from 'node:worker_threads';
    let orders = 0;
    parentPort.on('message', async ({ id, page }) => {
      orders++;
      const draw = () => {
        const body = new TextEncoder().encode(page.drawing.url + ' ' + orders);
        const variant = (encoding) => ({ body, etag: '"1"', encoding });
        const variants = { br: variant('br'), gzip: variant('gzip'), identity: variant('identity') };
        const answer = { status: page.status, contentType: 'text/html', variants, bytes: body.length };
        parentPort.postMessage({ id, drawn: { renderMs: 1, answer } });
      };
      ${code}
    });`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

describe('the drawing thread', () => {
  let drawing: Drawing | undefined;
  const logged: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line) => void logged.push(line) });

  function start(code: string, silenceMs = 60_000): Drawing {
    logged.length = 0;
    drawing = createDrawingThread({
      assets: { head: '', scripts: {} },
      logger,
      silenceMs,
      worker: workerThat(code),
    });
    return drawing;
  }

  async function drawnText(): Promise<string> {
    const drawn = await drawing?.draw(PAGE);
    return drawn?.answer.variants.identity.body.toString() ?? '';
  }

  afterEach(() => drawing?.close());

  it('answers each order with its own page, as buffers', async () => {
    const { waiting } = start('draw();');
    const both = Promise.all([drawnText(), drawnText()]);
    expect(waiting()).toBe(2);
    expect(await both).toEqual(['/about 1', '/about 2']);
    expect(waiting()).toBe(0);
  });

  it('rejects with what was wrong with a page, and goes on', async () => {
    start(
      "if (orders === 1) parentPort.postMessage({ id, error: new Error('no such component') }); else draw();",
    );
    await expect(drawnText()).rejects.toThrow('no such component');
    expect(await drawnText()).toBe('/about 2');
  });

  it('that dies takes the waiting pages with it, and the next one finds a new thread', async () => {
    start("if (page.status === 404) throw new Error('out of its mind'); else draw();");
    const waiting = [drawing?.draw({ ...PAGE, status: 404 }), drawing?.draw({ ...PAGE, status: 404 })];
    for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected');
    expect(logged.join()).toContain('out of its mind');
    expect(await drawnText()).toBe('/about 1');
  });

  it('that is stuck is ended', async () => {
    start('if (page.status === 404) for (;;); else draw();', 50);
    await expect(drawing?.draw({ ...PAGE, status: 404 })).rejects.toThrow('the drawing thread ended');
    expect(logged.join()).toContain('stuck');
  });

  it('renders at low priority once the server is ready, and so does the next thread', async () => {
    start(`
      const isLow = (await import('node:worker_threads')).workerData.isLowPriority;
      if (page?.status === 404) process.exit();
      if (!page) globalThis.isLow = true;
      else { page.drawing.url = String(isLow || globalThis.isLow === true); draw(); }`);
    expect(await drawnText()).toBe('false 1');
    drawing?.lowerPriority();
    expect(await drawnText()).toBe('true 3');
    await expect(drawing?.draw({ ...PAGE, status: 404 })).rejects.toThrow('ended');
    expect(await drawnText()).toBe('true 1');
  });

  it('that was closed takes no more', async () => {
    await start('draw();').close();
    await expect(drawnText()).rejects.toThrow('closed');
  });
});
