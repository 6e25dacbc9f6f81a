import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Page, Request } from '@playwright/test';
import { startSiteUnderTest } from '../../integration/site-under-test.ts';
import { callOps, expect, expectLive, test } from './dashboard-site.ts';

const TOKEN = 'a-token-of-the-operators';
const READ_TOKEN = 'a-token-that-may-only-read';

test.describe('with a token', () => {
  test('the dashboard asks for it, rejects another, and keeps it in this tab alone', async ({
    page,
    context,
    expectedNoise,
  }) => {
    expectedNoise.push(/401/);
    const guarded = await startSiteUnderTest({ OPS_TOKEN: TOKEN });
    try {
      await page.goto(guarded.ops);
      const field = page.getByLabel('Operators’ token');
      await expect(field).toBeFocused();
      await field.fill('another-token-altogether');
      await page.keyboard.press('Enter');
      await expect(page.getByText('This token is wrong.')).toBeVisible();
      await field.fill(TOKEN);
      await page.getByRole('button', { name: 'Open the dashboard' }).click();
      await expectLive(page);
      await page.reload();
      await expectLive(page);
      expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, '']);
      const other = await context.newPage();
      await other.goto(guarded.ops);
      await expect(other.getByLabel('Operators’ token')).toBeVisible();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await expect(field).toBeFocused();
      await expect(page.getByText('This token is wrong.')).toBeHidden();
      expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    } finally {
      await guarded.close();
    }
  });

  test('one that may only purge opens nothing, and the form says why', async ({ page, expectedNoise }) => {
    expectedNoise.push(/40[13]/);
    const guarded = await startSiteUnderTest({
      OPS_TOKEN: TOKEN,
      OPS_PURGE_TOKEN: 'a-token-that-may-only-purge',
    });
    try {
      await page.goto(guarded.ops);
      const field = page.getByLabel('Operators’ token');
      await field.fill('a-token-that-may-only-purge');
      await page.keyboard.press('Enter');
      await expect(page.getByText('This token may purge and nothing else.')).toBeVisible();
      await field.fill(TOKEN);
      await page.keyboard.press('Enter');
      await expectLive(page);
    } finally {
      await guarded.close();
    }
  });

  test('one that may only read sees everything, and no control changes anything', async ({
    page,
    expectedNoise,
  }) => {
    expectedNoise.push(/401/);
    const guarded = await startSiteUnderTest({ OPS_TOKEN: TOKEN, OPS_READ_TOKEN: READ_TOKEN });
    try {
      await page.goto(`${guarded.ops}/#/cache`);
      await page.getByLabel('Operators’ token').fill(READ_TOKEN);
      await page.keyboard.press('Enter');
      await expect(page.getByText('read only', { exact: true })).toBeVisible();
      const purge = page.getByRole('button', { name: 'Purge: everything' });
      await expect(purge).toHaveAttribute('aria-disabled', 'true');
      await expect(purge).toHaveAccessibleDescription('This token may only read (OPS_READ_TOKEN).');
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.method()));
      await purge.click({ force: true });
      await page.getByRole('link', { name: 'Changes' }).click();
      await expect(page.getByText('Nothing was changed.')).toBeVisible();
      expect(sent.filter((method) => method !== 'GET')).toEqual([]);
    } finally {
      await guarded.close();
    }
  });
});

/** A TCP proxy between the browser and the listener that the test can cut and restore. */
async function startProxy(target: string) {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let cut = false;
  const server: Server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).once('close', () => open.delete(socket));
    if (cut) return socket.destroy();
    const onward = connect(Number(port), hostname).on('error', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
    socket.once('close', () => onward.destroy());
    onward.once('close', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const end = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    origin: `http://127.0.0.1:${address.port}`,
    cut() {
      cut = true;
      end();
    },
    restore() {
      cut = false;
    },
    close() {
      end();
      server.close();
    },
  };
}

test('a lost connection is shown, and the metrics go on when it is back', async ({
  page,
  own,
  expectedNoise,
}) => {
  expectedNoise.push(/ERR_|network error/i);
  const proxy = await startProxy(own.ops);
  try {
    await page.goto(proxy.origin);
    await expectLive(page);
    proxy.cut();
    await expect(page.getByText('Connection lost: reconnecting')).toBeVisible();
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await expect(verdict).toContainText('The operators’ listener does not respond');
    await expect(verdict).toContainText('the numbers below are old');
    await fetch(`${own.origin}/topic/news`);
    proxy.restore();
    await expectLive(page);
    await expect(page.getByRole('rowheader', { name: 'post.topic' })).toBeVisible();
  } finally {
    proxy.close();
  }
});

/** Hides a tab, or shows it again: in a browser of the tests all are visible. */
const setVisibility = (page: Page, state: DocumentVisibilityState) =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, state);

test('a hidden tab has no connection, and is up to date once it is shown', async ({ page, own, open }) => {
  const streams: Request[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/live')) streams.push(request);
  });
  await open('cache/topic');
  const ended = page.waitForEvent('requestfailed', (request) => request === streams[0]);
  await setVisibility(page, 'hidden');
  await ended;
  await callOps(own, 'PATCH', '/cache/policies/topic', { ttl: 77 });
  expect(streams).toHaveLength(1);
  await setVisibility(page, 'visible');
  await expectLive(page);
  await expect(page.getByLabel('TTL, seconds')).toHaveValue('77');
  expect(streams).toHaveLength(2);
});

test('an open dashboard does not hold up a stop', async ({ page, expectedNoise }) => {
  expectedNoise.push(/ERR_|network error/i);
  const site = await startSiteUnderTest();
  await page.goto(site.ops);
  await expectLive(page);
  await site.close();
  await expect(page.getByText('Connection lost: reconnecting')).toBeVisible();
});
