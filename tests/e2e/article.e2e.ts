import { expect, test } from './fixtures.ts';
import { scrollTo } from './scroll-to.ts';
import { settled, stillClock } from './still-clock.ts';

interface ListedPost {
  cat_slug: string;
  post_name: string;
  post_title: string;
}

/** The newsroom's posts of a category, by what their details hold. */
async function findPost(
  newsroom: string,
  category: string,
  has: (post: Record<string, unknown>) => boolean,
): Promise<string> {
  const answer = await fetch(`${newsroom}/api/post/topic/${category}?page=1&limit=100`);
  const { posts }: { posts: { postData: ListedPost[] } } = await answer.json();
  for (const { cat_slug, post_name } of posts.postData) {
    const detail: { result: Record<string, unknown>[] } = await (
      await fetch(`${newsroom}/api/post/postdetails/${cat_slug}/${post_name}`)
    ).json();
    if (detail.result[0] && has(detail.result[0])) return `/${cat_slug}/${post_name}`;
  }
  throw new Error(`the newsroom has no such post in ${category}`);
}

const isLong = (post: Record<string, unknown>) =>
  /<h2>.*<h3>/s.test(String(post['post_content'])) && String(post['post_content']).length > 4_000;

test.describe('an article', () => {
  test('has its byline, its lead picture at high priority, and an author box', async ({ page, site }) => {
    const path = await findPost(
      site.newsroom,
      'featured',
      (post) => isLong(post) && Number(post['banner_show']) === 1,
    );
    await page.goto(path);
    await expect(page.locator('.article-byline')).toHaveText(/^By .+ \| [A-Z][a-z]{2} \d{1,2}, \d{4}$/);
    await expect(page.locator('.article-main > .picture')).toHaveAttribute('fetchpriority', 'high');
    await expect(page.locator('.author-box-name')).not.toBeEmpty();
  });

  test('draws no banner when banner_show is not 1', async ({ page, site }) => {
    const path = await findPost(site.newsroom, 'featured', (post) => Number(post['banner_show']) !== 1);
    await page.goto(path);
    await expect(page.locator('.article-main > .picture')).toHaveCount(0);
  });

  test('shows the contents list once its head is out of view; an entry closes it and brings the heading to 125px', async ({
    page,
    site,
  }) => {
    await page.goto(await findPost(site.newsroom, 'featured', isLong));
    const button = page.getByRole('button', { name: 'Table of Contents' });
    await expect(button).toBeHidden();
    await page.mouse.wheel(0, 1_500);
    await expect(button).toBeVisible();
    await expect(page.locator('.contents')).toHaveClass(/is-fixed/);
    await button.click();
    await expect(button).toHaveAttribute('aria-expanded', 'true');
    const entries = page.locator('.contents-entries a');
    await expect(page.locator('.contents-entries [data-level="2"] .contents-number').first()).toHaveText(
      /^1\.\s*$/,
    );
    const entry = entries.nth((await entries.count()) - 2);
    const id = (await entry.getAttribute('href'))?.slice(1) ?? '';
    await entry.click();
    await expect(button).toHaveAttribute('aria-expanded', 'false');
    const heading = page.locator(`[id="${id}"]`);
    await expect(heading).toBeFocused();
    await expect.poll(async () => Math.round((await heading.boundingBox())?.y ?? 0)).toBe(125);
  });

  test('has its contents fixed after 400 pixels, and scrolls smoothly to a heading, offset by 125px after 700 ms', async ({
    page,
    site,
  }) => {
    await page.addInitScript(() => {
      const moves: string[] = [];
      Object.assign(window, { moves });
      Element.prototype.scrollIntoView = (options) =>
        moves.push(`to the heading, ${typeof options === 'object' ? options.behavior : ''}`);
      window.scrollTo = (options?: ScrollToOptions | number) =>
        moves.push(`offset, ${typeof options === 'object' ? options.behavior : ''}`);
    });
    const moves = () => page.evaluate(() => Reflect.get(window, 'moves') as string[]);
    await stillClock(page);
    await page.goto(await findPost(site.newsroom, 'featured', isLong));
    const contents = page.locator('.contents');
    await scrollTo(page, 400);
    await settled(page);
    await expect(contents).not.toHaveClass(/is-fixed/);
    await scrollTo(page, 401);
    await expect(contents).toHaveClass(/is-fixed/);
    await scrollTo(page, 1_500);
    await page.getByRole('button', { name: 'Table of Contents' }).click();
    const before = (await moves()).length;
    await page.locator('.contents-entries a').nth(1).click();
    await page.clock.runFor(699);
    expect((await moves()).slice(before)).toEqual(['to the heading, smooth']);
    await page.clock.runFor(1);
    expect((await moves()).slice(before)).toEqual(['to the heading, smooth', 'offset, smooth']);
  });

  test('indents the H4 entries of its contents', async ({ page, site }) => {
    const hasH4 = (post: Record<string, unknown>) => String(post['post_content']).includes('<h4');
    await page.goto(await findPost(site.newsroom, 'featured', hasH4));
    await scrollTo(page, 2_000);
    await page.getByRole('button', { name: 'Table of Contents' }).click();
    const startOf = async (level: number) =>
      (await page.locator(`.contents-entries [data-level="${level}"] a`).first().boundingBox())?.x ?? 0;
    expect(await startOf(4)).toBeGreaterThan((await startOf(2)) + 10);
    await expect(page.locator('.contents-entries [data-level="4"] .contents-number')).toHaveCount(0);
  });

  test('keeps its contents within 300px, scrolling inside', async ({ page, site }) => {
    await page.goto(await findPost(site.newsroom, 'featured', isLong));
    await page.mouse.wheel(0, 1_500);
    await page.getByRole('button', { name: 'Table of Contents' }).click();
    const entries = page.locator('.contents-entries');
    await expect(entries).toHaveCSS('max-height', '300px');
    await expect(entries).toHaveCSS('overflow-y', 'auto');
    expect((await entries.boundingBox())?.height).toBeLessThanOrEqual(300);
  });

  test('plays a podcast’s video on click, and asks nobody before', async ({ page, site }) => {
    const foreign: string[] = [];
    await page.route(/youtube|vimeo/, (route) => {
      foreign.push(route.request().url());
      return route.fulfill({ contentType: 'text/html', body: '<!DOCTYPE html><title>player</title>' });
    });
    await page.goto(
      await findPost(site.newsroom, 'podcasts', (post) => String(post['podcast_link']).includes('youtube')),
    );
    await expect(page.locator('.article-main > .picture')).toHaveCount(0);
    expect(foreign).toEqual([]);
    await page.getByRole('button', { name: /^Play video/ }).click();
    await expect(page.locator('iframe.video')).toHaveAttribute(
      'src',
      /^https:\/\/www\.youtube-nocookie\.com\/embed\/[\w-]{11}\?autoplay=1$/,
    );
  });

  test('opens share windows of the specified sizes and copies the link', async ({ page, site, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin });
    await page.addInitScript(() => {
      const opened: string[] = [];
      Object.assign(window, { opened });
      window.open = (_url, _name, features) => {
        opened.push(String(features));
        return Object.assign(Object.create(null), { closed: true });
      };
    });
    await page.goto(await findPost(site.newsroom, 'news', () => true));
    await page.getByRole('link', { name: 'Share on Facebook' }).click();
    await page.getByLabel('More ways to share').click();
    await page.getByRole('link', { name: 'Share on Weibo' }).click();
    const opened = await page.evaluate(() => Reflect.get(window, 'opened') as string[]);
    expect(opened[0]).toMatch(/width=550,height=400/);
    expect(opened[1]).toMatch(/width=660,height=550/);
    await expect(page.getByRole('link', { name: 'Share on Weibo' })).toBeFocused();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect(page.getByText('Link copied')).toBeAttached();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      'https://www.example.com/news/',
    );
  });

  test('looks once a second whether a share window is closed, and then gives the focus back', async ({
    page,
    site,
  }) => {
    await page.addInitScript(() => {
      const shareWindow = { closed: false };
      const opened: string[] = [];
      Object.assign(window, { shareWindow, opened });
      window.open = (_url, _name, features) => {
        opened.push(String(features).replace(/,left.*/, ''));
        return Object.setPrototypeOf(shareWindow, null);
      };
    });
    await stillClock(page);
    await page.goto(await findPost(site.newsroom, 'news', () => true));
    await page.getByLabel('More ways to share').click();
    for (const network of ['WhatsApp', 'Workplace', 'Reddit'])
      await page.getByRole('link', { name: `Share on ${network}` }).click();
    expect(await page.evaluate(() => Reflect.get(window, 'opened'))).toEqual(
      Array(3).fill('popup,width=550,height=400'),
    );
    const last = page.getByRole('link', { name: 'Share on Reddit' });
    await last.blur();
    await page.evaluate(() => {
      Reflect.get(window, 'shareWindow').closed = true;
    });
    await page.clock.runFor(999);
    await expect(last).not.toBeFocused();
    await page.clock.runFor(1);
    await expect(last).toBeFocused();
  });

  test('offers the device’s own share sheet where there is one', async ({ page, site }) => {
    await page.addInitScript(() => {
      const shared: ShareData[] = [];
      Object.assign(window, { shared });
      Object.defineProperty(navigator, 'share', { value: async (data: ShareData) => shared.push(data) });
    });
    const path = await findPost(site.newsroom, 'news', () => true);
    await page.goto(path);
    await page.getByRole('button', { name: 'Share…' }).click();
    expect(await page.evaluate(() => Reflect.get(window, 'shared'))).toEqual([
      { url: `https://www.example.com${path}`, title: await page.locator('h1').textContent() },
    ]);
  });

  test('counts a view for a document and for a navigation inside the page, and none for hydration or pointing', async ({
    page,
    site,
  }) => {
    const views = async () =>
      ((await (await fetch(`${site.newsroom}/newsroom/views`)).json()) as { views: { postId: unknown }[] })
        .views.length;
    const before = await views();
    await page.goto(await findPost(site.newsroom, 'news', () => true));
    await expect.poll(views).toBe(before + 1);
    const link = page.locator('.article-side .post-card-title a').first();
    await link.hover();
    const title = await link.textContent();
    await link.click();
    await expect(page.locator('h1')).toHaveText(String(title));
    await expect.poll(views).toBe(before + 2);
  });

  test('moves focus to the new heading and says the new title after a navigation, and restores the scroll on the way back', async ({
    page,
    site,
  }) => {
    await page.goto(await findPost(site.newsroom, 'news', () => true));
    const link = page.locator('.article-more .post-card-title a').nth(2);
    await link.scrollIntoViewIfNeeded();
    const y = await page.evaluate(() => window.scrollY);
    await link.click();
    await expect(page.locator('h1')).toBeFocused();
    await expect(page.locator('p[role="status"][aria-live]')).toHaveText(await page.title());
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.goBack();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(y - 50);
  });

  test('shows the shape of an article while a slow one is on its way', async ({ page }) => {
    await page.goto('/');
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/articles/**', async (route) => {
      await held;
      await route.continue();
    });
    await page.locator('.top-block h2 a').first().click();
    await expect(page.locator('.skeleton-article')).toBeVisible();
    await expect(page.locator('.top-block')).toBeHidden();
    answer();
    await expect(page.locator('.article-head h1')).toBeVisible();
    await expect(page.locator('.skeleton-article')).toHaveCount(0);
  });

  test('loads the page anew when its code is gone after a deploy', async ({ page, expectedNoise }) => {
    expectedNoise.push(/404/, /could not be loaded/);
    await page.goto('/');
    await page.route(/\/assets\/article-page-/, (route) => route.fulfill({ status: 404 }));
    const link = page.locator('.top-block h2 a').first();
    const reload = page.waitForRequest((request) => request.isNavigationRequest());
    await link.click();
    await reload;
    await expect(page.locator('.article-head h1')).toBeVisible();
  });
});

test.describe('an article without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('is complete: text, open contents list, links to share, and the video', async ({ page, site }) => {
    await page.goto(await findPost(site.newsroom, 'featured', isLong));
    await expect(page.locator('.contents-entries a').first()).toBeVisible();
    await expect(page.getByRole('link', { name: 'Share on Facebook' })).toHaveAttribute('href', /sharer/);
    await page.goto(
      await findPost(site.newsroom, 'podcasts', (post) => String(post['podcast_link']).includes('youtube')),
    );
    await expect(page.locator('.video-play')).toHaveAttribute(
      'href',
      /^https:\/\/www\.youtube\.com\/watch\?v=/,
    );
  });
});
