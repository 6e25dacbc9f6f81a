import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react/pure';
import { useFailedImage } from './use-failed-image.ts';

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

function Picture({ src }: { src: string }) {
  const { hasFailed, watch } = useFailedImage(src);
  return hasFailed ? 'Failed' : <img {...watch} alt="" srcSet={`${src} 1000w`} sizes="400px" />;
}

test('a loaded picture of one pixel, whose natural width is 0, has not failed', async () => {
  const { container, rerender } = await render(<Picture src={PIXEL} />);
  const image = container.querySelector('img');
  await image?.decode();
  expect(image).toMatchObject({ complete: true, naturalWidth: 0 });
  await rerender(<Picture src={PIXEL} />);
  await image?.decode();
  expect(container.textContent).toBe('');
});

test('a picture that is broken when the hook first sees it has failed', async () => {
  const { container, rerender } = await render(<Picture src={PIXEL} />);
  const image = container.querySelector('img');
  // An error that no handler sees, as before hydration.
  image?.addEventListener('error', (event) => event.stopImmediatePropagation(), { capture: true });
  image?.setAttribute('srcset', 'data:image/gif;base64,AAAA 1000w');
  await expect.poll(() => image?.complete && image.naturalWidth).toBe(0);
  await rerender(<Picture src={PIXEL} />);
  await expect.poll(() => container.textContent).toBe('Failed');
});
