import { test } from './fixtures.ts';
import { NARROW, WIDE } from './site-page.ts';

const LATEST = 'button[aria-controls="menu-Latest"]';
const FEATURES = 'button[aria-controls="menu-Features"]';
const OPEN = '[aria-expanded="true"]';

test('menus open one at a time, and close by their button, Escape and a click outside', async ({
  sitePage,
}) => {
  await sitePage.open('/about', WIDE);
  await sitePage.click(LATEST);
  await sitePage.untilVisible('#menu-Latest a', /See More of News/);
  await sitePage.click(FEATURES);
  await sitePage.untilVisible('#menu-Features a', /See More of Articles/);
  await sitePage.untilHidden('#menu-Latest a');
  await sitePage.click(FEATURES);
  await sitePage.untilHidden('#menu-Features a');
  await sitePage.click(LATEST);
  await sitePage.press('Escape');
  await sitePage.untilHidden('#menu-Latest a');
  await sitePage.untilFocused(LATEST);
  await sitePage.click(LATEST);
  await sitePage.untilVisible(LATEST + OPEN);
  await sitePage.clickAt(640, 880);
  await sitePage.untilHidden(LATEST + OPEN);
});

test('a menu leads to a topic and closes', async ({ sitePage }) => {
  await sitePage.open('/about', WIDE);
  await sitePage.click(LATEST);
  await sitePage.click('#menu-Latest a', /See More of News/);
  await sitePage.untilAt(/^\/topic\/news$/);
  await sitePage.untilHidden('#menu-Latest a');
});

test('on a phone the menus are behind a Menu button, and lead to a topic', async ({ sitePage }) => {
  await sitePage.open('/about', NARROW);
  await sitePage.untilHidden(LATEST);
  await sitePage.click('button', /Menu/);
  await sitePage.click(LATEST);
  await sitePage.click('#menu-Latest a', /See More of News/);
  await sitePage.untilAt(/^\/topic\/news$/);
  await sitePage.untilHidden(LATEST);
});

test('Escape in the search box clears its field, and closes it once that is empty', async ({ sitePage }) => {
  const field = '#search:popover-open input';
  await sitePage.open('/about', NARROW);
  await sitePage.click('.header-search-button');
  await sitePage.fill(field, 'consent');
  await sitePage.press('Escape');
  await sitePage.until(
    'the field is empty',
    () => !document.querySelector<HTMLInputElement>('#search input')?.value,
  );
  await sitePage.press('Escape');
  await sitePage.untilHidden(field);
  await sitePage.untilFocused('.header-search-button');
});
