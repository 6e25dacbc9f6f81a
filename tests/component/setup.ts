import '#client/styles/site.css';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { page } from 'vitest/browser';
import { cleanup, configure } from 'vitest-browser-react/pure';
import { stubApi } from './stub-api.ts';

configure({ reactStrictMode: true });

/** What the console has said since the last test: a test that expects an error replaces `console.error`. */
const noise: string[] = [];
for (const type of ['error', 'warn'] as const) {
  const write = console[type];
  console[type] = (...values: unknown[]) => {
    noise.push(values.map(String).join(' '));
    write(...values);
  };
}

/** Resolves once no view transition of the test runs: a change of the viewport's size would abort it with an error. */
let transitionEnd: Promise<void> = Promise.resolve();
const startViewTransition = document.startViewTransition.bind(document);
document.startViewTransition = (update) => {
  const transition = startViewTransition(update);
  transitionEnd = transition.finished;
  return transition;
};

beforeEach(async () => {
  await page.viewport(1280, 900);
  stubApi({});
});

afterEach(async () => {
  await transitionEnd;
  await cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '');
  expect(noise.splice(0), 'nothing on the console').toEqual([]);
});
