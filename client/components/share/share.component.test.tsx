import { describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react/pure';
import { createHttpSiteApi } from '#client/api/http-site-api.ts';
import { SiteProvider } from '#client/layout/site-context.tsx';
import { defaultSite } from '#shared/site.ts';
import { fakeClock, passTime } from '../../../tests/component/fake-clock.ts';
import { Share, ShareRow } from './share.tsx';

const link = (network: string) => page.getByRole('link', { name: `Share on ${network}` });

async function renderShare(event = false): Promise<void> {
  await render(
    <SiteProvider
      value={{ origin: 'https://www.example.com', api: createHttpSiteApi(), settings: defaultSite }}
    >
      <Share path="/news/a-story" title="A story" event={event} />
      <ShareRow path="/news/a-story" title="A story" event={event} />
    </SiteProvider>,
  );
}

interface StubbedWindow {
  closed: boolean;
  opener: unknown;
  location: { replace: (url: string) => void };
}

/** Replaces `window.open`. Returns the sizes and names of the windows so far, and the window, which is closed by hand. */
function stubShareWindow(): { sizes: string[]; names: string[]; shareWindow: StubbedWindow } {
  const sizes: string[] = [];
  const names: string[] = [];
  const shareWindow: StubbedWindow = { closed: false, opener: window, location: { replace: vi.fn() } };
  vi.stubGlobal('open', (_url: string, name: string, features: string) => {
    names.push(name);
    sizes.push(features.replace(/,left.*/, ''));
    return shareWindow;
  });
  return { sizes, names, shareWindow };
}

describe('the share buttons', () => {
  test('open a window that has no hold of the page', async () => {
    const { shareWindow } = stubShareWindow();
    await renderShare();
    shareWindow.location.replace = (url) => {
      expect(shareWindow.opener).toBeNull();
      expect(url).toMatch(/^https:\/\/www\.facebook\.com\//);
      shareWindow.closed = true;
    };
    await page.getByRole('link', { name: 'Share on Facebook' }).click();
    expect(shareWindow.closed).toBe(true);
  });

  test('open share windows of the specified sizes', async () => {
    const { sizes, shareWindow } = stubShareWindow();
    shareWindow.closed = true;
    await renderShare();
    await link('Facebook').click();
    await link('Weibo').click();
    for (const network of ['WhatsApp', 'Workplace', 'Reddit']) await link(network).click();
    expect(sizes).toEqual([
      'popup,width=550,height=400',
      'popup,width=660,height=550',
      ...Array(3).fill('popup,width=550,height=400'),
    ]);
  });

  // A page may not lead a window of another site elsewhere: the link would be followed in a whole new tab instead.
  test('open a window for each network, also while another is open', async () => {
    const { names } = stubShareWindow();
    await renderShare();
    for (const network of ['Facebook', 'X']) await link(network).click();
    expect(names).toEqual(['_blank', '_blank']);
  });

  test('open a window of 600 by 400 for Instagram, for events alone', async () => {
    const { sizes, shareWindow } = stubShareWindow();
    shareWindow.closed = true;
    await renderShare(true);
    await link('Instagram').click();
    expect(sizes).toEqual(['popup,width=600,height=400']);
    await renderShare();
    await expect.element(link('Instagram')).toBeVisible();
    expect(link('Instagram').elements()).toHaveLength(1);
  });

  test('are in a popover too, which Escape closes', async () => {
    await renderShare();
    const share = page.getByRole('button', { name: 'Share', exact: true });
    expect(link('Reddit').elements()).toHaveLength(1);
    await share.click();
    await expect.poll(() => link('Reddit').elements()).toHaveLength(2);
    link('Reddit').first().element().focus();
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => link('Reddit').elements()).toHaveLength(1);
    await expect.element(share).toHaveFocus();
  });

  test('copy the link', async () => {
    // The clipboard itself is shared with the test files that run at the same time.
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await renderShare();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect.element(page.getByText('Link copied')).toBeInTheDocument();
    expect(copied).toHaveBeenCalledExactlyOnceWith('https://www.example.com/news/a-story');
  });

  test('show the link where it cannot be copied', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('refused'));
    const shown = vi.spyOn(window, 'prompt').mockReturnValue(null);
    await renderShare();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect
      .poll(() => shown.mock.calls)
      .toEqual([['Copy link', 'https://www.example.com/news/a-story']]);
  });

  test('look once a second whether a share window is closed, and then give the focus back', async () => {
    fakeClock();
    const { shareWindow } = stubShareWindow();
    await renderShare();
    await link('Facebook').click();
    link('Facebook').element().blur();
    shareWindow.closed = true;
    passTime(999);
    await expect.element(link('Facebook')).not.toHaveFocus();
    passTime(1);
    await expect.element(link('Facebook')).toHaveFocus();
  });

  test('offer the device’s own share sheet where there is one', async () => {
    const shared: unknown[] = [];
    const share = async (data: ShareData) => void shared.push(data);
    Object.defineProperty(navigator, 'share', { value: share, configurable: true });
    await renderShare();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('button', { name: 'Share…' }).click();
    Reflect.deleteProperty(navigator, 'share');
    expect(shared).toEqual([{ url: 'https://www.example.com/news/a-story', title: 'A story' }]);
  });
});
