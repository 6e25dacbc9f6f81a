import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { EventSummary } from '#shared/models/event.ts';
import { events } from '../../../tests/component/page-data.ts';
import { renderPage } from '../../../tests/component/render-page.tsx';
import { NAVIGATION, stubApi } from '../../../tests/component/stub-api.ts';

const titles = page
  .getByRole('main')
  .getByRole('article')
  .getByRole('heading', { name: /^Event/ });
const showMore = page.getByRole('button', { name: 'Show More' });

/** Stubs the pages of the event list, the same for each tab. */
function stubEvents(pages: Record<string, EventSummary[]>, totalPages = 9): string[] {
  return stubApi({
    ...NAVIGATION,
    'GET /api/events': ({ url }) => {
      const { searchParams } = new URL(url);
      const number = searchParams.get('page') ?? '1';
      return Response.json({
        tab: searchParams.get('tab') ?? 'all',
        events: pages[number] ?? [],
        pagination: { page: Number(number), totalPages },
      });
    },
  });
}

async function expectTitles(count: number): Promise<void> {
  await expect
    .poll(() => titles.elements().map(({ textContent }) => textContent))
    .toEqual(events(1, count).map(({ title }) => title));
}

describe('the event list', () => {
  test('shows nine, reveals what is loaded, then asks for the next page, and each event is there once', async () => {
    // The upstream has moved two events from its first page to its second.
    const requests = stubEvents({ 1: events(1, 10), 2: events(9, 21), 3: [] });
    await renderPage('/events');
    requests.length = 0;
    await expectTitles(9);
    await showMore.click();
    await expectTitles(10);
    await expect.element(page.getByRole('link', { name: 'Event 10' })).toHaveFocus();
    expect(requests).toEqual([]);
    await showMore.click();
    await expectTitles(19);
    expect(requests).toEqual(['GET /api/events?page=2']);
    await showMore.click();
    await expectTitles(21);
    expect(requests).toHaveLength(1);
    await showMore.click();
    await expect.element(page.getByRole('main').getByRole('button')).not.toBeInTheDocument();
    expect(requests).toEqual(['GET /api/events?page=2', 'GET /api/events?page=3']);
    await expectTitles(21);
  });

  test('starts again with another tab: its own first page, its further pages', async () => {
    const requests = stubEvents({ 1: events(1, 10), 2: events(11, 12) });
    await renderPage('/events');
    await showMore.click();
    await expectTitles(10);
    await page.getByRole('link', { name: 'Past Events' }).click();
    await expectTitles(9);
    await showMore.click();
    await showMore.click();
    await expectTitles(12);
    expect(requests.slice(-2)).toEqual(['GET /api/events?tab=past', 'GET /api/events?tab=past&page=2']);
  });

  test('reads Loading... while it waits, and stays as it is when that fails', async () => {
    const { promise: response, resolve: respond } = Promise.withResolvers<Response>();
    const list = { tab: 'all', events: events(1, 9), pagination: { page: 1, totalPages: 2 } };
    stubApi({
      ...NAVIGATION,
      'GET /api/events': ({ url }) =>
        !url.includes('page=') ? Response.json({ ...list, events: events(1, 10) }) : response,
    });
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    await renderPage('/events');
    await showMore.click();
    await showMore.click();
    await expect.element(page.getByRole('button', { name: 'Loading...' })).toBeVisible();
    respond(Response.json({}, { status: 500 }));
    await expect.element(showMore).toBeVisible();
    await expectTitles(10);
    expect(logged).toHaveBeenCalledExactlyOnceWith(
      'The next events could not be loaded.',
      expect.objectContaining({ kind: 'unavailable' }),
    );
  });

  test('says each time that the next events could not be loaded, and not while it asks again', async () => {
    let { promise: response, resolve: respond } = Promise.withResolvers<Response>();
    const list = { tab: 'all', events: events(1, 10), pagination: { page: 1, totalPages: 2 } };
    stubApi({
      ...NAVIGATION,
      'GET /api/events': ({ url }) => (url.includes('page=') ? response : Response.json(list)),
    });
    vi.spyOn(console, 'error').mockReturnValue();
    await renderPage('/events');
    await showMore.click();
    const outcome = page.getByRole('main').getByRole('status');
    for (let attempt = 0; attempt < 2; attempt++) {
      ({ promise: response, resolve: respond } = Promise.withResolvers<Response>());
      await showMore.click();
      await expect.element(page.getByRole('button', { name: 'Loading...' })).toBeVisible();
      await expect.element(outcome).toBeEmptyDOMElement();
      respond(Response.json({}, { status: 500 }));
      await expect
        .element(outcome)
        .toHaveTextContent('The next events could not be loaded. Please try again.');
    }
  });

  test('has headings in order where its first events have no date', async () => {
    stubEvents({ 1: [...events(1, 1).map((event) => ({ ...event, date: null })), ...events(2, 3)] });
    await renderPage('/events');
    await expectTitles(3);
    const headings = [...document.querySelectorAll('main :is(h1, h2, h3)')];
    expect(headings.map(({ ariaLevel, tagName }) => ariaLevel ?? tagName)).toEqual([
      'H1',
      '2',
      'H2',
      'H3',
      'H3',
    ]);
  });

  test('shows another tab while it waits, and notes what then comes at no entry of the history', async () => {
    window.history.replaceState(null, '');
    const { promise: response, resolve: respond } = Promise.withResolvers<Response>();
    const list = (tab: string, page: number, of: EventSummary[]) =>
      Response.json({ tab, events: of, pagination: { page, totalPages: 2 } });
    stubApi({
      ...NAVIGATION,
      'GET /api/events': ({ url }) => {
        const { searchParams } = new URL(url);
        if (searchParams.has('page')) return response;
        return list(searchParams.get('tab') ?? 'all', 1, events(1, 10));
      },
    });
    await renderPage('/events');
    await showMore.click();
    await expectTitles(10);
    window.history.replaceState(null, '');
    await showMore.click();
    const past = page.getByRole('link', { name: 'Past Events' });
    await past.click();
    await expect.element(past).toHaveAttribute('aria-current', 'page');
    await expectTitles(9);
    respond(list('all', 2, events(11, 12)));
    await response;
    await expect.poll(() => window.history.state).toEqual({ followed: expect.anything() });
    await expectTitles(9);
  });

  test('that has grown while another tab was about to be shown is not found again at the entry of that tab', async () => {
    window.history.replaceState(null, '');
    const { promise: json, resolve: respond } = Promise.withResolvers<unknown>();
    const list = (tab: string, page: number, of: EventSummary[]) => ({
      tab,
      events: of,
      pagination: { page, totalPages: 2 },
    });
    stubApi({
      ...NAVIGATION,
      'GET /api/events': ({ url }) => {
        const { searchParams } = new URL(url);
        const response = Response.json(list(searchParams.get('tab') ?? 'all', 1, events(1, 10)));
        if (searchParams.has('page')) response.json = () => json;
        return response;
      },
    });
    const router = await renderPage('/events');
    await showMore.click();
    await expectTitles(10);
    await showMore.click();
    // The address is the other tab's by then, with an entry of its own, and React has not rendered it yet.
    const unsubscribe = router.subscribe(({ location }) => {
      if (location.search !== '?tab=past') return;
      unsubscribe();
      window.history.replaceState(null, '');
      respond(list('all', 2, events(11, 12)));
    });
    const past = page.getByRole('link', { name: 'Past Events' });
    await past.click();
    await expect.element(past).toHaveAttribute('aria-current', 'page');
    await router.navigate('/about');
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('About Martech Meridian');
    await router.navigate(-1);
    await expect.element(past).toHaveAttribute('aria-current', 'page');
    await expectTitles(9);
  });

  test('moves the focus to the first of the new events', async () => {
    stubEvents({ 1: events(1, 10) });
    await renderPage('/events');
    showMore.element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('link', { name: 'Event 10' })).toHaveFocus();
  });

  test('says so where the next pages have no new events, and keeps the focus', async () => {
    stubEvents({ 1: events(1, 10), 2: events(8, 10) }, 3);
    await renderPage('/events');
    await showMore.click();
    await expectTitles(10);
    const outcome = page.getByRole('main').getByRole('status');
    await expect.element(outcome).toBeEmptyDOMElement();
    showMore.element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(outcome).toHaveTextContent('Page 2 has no further events.');
    await expect.element(showMore).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(outcome).toHaveTextContent('There are no further events.');
    await expect.element(showMore).not.toBeInTheDocument();
    await expect.element(outcome).toHaveFocus();
  });

  test('has cards with the day that their date has where the site is', async () => {
    stubEvents({ 1: events(1, 1).map((event) => ({ ...event, date: '2026-04-01T00:30:00.000+02:00' })) });
    await renderPage('/events');
    const card = page.getByRole('main').getByRole('article');
    await expect.element(card).toHaveTextContent('April 20261 AprEvent 1LisbonApr 1, 2026What it is about.');
  });

  test.each(['ltr', 'rtl'])(
    'has the day of a card at the edge of its picture where the language runs %s',
    async (dir) => {
      document.documentElement.dir = dir;
      onTestFinished(() => document.documentElement.removeAttribute('dir'));
      stubEvents({ 1: events(1, 1) });
      await renderPage('/events');
      const day = document.querySelector('.event-day b')?.getBoundingClientRect();
      const card = page.getByRole('main').getByRole('article').element().getBoundingClientRect();
      expect(dir === 'ltr' ? day?.left : day?.right).toBe(dir === 'ltr' ? card.left : card.right);
    },
  );

  test('has cards with title, place, short date and description, that link to the event', async () => {
    stubEvents({ 1: events(1, 1) });
    await renderPage('/events');
    const card = page.getByRole('main').getByRole('article');
    await expect.element(card).toHaveTextContent('March 20264 MarEvent 1LisbonMar 4, 2026What it is about.');
    const clicked = vi.fn((event: Event) => {
      event.preventDefault();
      event.stopPropagation();
    });
    document.addEventListener('click', clicked, { capture: true, once: true });
    await card.click();
    expect(clicked.mock.calls[0]?.[0].target).toBe(page.getByRole('link', { name: 'Event 1' }).element());
  });
});
