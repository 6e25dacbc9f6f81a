import { describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react/pure';
import { fakeClock, passTime } from '../../../tests/component/fake-clock.ts';
import { movePointerAway } from '../../../tests/component/move-pointer-away.ts';
import { advertisement } from '../../../tests/component/page-data.ts';
import { AdSlot } from './ad-slot.tsx';

const ADS = [
  { name: 'One', image: '/client/public/icon-192.png', seconds: 7 },
  { name: 'Two', image: '/client/public/icon-512.png', seconds: 5 },
  { name: 'Three', image: '/client/public/apple-touch-icon.png', seconds: 2 },
].map((ad) => advertisement({ slot: 'Home-2', ...ad }));

const slot = page.getByRole('group', { name: 'Advertisement' });
const image = slot.getByRole('img');
const button = (name: string) => slot.getByRole('button', { name: `${name} advertisements` });

/** Renders a slot whose rotation has begun. */
async function renderRotation() {
  fakeClock();
  await movePointerAway();
  const rendered = await render(<AdSlot slot="Home-2" ads={ADS} />);
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  return rendered;
}

describe('an advertisement slot', () => {
  test('without an address is no link', async () => {
    const ads = [advertisement({ slot: 'Footer-3', href: null })];
    const { container } = await render(<AdSlot slot="Footer-3" ads={ads} />);
    const { href, rel } = container.querySelector('a') ?? {};
    expect({ href, rel }).toEqual({ href: '', rel: '' });
  });

  test('shows each advertisement for its seconds, fades for 200 ms, and begins again after the last', async () => {
    // The browser keeps the first 250 only.
    performance.clearResourceTimings();
    await renderRotation();
    const isLoaded = () =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/icon-512.png'));
    // The next picture is preloaded.
    await expect.poll(isLoaded).toBe(true);
    for (const { image: path, seconds } of [...ADS, ...ADS]) {
      const source = `${path}?width=400`;
      await expect.element(image).toHaveAttribute('src', source);
      await expect.element(image).not.toHaveClass('is-fading');
      passTime(seconds * 1_000 - 1);
      await expect.element(image).not.toHaveClass('is-fading');
      passTime(1);
      await expect.element(image).toHaveClass('is-fading');
      passTime(199);
      await expect.element(image).toHaveAttribute('src', source);
      passTime(1);
    }
  });

  test('rotates also where the page before had no advertisement', async () => {
    fakeClock();
    await movePointerAway();
    const { rerender } = await render(<AdSlot slot="Home-2" ads={[]} />);
    await rerender(<AdSlot slot="Home-2" ads={ADS} />);
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    await rerender(<AdSlot slot="Home-2" ads={[]} />);
    await rerender(<AdSlot slot="Home-2" ads={ADS} />);
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    await slot.hover();
    await expect.poll(() => vi.getTimerCount()).toBe(0);
  });

  test('has advertisements again after a page without any, which came while one faded', async () => {
    const { rerender } = await renderRotation();
    passTime(7_000);
    await expect.element(image).toHaveClass('is-fading');
    await rerender(<AdSlot slot="Home-2" ads={[]} />);
    passTime(200);
    await rerender(<AdSlot slot="Home-2" ads={ADS} />);
    await expect.element(image).toHaveAttribute('src', `${ADS[1]?.image}?width=400`);
  });

  test('keeps an advertisement while its rotation is paused', async () => {
    await renderRotation();
    await button('Pause').click();
    button('Play').element().blur();
    await movePointerAway();
    passTime(30_000);
    await expect.element(image).toHaveAttribute('src', `${ADS[0]?.image}?width=400`);
    await expect.element(image).not.toHaveClass('is-fading');
    await button('Play').click();
    button('Pause').element().blur();
    await movePointerAway();
    await expect.poll(() => vi.getTimerCount()).toBe(1);
  });

  test('keeps an advertisement while it is hovered or has the focus', async () => {
    await renderRotation();
    await slot.hover();
    await expect.poll(() => vi.getTimerCount()).toBe(0);
    await movePointerAway();
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    await userEvent.tab();
    await expect.poll(() => vi.getTimerCount()).toBe(0);
  });

  test('can be stopped without a mouse', async () => {
    await renderRotation();
    await userEvent.tab();
    await expect.element(button('Pause')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Play')).toHaveFocus();
  });

  test('shows the placeholder under its name where a picture fails, and the next one where that loads', async () => {
    const failing = advertisement({ slot: 'Home-2', image: '/media/none.jpg', name: 'Failed', seconds: 7 });
    fakeClock();
    await movePointerAway();
    await render(<AdSlot slot="Home-2" ads={[failing, ...ADS]} />);
    const placeholder = slot.getByRole('img', { name: 'Failed' });
    await expect.element(placeholder).toHaveClass('is-empty');
    const frame = placeholder.element().closest('.ad-slot-frame');
    expect(placeholder.element().getBoundingClientRect()).toEqual(frame?.getBoundingClientRect());
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    passTime(7_000);
    await expect.element(placeholder).toHaveClass('is-fading');
    passTime(200);
    await expect.element(image).toHaveAttribute('src', `${ADS[0]?.image}?width=400`);
  });

  test('names the advertisement at its foot below the banner on a phone, in reserved space', async () => {
    await page.viewport(390, 844);
    const banner = (name: string) => (
      <AdSlot slot="Footer-3" ads={[advertisement({ slot: 'Footer-3', name })]} />
    );
    const { container, rerender } = await render(
      banner('A name that is long enough for a second line of it'),
    );
    const nameOf = () => {
      const link = container.querySelector('.ad-slot-frame a');
      return link && getComputedStyle(link, '::after').content;
    };
    const height = () => container.querySelector('.ad-slot-frame')?.clientHeight;
    expect(nameOf()).toContain('A name that is long enough');
    const reserved = height();
    expect(reserved).toBeGreaterThanOrEqual(90);
    await rerender(banner('Short'));
    expect(nameOf()).toContain('Short');
    expect(height()).toBe(reserved);
    await page.viewport(1280, 900);
    expect(nameOf()).toBe('none');
  });
});
