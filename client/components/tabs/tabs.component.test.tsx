import { beforeEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react/pure';
import { listenDuringTest } from '../../../tests/component/listen-during-test.ts';
import { Tabs } from './tabs.tsx';

const latest = page.getByRole('tab', { name: 'Latest' });
const popular = page.getByRole('tab', { name: 'Popular' });
const panel = (name: string) => page.getByRole('tabpanel', { name });

describe('tabs', () => {
  beforeEach(() =>
    render(
      <>
        <button type="button">Before</button>
        <Tabs
          label="Posts"
          tabs={[
            { label: 'Latest', panel: <a href="/news/one">One</a> },
            { label: 'Popular', panel: <a href="/news/two">Two</a> },
          ]}
        />
      </>,
    ),
  );

  test('change by click and by arrow key', async () => {
    await expect.element(latest).toHaveAttribute('aria-selected', 'true');
    await popular.click();
    await expect.element(panel('Popular')).toBeVisible();
    await expect.element(panel('Latest')).not.toBeInTheDocument();
    await userEvent.keyboard('{ArrowLeft}');
    await expect.element(latest).toHaveAttribute('aria-selected', 'true');
    await expect.element(latest).toHaveFocus();
  });

  test('leave keys with a modifier to the browser, whose Back is Alt and an arrow', async () => {
    await popular.click();
    const prevented = vi.fn<(isPrevented: boolean) => void>();
    listenDuringTest(() => addEventListener('keydown', (event) => prevented(event.defaultPrevented)));
    for (const modifier of ['altKey', 'ctrlKey', 'metaKey'])
      popular.element().dispatchEvent(
        new KeyboardEvent('keydown', {
          key: 'ArrowLeft',
          bubbles: true,
          cancelable: true,
          [modifier]: true,
        }),
      );
    expect(prevented.mock.calls).toEqual([[false], [false], [false]]);
    await expect.element(popular).toHaveFocus();
  });

  test('are one stop, change by arrows, and lead on into their panel', async () => {
    await page.getByRole('button', { name: 'Before' }).click();
    await userEvent.tab();
    await expect.element(latest).toHaveFocus();
    await userEvent.keyboard('{ArrowRight}');
    await expect.element(popular).toHaveFocus();
    await expect.element(panel('Popular')).toBeVisible();
    await userEvent.keyboard('{ArrowRight}');
    await expect.element(latest).toHaveFocus();
    await userEvent.keyboard('{End}');
    await expect.element(popular).toHaveFocus();
    await userEvent.keyboard('{Home}');
    await expect.element(latest).toHaveFocus();
    await userEvent.tab();
    await expect.element(page.getByRole('link', { name: 'One' })).toHaveFocus();
  });
});
