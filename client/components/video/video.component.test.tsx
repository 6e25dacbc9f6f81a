import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react/pure';
import { Video } from './video.tsx';

test('plays a video on click, and asks nobody before', async () => {
  const { container } = await render(
    <Video video={{ provider: 'youtube', id: 'abcdefghijk' }} title="A podcast" poster={null} />,
  );
  expect(container.querySelector('[src]')).toBeNull();
  await page.getByRole('button', { name: 'Play video: A podcast' }).click();
  const player = page.getByTitle('A podcast');
  await expect
    .element(player)
    .toHaveAttribute('src', 'https://www.youtube-nocookie.com/embed/abcdefghijk?autoplay=1');
  await expect.element(player).toHaveFocus();
});

test('plays by the space bar', async () => {
  await render(<Video video={{ provider: 'youtube', id: 'abcdefghijk' }} title="A podcast" poster={null} />);
  page.getByRole('button', { name: 'Play video: A podcast' }).element().focus();
  await userEvent.keyboard(' ');
  await expect.element(page.getByTitle('A podcast')).toHaveFocus();
});
