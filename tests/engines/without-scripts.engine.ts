import { expect, test } from './fixtures.ts';
import { NARROW, WIDE } from './site-page.ts';

test.use({ hasScripts: false });

test('the menus open by their buttons and lead on', async ({ sitePage }) => {
  for (const size of [WIDE, NARROW]) {
    await sitePage.open('/about', size);
    if (size === NARROW) await sitePage.click('header button', /^Menu$/);
    await sitePage.click('[aria-controls="menu-Latest"]');
    await sitePage.untilVisible('header a', /Quick Bytes$/);
  }
  await sitePage.click('header a', /of News$/);
  await sitePage.untilAt(/^\/topic\/news$/);
});

test('a form comes back with what was wrong, and then with thanks', async ({ sitePage }) => {
  await sitePage.open('/contact-us', NARROW);
  const fields = { firstName: 'Ada', lastName: 'Quill', email: `${process.pid}@example.com`, phone: '12' };
  for (const [name, text] of Object.entries(fields)) await sitePage.fill(`main [name="${name}"]`, text);
  await sitePage.click('main [name="optIn"]');
  await sitePage.click('main button', /Submit/);
  await sitePage.untilVisible('main form *', /^Please provide a valid phone number\.$/);
  expect(
    await sitePage.evaluate(
      () => document.querySelector<HTMLInputElement>('[name="firstName"]')?.value ?? '',
    ),
  ).toBe('Ada');
  await sitePage.fill('main [name="phone"]', '3456789');
  await sitePage.click('main button', /Submit/);
  await sitePage.untilAt(/^\/contact-us\?sent=1$/);
  await sitePage.untilVisible('main *', /^Thank you for your message\. It has been sent\.$/);
});

test('both lists of a sidebar are in sight, and More opens the other filters', async ({ sitePage }) => {
  await sitePage.open('/', NARROW);
  await sitePage.until(
    'both panels are visible',
    () =>
      [...document.querySelectorAll('.tabs-panel')].filter((panel) => panel.checkVisibility()).length === 2,
  );
  await sitePage.open('/topic/news', NARROW);
  await sitePage.click('main button', /^More$/);
  await sitePage.until(
    'ten filters are visible',
    () =>
      [...document.querySelectorAll('nav[aria-label="Sub-categories"] a')].filter((link) =>
        link.checkVisibility(),
      ).length === 10,
  );
});
