import { describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { fakeClock, passTime } from '../../../tests/component/fake-clock.ts';
import { renderPage } from '../../../tests/component/render-page.tsx';
import { NAVIGATION, stubApi } from '../../../tests/component/stub-api.ts';
import { inTurn } from '../../../tests/matrix.ts';

const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const checkbox = page.getByRole('checkbox');
const submit = page.getByRole('button', { name: 'Submit' });

async function fill(): Promise<void> {
  await field('First name').fill('Ada');
  await field('Last name').fill('Quill');
  await field('Email').fill('ada@example.com');
  await field('Phone').fill('+1 202-555-0142');
  await field('Message').fill('A line.\nAnother.');
  await checkbox.click();
}

/** Two pages with one component. */
const FORMS = [
  { path: '/contact-us', api: 'POST /api/contact-messages' },
  { path: '/opt-out-form', api: 'POST /api/opt-outs' },
];

describe.each(FORMS)('the form of $path', ({ path, api }) => {
  test('shows each message at its field, moves focus to the first, sends nothing, and takes a message back when the field is right', async () => {
    const requests = stubApi(NAVIGATION);
    await renderPage(path);
    await submit.click();
    const first = field('First name');
    await expect.element(first).toHaveFocus();
    for (const [label, message] of [
      ['First name', 'Please provide a valid first name.'],
      ['Last name', 'Please provide a valid last name.'],
      ['Email', 'Please provide a valid email.'],
      ['Phone', 'Please provide a valid phone number.'],
    ] as const) {
      await expect.element(field(label)).toHaveAttribute('aria-invalid', 'true');
      await expect.element(field(label)).toHaveAccessibleDescription(expect.stringContaining(message));
    }
    await expect
      .element(checkbox)
      .toHaveAccessibleDescription(expect.stringContaining('Acknowledgment is required !'));
    await expect.element(field('Message')).toHaveAttribute('aria-invalid', 'false');
    await first.fill('Ada');
    await expect.element(first).toHaveAttribute('aria-invalid', 'false');
    await expect.element(first).toHaveFocus();
    // Beside the one that is still wrong, with a message below it.
    const [one, other] = [first, field('Last name')].map((each) => each.element().getBoundingClientRect());
    expect([one?.top, one?.height]).toEqual([other?.top, other?.height]);
    expect(requests).toEqual(['GET /api/navigation']);
  });

  test('reads Submitting... while it waits, then is empty and says so for eight seconds', async () => {
    fakeClock();
    const { promise: response, resolve: respond } = Promise.withResolvers<Response>();
    const requests = stubApi({ ...NAVIGATION, [api]: () => response });
    await renderPage(path);
    await fill();
    await submit.click();
    await expect.element(page.getByRole('button', { name: 'Submitting...' })).toBeDisabled();
    respond(Response.json({}, { status: 201 }));
    const thanks = page.getByText('Thank you for your message. It has been sent.');
    await expect.element(thanks).toBeVisible();
    expect(requests.at(-1)).toBe(api);
    for (const label of ['First name', 'Last name', 'Email', 'Phone', 'Message'])
      await expect.element(field(label)).toHaveValue('');
    await expect.element(checkbox).not.toBeChecked();
    passTime(7_999);
    await expect.element(thanks).toBeVisible();
    passTime(1);
    await expect.element(thanks).not.toBeInTheDocument();
  });

  test('shows what the server alone objects to', async () => {
    const errors = { phone: 'Please provide a valid phone number.' };
    stubApi({ ...NAVIGATION, [api]: () => Response.json({ errors }, { status: 400 }) });
    await renderPage(path);
    await fill();
    await submit.click();
    await expect.element(field('Phone')).toHaveAccessibleDescription(expect.stringContaining(errors.phone));
    await expect.element(field('Phone')).toHaveFocus();
  });
});

describe.each(inTurn(FORMS, 0))('what the component of $path does for each form', ({ path, api }) => {
  test('gives the focus back to the button once a submission has ended', async () => {
    const { promise: response, resolve: respond } = Promise.withResolvers<Response>();
    stubApi({ ...NAVIGATION, [api]: () => response });
    await renderPage(path);
    await fill();
    submit.element().focus();
    await userEvent.keyboard('{Enter}');
    // The browser takes it from a button that is disabled.
    await expect.poll(() => document.activeElement).toBe(document.body);
    respond(Response.json({}, { status: 201 }));
    await expect.element(submit).toHaveFocus();
  });

  test('holds up no navigation while it waits, and forgets what was sent', async () => {
    const { promise: response, resolve: respond } = Promise.withResolvers<Response>();
    stubApi({ ...NAVIGATION, [api]: () => response });
    const router = await renderPage(path);
    await fill();
    await submit.click();
    await page.getByRole('contentinfo').getByRole('link', { name: 'About Us' }).click();
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('About Martech Meridian');
    respond(Response.json({}, { status: 201 }));
    await expect.poll(() => sessionStorage.length).toBe(0);
    await router.navigate(-1);
    await expect.element(field('First name')).toHaveValue('');
  });

  test.each([
    ['fails', false],
    ['has no response within ten seconds', true],
  ])('keeps what was typed and tells the console alone when the delivery %s', async (_, isSilent) => {
    const silence = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(silence.signal);
    const response = isSilent ? new Promise<never>(() => undefined) : Response.json({}, { status: 502 });
    stubApi({ ...NAVIGATION, [api]: () => response });
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    await renderPage(path);
    await fill();
    await submit.click();
    if (isSilent) silence.abort();
    expect(timeout).toHaveBeenCalledWith(10_000);
    await expect.poll(() => logged.mock.calls).toEqual([['Failed to submit data to the API.']]);
    await expect.element(field('Email')).toHaveValue('ada@example.com');
    expect(document.querySelectorAll('.field-error')).toHaveLength(0);
    await expect.element(page.getByRole('main').getByRole('status')).toBeEmptyDOMElement();
    await expect.element(submit).toBeEnabled();
  });

  test('tells the console also where the reader has left the page before the delivery fails', async () => {
    const { promise: response, resolve: respond } = Promise.withResolvers<Response>();
    stubApi({ ...NAVIGATION, [api]: () => response });
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    await renderPage(path);
    await fill();
    await submit.click();
    await page.getByRole('contentinfo').getByRole('link', { name: 'About Us' }).click();
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('About Martech Meridian');
    respond(Response.json({}, { status: 502 }));
    await expect.poll(() => logged.mock.calls).toEqual([['Failed to submit data to the API.']]);
  });
});
