import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { loadBuild } from '#server/render/assets.ts';
import { renderResponse } from '#server/render/renderer.ts';
import { warmUpTemplates } from '#server/render/template-warm-up.ts';
import { createLogLines } from '../http/log-lines.ts';
import { startSiteUnderTest } from '../site-under-test.ts';

const { bundle, assets } = await loadBuild(join(import.meta.dirname, '../../..'));
const Counts = z.record(z.string(), z.object({ entries: z.number(), misses: z.number().default(0) }));

/** Returns the priorities of this process's render workers on Linux, by thread id: 19 is the lowest. */
function renderPriorities(): Map<string, number> {
  return new Map(
    readdirSync('/proc/self/task').flatMap((thread) => {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
      return stat.includes('(renderer)') ? [[thread, Number(stat.split(') ')[1]?.split(' ')[16])]] : [];
    }),
  );
}

describe('the warm-up', () => {
  it('renders each template of the page table once, whole', async () => {
    const rendered: { path: string; status: number; brotli: number }[] = [];
    const warn = vi.fn();
    await warmUpTemplates({
      bundle: async () => bundle,
      renderer: {
        async render(page) {
          const response = await renderResponse(bundle, assets, page);
          const { pathname } = new URL(page.renderInput.url, 'http://localhost');
          rendered.push({
            path: pathname,
            status: page.status,
            brotli: response.response.variants.br.body.length,
          });
          return response;
        },
      },
      origin: 'https://www.example.com',
      logger: { warn },
      signal: new AbortController().signal,
    });
    expect(rendered.map(({ path }) => bundle.canonicalUrl(path).page)).toEqual(
      bundle.pages.map(({ name }) => name).filter((name) => name !== 'own'),
    );
    for (const { path, status, brotli } of rendered) {
      expect(status, path).toBe(path === '/404' ? 404 : 200);
      expect(brotli, path).toBeGreaterThan(1_000);
    }
    // No warning: the samples are valid upstream data.
    expect(warn.mock.calls).toEqual([]);
  });

  it('tells of templates that fail, and goes on with the next', async () => {
    const failed: unknown[] = [];
    const render = vi.fn(() => Promise.reject(new Error('no such component')));
    await warmUpTemplates({
      bundle: async () => bundle,
      renderer: { render },
      origin: 'https://www.example.com',
      logger: { warn: (fields: object) => void failed.push('page' in fields && fields.page) },
      signal: new AbortController().signal,
    });
    expect(failed).toEqual(bundle.pages.map(({ name }) => name).filter((name) => name !== 'own'));
  });

  it('ends where the server stops meanwhile, without a word', async () => {
    const stop = new AbortController();
    const warn = vi.fn();
    const render = vi.fn(() => {
      stop.abort();
      return Promise.reject(new Error('the render thread is closed'));
    });
    await warmUpTemplates({
      bundle: async () => bundle,
      renderer: { render },
      origin: 'https://www.example.com',
      logger: { warn },
      signal: stop.signal,
    });
    expect(render).toHaveBeenCalledOnce();
    expect(warn).not.toHaveBeenCalled();
  });

  it('asks the upstream nothing, counts nothing and leaves nothing in the caches', async () => {
    const log = createLogLines('info');
    const site = await startSiteUnderTest({}, { warmUp: true, logger: log.logger });
    try {
      const get = (path: string) => request(site.origin).get(path);
      const early = await get('/readyz');
      expect(early.status).toBe(503);
      expect(early.body).toEqual({ status: 'starting' });
      await get('/healthz').expect(200);
      await vi.waitFor(() => get('/readyz').expect(200), { timeout: 60_000 });
      expect(log.text()).toContain('"msg":"ready"');
      expect(log.text()).not.toContain('warm-up');
      expect(await site.calls()).toEqual({});
      const counts = Counts.parse((await request(site.ops).get('/cache')).body);
      for (const [resource, { entries, misses }] of Object.entries(counts))
        expect({ resource, entries, misses }).toEqual({ resource, entries: 0, misses: 0 });
      const { text } = await request(site.ops).get('/metrics');
      expect(text).not.toMatch(/^\S*(render|upstream_call)\S*_count\S* [1-9]/m);
    } finally {
      await site.close();
    }
  });

  it.runIf(process.platform === 'linux')(
    'has the render worker at full priority until it is over',
    async () => {
      // The thread of an earlier test's site may still be ending.
      const others = renderPriorities();
      const own = () => [...renderPriorities()].flatMap(([id, at]) => (others.has(id) ? [] : [at]));
      const site = await startSiteUnderTest({}, { warmUp: true });
      try {
        expect(own()).toEqual([getPriority()]);
        await vi.waitFor(() => request(site.origin).get('/readyz').expect(200), { timeout: 60_000 });
        await expect.poll(own).toEqual([Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL)]);
      } finally {
        await site.close();
      }
    },
  );

  it('refuses no page that is asked for meanwhile', async () => {
    const site = await startSiteUnderTest({}, { warmUp: true });
    try {
      await request(site.origin).get('/about').set('accept', 'text/html').expect(200);
    } finally {
      await site.close();
    }
  });
});
