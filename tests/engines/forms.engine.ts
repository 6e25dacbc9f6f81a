import { inTurn } from '../matrix.ts';
import { test } from './fixtures.ts';
import { NARROW, type SitePage, WIDE } from './site-page.ts';

let count = 0;
/** Returns an e-mail address that no other test has used. */
const address = () => `engines-${process.pid}-${++count}@example.com`;

const CONTACT = { firstName: 'Ada', lastName: 'Quill', phone: '+1 202-555-0142', message: 'A line.' };

async function fillContactForm(sitePage: SitePage): Promise<void> {
  for (const [name, text] of Object.entries({ ...CONTACT, email: address() }))
    await sitePage.fill(`main [name="${name}"]`, text);
  await sitePage.click('main [name="optIn"]');
}

test('the contact form shows its messages and focuses the first wrong field', async ({ sitePage }) => {
  await sitePage.open('/contact-us', NARROW);
  await sitePage.click('main button', /Submit/);
  await sitePage.untilFocused('[name="firstName"]');
  for (const message of [
    'Please provide a valid first name.',
    'Please provide a valid last name.',
    'Please provide a valid email.',
    'Please provide a valid phone number.',
    'Acknowledgment is required !',
  ])
    await sitePage.untilVisible('main form *', new RegExp(`^${message}$`));
  await sitePage.fill('[name="firstName"]', 'Ada');
  await sitePage.untilHidden('main form *', /^Please provide a valid first name\.$/);
});

test('the contact form is sent, is empty then, and says thanks', async ({ sitePage }) => {
  await sitePage.open('/contact-us', WIDE);
  await fillContactForm(sitePage);
  await sitePage.click('main button', /Submit/);
  await sitePage.untilVisible('main *', /^Thank you for your message\. It has been sent\.$/);
  await sitePage.until('the form is empty', () => {
    const fields = document.querySelectorAll<HTMLInputElement>(
      'main input:not([type="checkbox"]), main textarea',
    );
    return [...fields].every(({ value }) => value === '');
  });
});

for (const size of inTurn([NARROW, WIDE], 0)) {
  test(`the newsletter dialog opens, checks, subscribes and closes, ${size.width} pixels wide`, async ({
    sitePage,
  }) => {
    await sitePage.open('/about', size);
    await sitePage.click('footer a', /^Subscribe$/);
    await sitePage.untilFocused('dialog[open] input');
    await sitePage.press('Escape');
    await sitePage.untilHidden('dialog');
    await sitePage.click('footer a', /^Subscribe$/);
    await sitePage.fill('dialog input', 'nobody');
    await sitePage.click('dialog button', /Submit/);
    await sitePage.untilVisible('dialog *', /^Please enter a valid email address\.$/);
    await sitePage.evaluate(() => {
      document.querySelector<HTMLInputElement>('dialog input')?.select();
      return null;
    });
    await sitePage.fill('dialog input', `${address()} `.trim());
    await sitePage.click('dialog button', /Submit/);
    await sitePage.untilVisible('dialog *', /^Thank you/i);
    await sitePage.click('dialog button', /Close/);
    await sitePage.untilHidden('dialog');
    await sitePage.untilFocused('footer a');
  });
}
