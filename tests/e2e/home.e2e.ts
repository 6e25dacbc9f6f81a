import { cmsPosts } from '../fixtures/cms-lists.ts';
import { startSiteUnderTest } from '../integration/site-under-test.ts';
import { fakeClock, flushTasks } from './fake-clock.ts';
import { expect, test } from './fixtures.ts';

test.describe('the home page', () => {
  test('hydrates without a second fetch and without a word on the console', async ({ page }) => {
    const calls: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api/')) calls.push(request.url());
    });
    await page.goto('/');
    await expect(page.getByRole('button', { name: 'Latest', exact: true })).toHaveAttribute(
      'aria-expanded',
      'false',
    );
    await page.getByRole('button', { name: 'Latest', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Latest', exact: true })).toHaveAttribute(
      'aria-expanded',
      'true',
    );
    expect(calls).toEqual([]);
  });

  for (const viewport of [
    { width: 1280, height: 900 },
    { width: 390, height: 844 },
  ]) {
    test(`has two headlines and a third of the lead’s picture above the fold, ${viewport.width} pixels wide`, async ({
      page,
    }) => {
      await page.setViewportSize(viewport);
      await page.goto('/');
      const bottoms = await page
        .locator('.top-block-stories h2')
        .evaluateAll((headings) => headings.map((heading) => heading.getBoundingClientRect().bottom));
      expect(bottoms).toHaveLength(3);
      for (const bottom of bottoms.slice(0, 2)) expect(bottom).toBeLessThanOrEqual(viewport.height);
      const { top, height } = await page
        .locator('.post-card-lead img')
        .evaluate((image) => image.getBoundingClientRect());
      expect(top + height / 3).toBeLessThanOrEqual(viewport.height);
    });
  }

  test('names the advertisement at its foot below the banner on a phone, in reserved space', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/');
    const slot = page.locator('.ad-slot[data-slot="Footer-3"]');
    const link = slot.locator('.ad-slot-frame a');
    const shownName = () => link.evaluate((element) => getComputedStyle(element, '::after').content);
    expect(await shownName()).toContain(String(await slot.locator('img').getAttribute('alt')));
    const { height = 0 } = (await slot.locator('.ad-slot-frame').boundingBox()) ?? {};
    expect(height).toBeGreaterThanOrEqual(90);
    await link.evaluate((element) => element.setAttribute('data-name', 'Short'));
    expect((await slot.locator('.ad-slot-frame').boundingBox())?.height).toBe(height);
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(await shownName()).toBe('none');
  });

  test('has a single guest without controls, and a single quick byte where its section begins', async ({
    page,
  }) => {
    const own = await startSiteUnderTest();
    const one = ['homeinterview', 'homequickbyte'];
    await own.faults(
      one.map((list) => ({ path: `/api/post/*${list}`, kind: 'wrong-json', body: cmsPosts(1, list) })),
    );
    await page.goto(own.origin);
    await expect(page.locator('.carousel-slide')).toHaveCount(1);
    await expect(page.locator('.carousel').getByRole('button')).toHaveCount(0);
    const section = page.locator('.home-section', { hasText: 'Quick Bytes' }).last();
    const card = await section.locator('.post-card').boundingBox();
    const heading = await section.getByRole('heading', { name: 'Quick Bytes' }).boundingBox();
    expect(card?.x).toBe(heading?.x);
    // Pictures may still be on their way.
    await page.close();
    await own.close();
  });

  test('changes between Latest and Popular by click and by arrow key', async ({ page }) => {
    await page.goto('/');
    const latest = page.getByRole('tab', { name: 'Latest' });
    const popular = page.getByRole('tab', { name: 'Popular' });
    await expect(latest).toHaveAttribute('aria-selected', 'true');
    await popular.click();
    await expect(page.getByRole('tabpanel', { name: 'Popular' })).toBeVisible();
    await expect(page.getByRole('tabpanel', { name: 'Latest' })).toBeHidden();
    await page.keyboard.press('ArrowLeft');
    await expect(latest).toHaveAttribute('aria-selected', 'true');
    await expect(latest).toBeFocused();
  });

  test('renders the specified ranges of quick bytes and articles', async ({ page, site }) => {
    const bytes: { post_title: string }[] = await (
      await fetch(`${site.demoCms}/api/post/homequickbyte`)
    ).json();
    const articles: { post_title: string }[] = await (
      await fetch(`${site.demoCms}/api/post/homearticle`)
    ).json();
    const titles = (list: { post_title: string }[], ...items: number[]) =>
      items.map((item) => list[item - 1]?.post_title);
    await page.goto('/');
    const [quick, long] = [page.locator('.list-with-cards').nth(0), page.locator('.list-with-cards').nth(1)];
    await expect(quick.locator('.list-with-cards-list h3')).toHaveText(titles(bytes, 2, 3, 4).map(String));
    await expect(quick.locator('.list-with-cards-cards h3')).toHaveText(
      [1, ...bytes.map((_, index) => index + 1).slice(4)].map((item) => String(bytes[item - 1]?.post_title)),
    );
    await expect(long.locator('.list-with-cards-list h3')).toHaveText(titles(articles, 2, 3, 4).map(String));
    await expect(long.locator('.list-with-cards-cards h3')).toHaveText(titles(articles, 2, 3).map(String));
  });

  test('moves the carousel one slide every 3000 ms, from the last to the first, until Pause is pressed', async ({
    page,
  }) => {
    // Records each step with its time, and scrolls without animation.
    await page.addInitScript(() => {
      const steps: { at: number; left: number }[] = [];
      Object.assign(window, { steps });
      Element.prototype.scrollTo = function (this: Element, options?: ScrollToOptions | number) {
        if (typeof options !== 'object' || !this.matches('.carousel-track')) return;
        steps.push({ at: Date.now(), left: options.left ?? 0 });
        this.scrollLeft = options.left ?? 0;
      };
    });
    await fakeClock(page);
    await page.goto('/');
    const steps = () => page.evaluate(() => Reflect.get(window, 'steps') as { at: number; left: number }[]);
    const carousel = page.locator('section[aria-roledescription="carousel"]');
    const slides = carousel.locator('[aria-roledescription="slide"]');
    await expect(slides.first()).toHaveAttribute('aria-label', /^1 of/);
    const unseen = (await slides.count()) - 4;
    await carousel.scrollIntoViewIfNeeded();
    await expect(async () => {
      await page.clock.runFor(100);
      expect(await steps()).toHaveLength(1);
    }).toPass({ intervals: [20] });
    await page.clock.runFor(3000 * (unseen + 1));
    const taken = await steps();
    expect(taken).toHaveLength(unseen + 2);
    const [first, second] = taken;
    for (const [index, { at, left }] of taken.entries()) {
      expect(at - (first?.at ?? 0)).toBe(index * 3000);
      const place = index % (unseen + 1);
      expect(Math.abs(left - (place === unseen ? 0 : (place + 1) * (first?.left ?? 0)))).toBeLessThan(3);
    }
    expect(second?.left).toBeGreaterThan(first?.left ?? 0);
    await carousel.getByRole('button', { name: /Pause/ }).click();
    await expect(carousel.getByRole('button', { name: /Play/ })).toBeVisible();
    await carousel.getByRole('button', { name: /Play/ }).blur();
    await page.mouse.move(0, 0);
    await flushTasks(page);
    const before = (await steps()).length;
    await page.clock.runFor(10_000);
    expect((await steps()).length).toBe(before);
  });

  test('shows side by side as many slides as the width allows, 10 or 20 pixels apart', async ({ page }) => {
    for (const [width, slides, gap] of [
      [639, 1, 10],
      [640, 2, 20],
      [768, 2, 20],
      [1023, 2, 20],
      [1024, 3, 20],
      [1198, 3, 20],
      [1199, 4, 20],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/');
      const row = await page.locator('.carousel-track').boundingBox();
      const slide = await page.locator('.carousel-slide').first().boundingBox();
      expect(Math.round((row?.width ?? 0) / (slide?.width ?? 1)), `${width}px`).toBe(slides);
      await expect(page.locator('.carousel-track')).toHaveCSS('column-gap', `${gap}px`);
    }
  });

  test('shows each advertisement for its seconds, five where none are given, fades for 200 ms, and begins again after the last', async ({
    page,
    site,
  }) => {
    const all: { banner_type: string; banner_img: string; duration_time: number | null }[] = await (
      await fetch(`${site.demoCms}/api/advertisement/get_active`)
    ).json();
    const ads = all.filter(({ banner_type }) => banner_type === 'Home-2');
    expect(ads.map(({ duration_time }) => duration_time)).toContain(null);
    const isPictureOf = (ad: (typeof ads)[number] | undefined) =>
      new RegExp(`${ad?.banner_img}\\?width=400$`);
    await fakeClock(page);
    // The next picture is preloaded.
    const ahead = page.waitForRequest((request) => isPictureOf(ads[1]).test(request.url()));
    await page.goto('/');
    const slot = page.locator('.ad-slot[data-slot="Home-2"]');
    await slot.scrollIntoViewIfNeeded();
    const image = slot.locator('img');
    await ahead;
    for (const [turn, ad] of [...ads, ads[0]].entries()) {
      await expect(image).toHaveAttribute('src', isPictureOf(ad));
      await expect(image).not.toHaveClass(/is-fading/);
      await flushTasks(page);
      if (turn === ads.length) break;
      await page.clock.runFor((ad?.duration_time ?? 5) * 1000 - 1);
      await flushTasks(page);
      await expect(image).not.toHaveClass(/is-fading/);
      await page.clock.runFor(1);
      await expect(image).toHaveClass(/is-fading/);
      await flushTasks(page);
      await page.clock.runFor(199);
      await flushTasks(page);
      await expect(image).toHaveAttribute('src', isPictureOf(ad));
      await page.clock.runFor(1);
    }
  });

  test('keeps an advertisement while its rotation is paused', async ({ page }) => {
    await fakeClock(page);
    await page.goto('/');
    const slot = page.locator('.ad-slot[data-slot="Home-2"]');
    await slot.getByRole('button', { name: /Pause/ }).click();
    const play = slot.getByRole('button', { name: /Play/ });
    await expect(play).toBeVisible();
    await play.blur();
    await page.mouse.move(0, 0);
    await flushTasks(page);
    const first = String(await slot.locator('img').getAttribute('src'));
    await page.clock.runFor(30_000);
    await flushTasks(page);
    await expect(slot.locator('img')).toHaveAttribute('src', first);
    await expect(slot.locator('img')).not.toHaveClass(/is-fading/);
  });

  test('goes to the search page from its search box, and nowhere with an empty term', async ({ page }) => {
    await page.goto('/');
    const box = page.getByRole('searchbox');
    await box.press('Enter');
    await expect(page).toHaveURL('/');
    await box.fill('consent & “trust”/50%');
    await box.press('Enter');
    await expect(page).toHaveURL(`/search/all/${encodeURIComponent('consent & “trust”/50%')}`);
  });

  test('fetches code and data of an article when a link to it is pointed at, and uses them for the click', async ({
    page,
  }) => {
    const calls: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/articles/')) calls.push(request.url());
    });
    await page.goto('/');
    const link = page.locator('.top-block h2 a').first();
    const ahead = page.waitForResponse((response) => response.url().includes('/api/articles/'));
    await link.hover();
    await ahead;
    const title = await link.textContent();
    await link.click();
    await expect(page.locator('h1')).toHaveText(String(title));
    expect(calls).toHaveLength(1);
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('every section is reachable by links, both sidebar lists are there, and the search form works', async ({
    page,
  }) => {
    await page.goto('/');
    for (const [menu, sections] of [
      ['Latest', ['News', 'Quick Bytes']],
      ['Leadership', ['Podcasts', 'Featured Interview', 'Guest Posts']],
      ['Features', ['Articles', 'Learning Center']],
    ] as const) {
      const banner = page.getByRole('banner');
      await banner.getByRole('button', { name: menu }).click();
      for (const section of sections)
        await expect(banner.getByRole('link', { name: `See More of ${section}` })).toBeVisible();
    }
    await expect(page.locator('.tabs-panel')).toHaveCount(2);
    for (const panel of await page.locator('.tabs-panel').all()) await expect(panel).toBeVisible();
  });
});
