import { setFlagsFromString } from 'node:v8';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRenderQueue, RENDER_TIMEOUT_MS } from './render-queue.ts';
import type { PageToRender, Renderer } from './render-response.ts';

const PAGE: PageToRender = {
  status: 200,
  renderInput: { url: '/about', origin: 'https://www.example.com', loaderData: {}, error: null },
};

/** The code of a worker that runs `code` for each job. */
function workerThat(code: string): URL {
  const source = `
    import { parentPort } from 'node:worker_threads';
    let jobs = 0;
    parentPort.on('message', async ({ id, page }) => {
      jobs++;
      const render = () => {
        const body = new TextEncoder().encode(page.renderInput.url + ' ' + jobs);
        const variant = (encoding) => ({ body, etag: '"1"', encoding, length: body.length });
        const variants = { br: variant('br'), gzip: variant('gzip'), identity: variant('identity') };
        const response = { status: page.status, contentType: 'text/html', variants, bytes: body.length };
        parentPort.postMessage({ id, rendered: { renderMs: 1, compressMs: 1, response } });
      };
      ${code}
    });`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

describe('the render thread', () => {
  let renderer: Renderer | undefined;
  const logged: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line) => void logged.push(line) });

  function start(code: string): Renderer {
    logged.length = 0;
    renderer = createRenderQueue({
      assets: { head: '', scripts: {} },
      logger,
      worker: workerThat(code),
    });
    return renderer;
  }

  async function renderedText(): Promise<string> {
    const rendered = await renderer?.render(PAGE);
    return new TextDecoder().decode(rendered?.response.variants.gzip.body);
  }

  // However long a busy machine takes to render, no thread counts as one that hangs.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(async () => {
    vi.useRealTimers();
    await renderer?.close();
  });

  it('has a heap of its own bounds, whatever those of the process are', async () => {
    setFlagsFromString('--max-semi-space-size=16');
    const { render } = start(
      `const { heap_size_limit: limit } = process.getBuiltinModule('node:v8').getHeapStatistics();
      parentPort.postMessage({ id, error: limit });`,
    );
    await expect(render(PAGE)).rejects.toBe((96 + 12) * 2 ** 20);
  });

  it('collects its garbage long before it is as much as the process may start with', async () => {
    setFlagsFromString('--initial-old-space-size=64');
    // Else the heap grows for as long as a busy machine marks.
    setFlagsFromString('--no-concurrent-marking');
    const { render } = start(
      `const { getHeapStatistics } = process.getBuiltinModule('node:v8');
      const recent = [];
      let most = 0;
      for (let made = 0; made < 4_000; made++) {
        // Long enough that the young space is collected twice meanwhile.
        recent[made % 200] = new Array(2_500).fill(made + 0.5);
        most = Math.max(most, getHeapStatistics().used_heap_size);
        await new Promise(setImmediate);
      }
      parentPort.postMessage({ id, error: most / 2 ** 20 });`,
    );
    await expect(render(PAGE)).rejects.toBeLessThan(36);
  });

  it('resolves each job with its own page, as buffers', async () => {
    const { queueLength } = start('render();');
    const both = Promise.all([renderedText(), renderedText()]);
    expect(queueLength()).toBe(2);
    expect(await both).toEqual(['/about 1', '/about 2']);
    expect(queueLength()).toBe(0);
  });

  it('rejects with the error of a page, and goes on', async () => {
    start(
      "if (jobs === 1) parentPort.postMessage({ id, error: new Error('no such component') }); else render();",
    );
    await expect(renderedText()).rejects.toThrow('no such component');
    expect(await renderedText()).toBe('/about 2');
  });

  it('rejects the queued pages if it dies, and the next page starts a new thread', async () => {
    start("if (page.status === 404) throw new Error('a fault in the worker'); else render();");
    const queued = [renderer?.render({ ...PAGE, status: 404 }), renderer?.render({ ...PAGE, status: 404 })];
    for (const { status } of await Promise.allSettled(queued)) expect(status).toBe('rejected');
    expect(logged.join()).toContain('a fault in the worker');
    expect(await renderedText()).toBe('/about 1');
  });

  it('is terminated if it hangs', async () => {
    const channel = new BroadcastChannel('hangs');
    const hangs = new Promise((resolve) => {
      channel.onmessage = resolve;
    });
    const { render } = start("new BroadcastChannel('hangs').postMessage(true); for (;;);");
    const rejected = expect(render(PAGE)).rejects.toThrow('the render thread ended');
    await hangs;
    channel.close();
    vi.advanceTimersByTime(RENDER_TIMEOUT_MS - 1);
    expect(logged).toEqual([]);
    vi.advanceTimersByTime(1);
    await rejected;
    expect(logged.join()).toContain('hangs');
  });

  it('ends if it needs more memory than its bound, and the next page starts a new thread', async () => {
    start(`
      if (page.status !== 404) { render(); return; }
      const held = [];
      for (;;) held.push(new Array(100_000).fill(held.length));`);
    await expect(renderer?.render({ ...PAGE, status: 404 })).rejects.toThrow('the render thread ended');
    expect(logged.join()).toContain('ERR_WORKER_OUT_OF_MEMORY');
    expect(await renderedText()).toBe('/about 1');
  });

  it('rejects pages once it is closed', async () => {
    await start('render();').close();
    await expect(renderedText()).rejects.toThrow('closed');
  });
});
