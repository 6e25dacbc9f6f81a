import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react/pure';
import { fakeClock, passTime } from '../../../tests/component/fake-clock.ts';
import { movePointerAway } from '../../../tests/component/move-pointer-away.ts';
import { postSummary } from '../../../tests/fixtures/post-summary.ts';
import { Carousel } from './carousel.tsx';

const area = page.getByRole('region', { name: 'Guests' });
const button = (name: string) => area.getByRole('button', { name });
const track = () => {
  const found = document.querySelector('.carousel-track');
  if (!found) throw new Error('There is no carousel');
  return found;
};

async function renderCarousel(count: number): Promise<void> {
  const posts = Array.from({ length: count }, (_, index) => postSummary({ slug: `post-${index + 1}` }));
  await render(
    <Carousel label="Guests" posts={posts}>
      {({ slug }) => (
        <p style={{ blockSize: 200 }}>
          <a href={`/guest-author/${slug}`}>{slug}</a>
        </p>
      )}
    </Carousel>,
  );
}

describe('the carousel', () => {
  test('has a single slide without controls', async () => {
    await renderCarousel(1);
    await expect.element(area.getByRole('group')).toHaveAttribute('aria-label', '1 of 1: post-1');
    await expect.element(area.getByRole('button')).not.toBeInTheDocument();
  });

  test('moves one slide every 3000 ms, from the last to the first, until Pause is pressed', async () => {
    fakeClock();
    const steps: number[] = [];
    // Without animation.
    vi.spyOn(Element.prototype, 'scrollTo').mockImplementation(function (this: Element, options?: unknown) {
      const left = Number(Object(options).left);
      steps.push(left);
      this.scrollLeft = left;
    });
    await renderCarousel(7);
    await movePointerAway();
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    passTime(2_999);
    expect(steps).toEqual([]);
    passTime(1);
    const [stride = 0] = steps;
    expect(stride).toBeGreaterThan(0);
    passTime(3_000 * 4);
    expect(steps.map((left) => Math.round(left / stride))).toEqual([1, 2, 3, 0, 1]);
    await button('Pause Guests').click();
    button('Play Guests').element().blur();
    await movePointerAway();
    expect(vi.getTimerCount()).toBe(0);
    await button('Play Guests').click();
    button('Pause Guests').element().blur();
    await movePointerAway();
    await expect.poll(() => vi.getTimerCount()).toBe(1);
  });

  test('runs to the left where the language does', async () => {
    const positions: number[] = [];
    vi.spyOn(Element.prototype, 'scrollTo').mockImplementation((options?: unknown) => {
      positions.push(Number(Object(options).left));
    });
    document.documentElement.dir = 'rtl';
    onTestFinished(() => document.documentElement.removeAttribute('dir'));
    await page.viewport(1024, 900);
    await renderCarousel(4);
    const [next, previous] = [button('Next slide'), button('Previous slide')];
    expect(next.element().getBoundingClientRect().x).toBeLessThan(
      previous.element().getBoundingClientRect().x,
    );
    await next.click();
    await next.click();
    await previous.click();
    const end = track().scrollWidth - track().clientWidth;
    expect(positions.map((left) => Math.abs(left))).toEqual([end, 0, end]);
    expect(positions[0]).toBe(-end);
  });

  test.each([
    [639, 1, 10],
    [640, 2, 20],
    [768, 2, 20],
    [1023, 2, 20],
    [1024, 3, 20],
    [1198, 3, 20],
    [1199, 4, 20],
  ])('shows at %i pixels %i slides side by side, %i pixels apart', async (width, slides, gap) => {
    await page.viewport(width, 900);
    await renderCarousel(7);
    const [slide] = track().children;
    expect(Math.round(track().clientWidth / Number(slide?.clientWidth))).toBe(slides);
    expect(getComputedStyle(track()).columnGap).toBe(`${gap}px`);
  });

  test.each([
    [639, 2, true],
    [640, 2, false],
    [1023, 3, true],
    [1024, 3, false],
    [1198, 4, true],
    [1199, 4, false],
    [1199, 5, true],
  ])(
    'has at %i pixels controls for %i slides: %s, only where there are more than fit',
    async (width, count, has) => {
      await page.viewport(width, 900);
      await renderCarousel(count);
      expect(track().scrollWidth > track().clientWidth).toBe(has);
      expect(area.getByRole('button').elements()).toHaveLength(has ? 3 : 0);
    },
  );

  test('does not move while it is walked through, is stepped on, and can be stopped', async () => {
    fakeClock();
    await renderCarousel(7);
    await movePointerAway();
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    await userEvent.tab();
    await expect.element(button('Pause Guests')).toHaveFocus();
    await expect.poll(() => vi.getTimerCount()).toBe(0);
    await userEvent.keyboard(' ');
    await expect.element(button('Play Guests')).toHaveFocus();
    await userEvent.tab();
    await userEvent.tab();
    await expect.element(button('Next slide')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    const [first, second] = [...track().children].map((slide) => slide.getBoundingClientRect().left);
    const stride = Number(second) - Number(first);
    await expect.poll(() => track().scrollLeft).toBeCloseTo(stride, 0);
    await userEvent.tab({ shift: true });
    await expect.element(button('Previous slide')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => track().scrollLeft).toBe(0);
    await userEvent.tab();
    await userEvent.tab();
    const link = area.getByRole('link', { name: 'post-1' });
    await expect.element(link).toHaveFocus();
    await expect.element(link).toBeInViewport();
  });

  test('counts a step while it is moving from where the one before leads', async () => {
    const steps: number[] = [];
    vi.spyOn(Element.prototype, 'scrollTo').mockImplementation((options?: unknown) => {
      steps.push(Number(Object(options).left));
    });
    await renderCarousel(7);
    const next = document.querySelector<HTMLElement>('.carousel-step.is-next');
    next?.click();
    next?.click();
    expect(steps).toEqual([steps[0], 2 * Number(steps[0])]);
    expect(steps[0]).toBeGreaterThan(0);
  });
});
