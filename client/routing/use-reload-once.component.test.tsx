import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react/pure';
import { ChunkError } from './load-chunk.ts';
import { useReloadOnce } from './use-reload-once.ts';

const ERROR = new ChunkError(new TypeError('gone'));

function ErrorText() {
  useReloadOnce(ERROR);
  return <p role="alert">{ERROR.message}</p>;
}

test('a chunk that is gone shows its error where the browser denies storage, and nothing reloads', async () => {
  const storage = vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  await render(<ErrorText />);
  expect(storage).toHaveBeenCalled();
  await expect.element(page.getByRole('alert')).toHaveTextContent(ERROR.message);
});
