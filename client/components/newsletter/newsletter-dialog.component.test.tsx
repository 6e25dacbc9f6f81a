import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { defaultSite } from '#shared/site.ts';
import { de } from '#shared/texts/de.ts';
import * as en from '#shared/texts/en.ts';
import { fakeClock, passTime } from '../../../tests/component/fake-clock.ts';
import { renderPage } from '../../../tests/component/render-page.tsx';
import { NAVIGATION, stubApi } from '../../../tests/component/stub-api.ts';

const dialog = page.getByRole('dialog');
const email = dialog.getByRole('textbox');
const submit = dialog.getByRole('button', { name: 'Submit' });
const status = dialog.getByRole('status');
const opener = page.getByRole('contentinfo').getByRole('link', { name: 'Subscribe' });

async function open(): Promise<void> {
  await opener.click();
  await expect.element(dialog).toBeVisible();
}

describe('the newsletter popup', () => {
  let requests: string[];
  let httpStatus: number;
  beforeEach(() => {
    httpStatus = 201;
    requests = stubApi({
      ...NAVIGATION,
      'POST /api/subscriptions': () => Response.json({}, { status: httpStatus }),
    });
  });

  test('opens from the footer with the focus in its one field, and closes by button, Escape and a press beside it', async () => {
    const router = await renderPage('/about');
    await open();
    expect(router.state.location.pathname).toBe('/about');
    await expect.element(email).toHaveFocus();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(opener).toHaveFocus();
    await open();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await open();
    await userEvent.click(document.documentElement, { position: { x: 5, y: 5 } });
    await expect.element(dialog).not.toBeInTheDocument();
    await page.getByRole('banner').getByRole('link', { name: 'Subscribe' }).click();
    await expect.element(dialog).toBeVisible();
  });

  test('has room for the message below its field in each language', async () => {
    const message = de.invalidNewsletterEmail;
    vi.spyOn(defaultSite, 'texts', 'get').mockReturnValue({ [en.invalidNewsletterEmail]: message });
    await page.viewport(390, 844);
    await renderPage('/about');
    await open();
    const top = () => submit.element().getBoundingClientRect().top;
    const before = top();
    await userEvent.tab();
    await expect.element(email).toHaveAccessibleDescription(expect.stringContaining(message));
    expect(top()).toBe(before);
  });

  test('checks the address on change, on blur and on submit, and sends nothing that is wrong', async () => {
    await renderPage('/about');
    await open();
    const message = 'Please enter a valid email address.';
    await submit.click();
    await expect.element(email).toHaveAccessibleDescription(expect.stringContaining(message));
    await email.fill('ada@example.com');
    await expect.element(email).toHaveAttribute('aria-invalid', 'false');
    await email.fill('ada@example');
    await expect.element(email).toHaveAttribute('aria-invalid', 'true');
    await userEvent.keyboard('{Escape}');
    await open();
    await expect.element(dialog.getByText(message)).not.toBeInTheDocument();
    await userEvent.tab();
    await expect.element(email).toHaveAccessibleDescription(expect.stringContaining(message));
    expect(requests).toEqual(['GET /api/navigation']);
  });

  test('says thanks for five seconds, then its consent text again; knows an address that is subscribed', async () => {
    fakeClock();
    const consent = 'By clicking on the Submit button, you are agreeing with the Privacy Policy';
    await renderPage('/about');
    await open();
    await expect.element(status).toHaveTextContent(consent);
    await email.fill('ada@example.com');
    await submit.click();
    await expect.element(status).toHaveTextContent('Thank you for subscribing ✅');
    await expect.element(email).toHaveValue('');
    passTime(4_999);
    await expect.element(status).toHaveTextContent('Thank you for subscribing ✅');
    passTime(1);
    await expect.element(status).toHaveTextContent(consent);
    httpStatus = 409;
    await email.fill('ada@example.com');
    await submit.click();
    await expect.element(status).toHaveTextContent('This email is already subscribed ❌');
  });

  test('forgets the address that is sent where it is closed meanwhile', async () => {
    const { promise: response, resolve: respond } = Promise.withResolvers<Response>();
    stubApi({ ...NAVIGATION, 'POST /api/subscriptions': () => response });
    await renderPage('/about');
    await open();
    await email.fill('ada@example.com');
    await submit.click();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    respond(Response.json({}, { status: 201 }));
    await expect.poll(() => sessionStorage.length).toBe(0);
    await open();
    await expect.element(email).toHaveValue('');
  });

  test('says nothing of another failure but to the console', async () => {
    stubApi({ ...NAVIGATION, 'POST /api/subscriptions': () => Response.json({}, { status: 502 }) });
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    await renderPage('/about');
    await open();
    await email.fill('ada@example.com');
    await submit.click();
    await expect.poll(() => logged.mock.calls).toEqual([['Failed to submit data to the API.']]);
    await expect.element(status).toMatchTextContent(/^By clicking on the Submit button/);
  });

  test('blocks cut, copy and paste in its field', async () => {
    await navigator.clipboard.writeText('kept');
    await renderPage('/about');
    await open();
    await userEvent.keyboard('{ControlOrMeta>}v{/ControlOrMeta}');
    await expect.element(email).toHaveValue('');
    await email.fill('ada@example.com');
    for (const key of ['c', 'x']) {
      await userEvent.keyboard(`{ControlOrMeta>}a${key}{/ControlOrMeta}`);
    }
    await expect.element(email).toHaveValue('ada@example.com');
    expect(await navigator.clipboard.readText()).toBe('kept');
  });

  test.for(
    [320, 344, 360, 390, 1280].flatMap((width) =>
      ['100%', '150%', '200%'].map((fontSize) => ({ width, fontSize })),
    ),
  )(
    'moves nothing under the pointer by its message, at $width pixels with letters of $fontSize',
    async ({ width, fontSize }) => {
      await page.viewport(width, 1_400);
      document.documentElement.style.fontSize = fontSize;
      onTestFinished(() => void document.documentElement.style.removeProperty('font-size'));
      await renderPage('/about');
      await open();
      const place = () =>
        dialog.getByRole('link', { name: 'Privacy Policy' }).element().getBoundingClientRect().toJSON();
      const message = dialog.getByText('Please enter a valid email address.');
      await email.fill('ada@example.com');
      await expect.element(message).not.toBeInTheDocument();
      const before = place();
      await email.fill('');
      await expect.element(message).toBeVisible();
      expect(place()).toEqual(before);
    },
  );

  test('fits a phone, and closes when its link opens another page', async () => {
    const policy = {
      name: 'privacy-policy',
      title: 'Privacy Policy',
      description: '',
      deck: null,
      contents: null,
      bodyHtml: '<p>Short.</p>',
    };
    stubApi({ ...NAVIGATION, 'GET /api/pages/privacy-policy': () => Response.json(policy) });
    await page.viewport(360, 740);
    await renderPage('/about');
    await open();
    expect(dialog.element().getBoundingClientRect().width).toBeLessThanOrEqual(360);
    await dialog.getByRole('link', { name: 'Privacy Policy' }).click();
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Privacy Policy');
    await expect.element(dialog).not.toBeInTheDocument();
  });
});
