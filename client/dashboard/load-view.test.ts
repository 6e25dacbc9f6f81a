import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadView } from './load-view.ts';

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});
afterEach(() => void vi.unstubAllGlobals());

const gone = () => Promise.reject(new Error('404'));

it('a view that cannot be loaded loads the document again, once', async () => {
  const reload = vi.fn();
  void loadView(gone, reload);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  await expect(loadView(gone, reload)).rejects.toThrow('404');
  expect(reload).toHaveBeenCalledTimes(1);
});

it('a view that was loaded allows another reload', async () => {
  const reload = vi.fn();
  void loadView(gone, reload);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  expect(await loadView(async () => 'view', reload)).toBe('view');
  void loadView(gone, reload);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(2));
});
