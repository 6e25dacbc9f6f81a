import type { Problem } from '#server/problem-details.ts';
import type { SiteSettings } from '#shared/site.ts';
import * as en from '#shared/texts/en.ts';
import { translator } from '#shared/texts/translate.ts';

/** Returns the page of a problem. `isFormPost`: the reader has typed something that was not taken. */
export type ErrorPage = (problem: Problem, isFormPost: boolean) => string;

/**
 * Makes the page that a browser gets in place of a problem, in the site's styles. It has no menus and no data: it is sent
 * where rendering a page would cost too much, or has failed. `headTags`: those of its styles. Of the texts only the
 * site's name is escaped: the others are our own.
 */
export function createErrorPage(headTags: () => string, settings: () => SiteSettings): ErrorPage {
  const head = () =>
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">' +
    '<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">' +
    `<link rel="icon" href="/favicon.svg" type="image/svg+xml">${headTags()}`;
  return ({ title, status, detail }, isFormPost) => {
    const site = settings();
    const t = translator(site);
    const heading = t(en.problem, { status: String(status), title });
    const advice = isFormPost && status < 500 ? `<p>${t(en.nothingSent)}</p>` : '';
    return (
      `<!DOCTYPE html><html lang="${site.language}"><head>${head()}<title>${heading} | ${escapeHtml(site.name)}</title></head>` +
      `<body><main id="main"><div class="page"><div class="status-page"><img class="logo" src="/favicon.svg" alt=""><h1>${heading}</h1>` +
      `<p role="alert">${t(detail)}</p>${advice}<p><a href="/">${t(en.goToHomePage)}</a></p></div></div></main></body></html>`
    );
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
