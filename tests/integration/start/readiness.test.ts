import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import request from 'supertest';
import { expect, it, vi } from 'vitest';
import { createLogLines } from '../http/log-lines.ts';
import { startSiteUnderTest } from '../site-under-test.ts';

/** Returns the priorities of this process's render workers on Linux, by thread id: 19 is the lowest. */
function renderPriorities(): Map<string, number> {
  return new Map(
    readdirSync('/proc/self/task').flatMap((thread) => {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
      return stat.includes('(renderer)') ? [[thread, Number(stat.split(') ')[1]?.split(' ')[16])]] : [];
    }),
  );
}

it('a start with nothing cached is ready without a call of the upstream', async () => {
  const log = createLogLines('info');
  const site = await startSiteUnderTest({}, { logger: log.logger });
  try {
    await vi.waitFor(() => request(site.origin).get('/readyz').expect(200), { timeout: 60_000 });
    expect(log.text()).toContain('"msg":"ready"');
    expect(await site.calls()).toEqual({});
  } finally {
    await site.close();
  }
});

it.runIf(process.platform === 'linux')(
  'the render worker has a low priority once the site is ready',
  async () => {
    // The thread of an earlier test's site may still be ending.
    const others = renderPriorities();
    const own = () => [...renderPriorities()].flatMap(([id, at]) => (others.has(id) ? [] : [at]));
    const site = await startSiteUnderTest({}, { hasRenderThread: true });
    try {
      await request(site.origin).get('/about').set('accept', 'text/html').expect(200);
      await expect.poll(own).toEqual([Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL)]);
    } finally {
      await site.close();
    }
  },
);
