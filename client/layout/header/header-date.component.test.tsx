import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react/pure';
import { Today } from './header.tsx';

test('names the day where the reader is, not that of UTC', async () => {
  // Half past nine in the evening in New York.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-02T02:30:00Z') });
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(5 * 60);
  await render(<Today />);
  expect(document.querySelector('.header-date')?.textContent).toBe('Thursday, January 1, 2026');
});
