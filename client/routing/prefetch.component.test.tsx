import type { RouteObject } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react/pure';
import { createHttpSiteApi } from '#client/api/http-site-api.ts';
import { fakeClock, passTime } from '../../tests/component/fake-clock.ts';
import { listenDuringTest } from '../../tests/component/listen-during-test.ts';
import { prefetch } from './prefetch.ts';

const PATHS = ['/one', '/two', '/three'];

let loaded: string[];
let finish: (() => void)[];
let linkTo: (path: string) => Element;

beforeEach(async () => {
  loaded = [];
  finish = [];
  const routes: RouteObject[] = PATHS.map((path) => ({
    path,
    handle: {
      path,
      module: async () => ({
        loader: () => {
          loaded.push(path);
          return new Promise<void>((resolve) => finish.push(resolve));
        },
      }),
    },
  }));
  const { container } = await render(
    PATHS.map((path) => (
      <a key={path} href={path}>
        {path}
      </a>
    )),
  );
  linkTo = (path) => container.querySelector(`[href="${path}"]`) ?? document.body;
  fakeClock();
  listenDuringTest(() => prefetch(document, routes, createHttpSiteApi()));
});

function point(type: string, path: string, pointerType = 'mouse'): void {
  linkTo(path).dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType }));
}

const settled = () => vi.waitFor(() => Promise.resolve());

test('a link is prefetched when the pointer dwells on it for 80 ms, and not sooner', async () => {
  point('pointerover', '/one');
  passTime(79);
  await settled();
  expect(loaded).toEqual([]);
  passTime(1);
  await expect.poll(() => loaded).toEqual(['/one']);
});

test('a link that the pointer only passes is not prefetched', async () => {
  point('pointerover', '/one');
  passTime(40);
  point('pointerout', '/one');
  passTime(1_000);
  await settled();
  expect(loaded).toEqual([]);
});

test('a press of the mouse button prefetches at once, a finger that then scrolls never', async () => {
  point('pointerdown', '/one');
  await expect.poll(() => loaded).toEqual(['/one']);
  point('pointerdown', '/two', 'touch');
  point('pointercancel', '/two', 'touch');
  passTime(1_000);
  await settled();
  expect(loaded).toEqual(['/one']);
});

test('at most two links are prefetched at a time', async () => {
  for (const path of PATHS) point('pointerdown', path);
  await expect.poll(() => loaded).toEqual(['/one', '/two']);
  for (const end of finish) end();
  await vi.waitFor(() => {
    point('pointerdown', '/three');
    expect(loaded).toEqual(PATHS);
  });
});

test.each([{ saveData: true }, { effectiveType: '2g' }, { effectiveType: 'slow-2g' }])(
  'nothing is prefetched with %o',
  async (connection) => {
    Object.defineProperty(navigator, 'connection', { value: connection, configurable: true });
    point('pointerdown', '/one');
    passTime(1_000);
    await settled();
    Reflect.deleteProperty(navigator, 'connection');
    expect(loaded).toEqual([]);
  },
);
