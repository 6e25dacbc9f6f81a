import { expect, test } from './fixtures.ts';
import { WIDE } from './site-page.ts';

// With it first, and in the first file: Firefox is started for it, and once more after it.
for (const hasBackForwardCache of [true, false])
  test.describe(`Firefox ${hasBackForwardCache ? 'with its back-forward cache, and the other engines' : 'without its back-forward cache'}`, () => {
    test.use({ hasBackForwardCache });

    test('a document that was left or is loaded again is where the reader was', async ({ sitePage }) => {
      await sitePage.open('/topic/news', WIDE);
      await sitePage.scrollTo(900);
      await sitePage.untilAtRest();
      await sitePage.leave(() => {
        document.documentElement.dataset['kept'] = '';
        location.reload();
      });
      await sitePage.until(
        'the document is hydrated again',
        () => !('kept' in document.documentElement.dataset) && 'hydrated' in document.documentElement.dataset,
      );
      await sitePage.untilAtRest();
      expect(await sitePage.evaluate(() => scrollY)).toBe(900);
      await sitePage.evaluate(() => {
        // Not a link to a page, which would be prefetched: WebKit reports a request that is under way when its document is left.
        document.querySelector<HTMLAnchorElement>('.skip-link')?.focus({ preventScroll: true });
        document.documentElement.dataset['kept'] = '';
        return null;
      });
      await sitePage.leave(() => {
        location.href = '/opt-out-form';
      });
      await sitePage.until(
        'the other document is hydrated',
        () => location.pathname === '/opt-out-form' && 'hydrated' in document.documentElement.dataset,
      );
      await sitePage.untilAtRest();
      expect(await sitePage.evaluate(() => scrollY)).toBe(0);
      await sitePage.goBack();
      await sitePage.until(
        'the first document is hydrated again',
        () => location.pathname === '/topic/news' && 'hydrated' in document.documentElement.dataset,
      );
      await sitePage.untilAtRest();
      expect(await sitePage.evaluate(() => scrollY)).toBe(900);
      // A document that is loaded again has no focus, in any engine.
      const { isKept, focused } = await sitePage.evaluate(() => ({
        isKept: 'kept' in document.documentElement.dataset,
        focused: !!document.activeElement?.matches('.skip-link'),
      }));
      if (isKept) expect(focused).toBe(true);
    });
  });

test('Back leads from a document that was loaded to the places of the one before it', async ({
  sitePage,
}) => {
  await sitePage.open('/topic/news', WIDE);
  await sitePage.scrollTo(900);
  await sitePage.untilAtRest();
  await sitePage.evaluate(() => {
    document.querySelector<HTMLAnchorElement>('footer a[href="/about"]')?.click();
    return null;
  });
  await sitePage.untilAt(/^\/about$/);
  await sitePage.untilFocused('h1');
  await sitePage.leave(() => {
    location.href = '/privacy-policy';
  });
  const untilLoaded = (path: string) =>
    sitePage.until(
      `${path} is hydrated`,
      (at) => location.pathname === at && 'hydrated' in document.documentElement.dataset,
      path,
    );
  await untilLoaded('/privacy-policy');
  await sitePage.scrollTo(300);
  await sitePage.goBack();
  await untilLoaded('/about');
  await sitePage.goBack();
  await sitePage.untilAt(/^\/topic\/news$/);
  await sitePage.untilAtRest();
  expect(await sitePage.evaluate(() => scrollY)).toBe(900);
});
