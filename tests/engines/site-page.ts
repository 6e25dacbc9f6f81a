import { setTimeout as delay } from 'node:timers/promises';
import { type FoundElements, findElements } from './find-elements.ts';
import type { BrowserSession, KeyName, ViewportSize } from './sessions/browser-session.ts';

/** Viewports of a desktop and a phone. */
export const WIDE: ViewportSize = { width: 1280, height: 900 };
export const NARROW: ViewportSize = { width: 390, height: 844 };

/** A slow machine is no failure: what never comes is noticed all the same, only later. */
const TIMEOUT_MS = 60_000;
const POLL_MS = 30;

const ANY_NAME = /(?:)/;

/** A value that can be sent to a page and back. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A page of the site in a browser of any engine. */
export type SitePage = ReturnType<typeof createSitePage>;

/** Returns the page of a session: paths are below `origin`, elements are found by CSS selector and accessible name. */
export function createSitePage(session: BrowserSession, origin: string, hasScripts: boolean) {
  /** Calls a function in the page. It is sent as text: nothing around it is known there. */
  function evaluate<Parameters extends Json[], Result extends Json>(
    run: (...parameters: Parameters) => Result,
    ...parameters: Parameters
  ): Promise<Result> {
    // JSON goes through unchanged, so what comes back has the function's own type.
    return session.evaluate(`(${run})(...${JSON.stringify(parameters)})`) as Promise<Result>;
  }

  /** Waits until a function of the page returns true. */
  async function until<Parameters extends Json[]>(
    what: string,
    holds: (...parameters: Parameters) => boolean,
    ...parameters: Parameters
  ): Promise<void> {
    await poll(what, async () => (await evaluate(holds, ...parameters)) || null);
  }

  /** Calls a function that leaves the document. The caller waits for what comes next: a reply may be lost with the document. */
  async function leave(run: () => void): Promise<void> {
    await session.evaluate(`void setTimeout(${run})`).catch(() => null);
  }

  const find = (css: string, name: RegExp, isScrolledTo = false) =>
    evaluate(findElements, css, name.source, isScrolledTo);

  /** Returns where the first visible element that matches is, once it is at rest and nothing covers it. */
  function place(css: string, name: RegExp): Promise<FoundElements> {
    let before: FoundElements | null = null;
    return poll(`${css} ${name} can be clicked`, async () => {
      const now = await find(css, name, true);
      const isAtRest = before !== null && now.x === before.x && now.y === before.y;
      before = now;
      return now.isClear && isAtRest ? now : null;
    });
  }

  /** Clicks the first visible element that matches, once it is at rest and nothing covers it. */
  async function click(css: string, name = ANY_NAME): Promise<void> {
    const { x, y } = await place(css, name);
    await session.clickAt(x, y);
  }

  /** Changes the viewport's size and waits until the page has it. */
  async function resize(size: ViewportSize): Promise<void> {
    await session.resize(size);
    await until(`the viewport is ${size.width} pixels wide`, (width) => innerWidth === width, size.width);
  }

  return {
    until,
    resize,
    click,
    evaluate,
    leave,
    goBack: () => leave(() => history.back()),
    goForward: () => leave(() => history.forward()),
    clickAt: session.clickAt,

    /** Rests the mouse on the first visible element that matches. */
    async hover(css: string, name = ANY_NAME): Promise<void> {
      const { x, y } = await place(css, name);
      await session.moveTo(x, y);
    },

    press: (key: KeyName) => session.press(key),

    /** Loads a page in a viewport and waits until it is hydrated: a click before that acts as without scripts. */
    async open(path: string, size: ViewportSize, isHydrated = hasScripts): Promise<void> {
      // WebKitGTK 2.50 crashes when a page that has just been resized is left.
      await session.open('about:blank');
      await resize(size);
      await session.open(new URL(path, origin).href);
      if (isHydrated)
        await until(`${path} is hydrated`, () => 'hydrated' in document.documentElement.dataset);
    },

    /** Scrolls without animation. Returns where the page is then. */
    scrollTo: (top: number): Promise<number> =>
      evaluate((y) => {
        window.scrollTo({ top: y, behavior: 'instant' });
        return window.scrollY;
      }, top),

    /** Returns the number of visible elements that match. */
    count: async (css: string): Promise<number> => (await find(css, ANY_NAME)).count,

    /** Waits until the page neither scrolls nor changes its height, and no animation is left but endless ones. */
    async untilAtRest(): Promise<void> {
      const looks: string[] = [];
      await poll('the page is at rest', async () => {
        const look = await evaluate(() => {
          const hasAnimation = document
            .getAnimations()
            .some((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
          return hasAnimation ? '' : `${scrollY} of ${document.documentElement.scrollHeight}`;
        });
        looks.push(look);
        return (
          (look !== '' && looks.slice(-4).every((one, _, { length }) => length === 4 && one === look)) || null
        );
      });
    },

    /** Types into a field. */
    async fill(css: string, text: string): Promise<void> {
      await click(css);
      await until(`${css} has the focus`, (selector) => !!document.activeElement?.matches(selector), css);
      await session.type(text);
    },

    /** Waits until an element that matches is visible. */
    async untilVisible(css: string, name = ANY_NAME): Promise<void> {
      await poll(`${css} ${name} is visible`, async () => (await find(css, name)).count > 0 || null);
    },

    /** Waits until no element that matches is visible. */
    async untilHidden(css: string, name = ANY_NAME): Promise<void> {
      await poll(`${css} ${name} is hidden`, async () => (await find(css, name)).count === 0 || null);
    },

    /** Waits until an element that matches a selector has the focus. */
    async untilFocused(css: string): Promise<void> {
      await until(`${css} has the focus`, (selector) => !!document.activeElement?.matches(selector), css);
    },

    /** Waits until the document's path and query match. */
    async untilAt(address: RegExp): Promise<void> {
      await until(
        `the address matches ${address}`,
        (source) => new RegExp(source).test(location.pathname + location.search),
        address.source,
      );
    },
  };
}

/** Waits until a look at the page finds something. Rejects after the timeout with what was waited for. */
async function poll<Found>(what: string, look: () => Promise<Found | null>): Promise<Found> {
  const deadline = performance.now() + TIMEOUT_MS;
  let failure: unknown;
  while (performance.now() < deadline) {
    try {
      const found = await look();
      if (found !== null) return found;
    } catch (error) {
      // A document may be replaced while it is asked.
      failure = error;
    }
    await delay(POLL_MS);
  }
  throw new Error(`waited ${TIMEOUT_MS / 1_000} s in vain until ${what}`, { cause: failure });
}
