import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react/pure';
import { ChunkError, useReloadOnce } from './load-chunk.ts';

const ERROR = new ChunkError(new TypeError('gone'));

function ErrorText() {
  useReloadOnce(ERROR);
  return <p role="alert">{ERROR.message}</p>;
}

test('a chunk that is gone shows its error where the browser denies storage, and nothing reloads', async () => {
  vi.stubGlobal('fetch', async () => new Response());
  const storage = vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  await render(<ErrorText />);
  await expect.poll(() => storage.mock.calls).not.toEqual([]);
  await expect.element(page.getByRole('alert')).toHaveTextContent(ERROR.message);
});

test('nothing reloads while the site cannot be reached', async () => {
  const storage = vi.spyOn(window, 'sessionStorage', 'get');
  const { promise: asked, resolve: ask } = Promise.withResolvers<string>();
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    ask(String(init.method));
    throw new TypeError('Failed to fetch');
  });
  await render(<ErrorText />);
  expect(await asked).toBe('HEAD');
  await expect.element(page.getByRole('alert')).toHaveTextContent(ERROR.message);
  expect(storage).not.toHaveBeenCalled();
});
