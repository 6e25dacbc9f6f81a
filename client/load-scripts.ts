import { trackHeaderState } from '#client/layout/header/header-state.ts';

/**
 * Loads the page's scripts after the load event and the first paint, so that the content comes first on a slow connection;
 * any interaction loads them at once. Until the page is hydrated, clicks on what needs scripts are held, and replayed then.
 * Where the scripts fail, or are not there in time, what only they would show is shown, and clicks are replayed. The document
 * lists the scripts, the entry first.
 */

/** Browsers without paint timing, and documents that never finish to load, load the scripts after this long (ms). */
const MAX_DELAY_MS = 4_000;
/** A click waits for the scripts for this long (ms): a connection that hangs does not fail. */
const MAX_HOLD_MS = 10_000;
/** Links that are buttons with scripts, and buttons but those of popovers, which work without. */
const HELD = 'button:not([popovertarget]), [data-needs-scripts]';
const INTERACTIONS = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin'];

const root = document.documentElement;
/** Each once: who presses a button again means what they meant before, and would send a form twice. */
const held = new Set<HTMLElement>();
let started = false;

async function start(): Promise<void> {
  if (started) return;
  started = true;
  for (const type of INTERACTIONS) removeEventListener(type, startOnInteraction);
  const scripts: string[] = JSON.parse(document.getElementById('scripts')?.textContent ?? '[]');
  const [entry, ...others] = scripts;
  if (entry === undefined) return;
  for (const href of others) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = href;
    document.head.append(link);
  }
  try {
    // One at a time: compiling all of them would block a slow phone's main thread in one long task.
    for (const script of [...others, entry]) {
      await import(/* @vite-ignore */ script);
      await nextTask();
    }
  } catch (error) {
    console.error(error);
    doWithout();
  }
}

function doWithout(): void {
  showAll();
  replayClicks();
}

/** Shows what only scripts would show: the other events of a list, the other lists of a sidebar, the contents of an article. */
function showAll(): void {
  for (const card of document.querySelectorAll('.event-card')) card.classList.remove('is-hidden');
  for (const panel of document.querySelectorAll('.tabs-panel')) panel.classList.add('is-selected');
  for (const contents of document.querySelectorAll<HTMLElement>('.contents')) {
    // Open, it would cover the text below the header's bar.
    contents.style.position = 'static';
    contents.classList.add('is-shown');
    contents.querySelector('ol')?.classList.add('is-open');
  }
}

/** By a message: timers of a page in a background tab wait for a second each. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });
}

function holdClick(event: Event): void {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>(HELD) : null;
  if (!button) return;
  event.preventDefault();
  event.stopPropagation();
  if (held.size === 0) setTimeout(() => held.size > 0 && doWithout(), MAX_HOLD_MS);
  held.add(button);
}

function replayClicks(): void {
  removeEventListener('click', holdClick, true);
  for (const button of held) button.click();
  held.clear();
}

/** Browsers send a `pointermove` after a layout under a pointer that rests. That one moves by nothing. */
function startOnInteraction(event: Event): void {
  const rests =
    event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY;
  if (!rests) void start();
}

/** An observer's first callback follows a frame, and knows where the header is in it: to measure it would lay the page out. */
function listenAfterFirstFrame(): void {
  new IntersectionObserver(([entry], observer) => {
    observer.disconnect();
    if (entry) trackHeaderState(document, entry.boundingClientRect);
    if (started) return;
    for (const type of INTERACTIONS) addEventListener(type, startOnInteraction, { passive: true });
  }).observe(document.querySelector('.header') ?? root);
}

/** The load event may precede the first paint. */
function startAfterPaint(): void {
  new PerformanceObserver(() => void start()).observe({ type: 'paint', buffered: true });
}

listenAfterFirstFrame();
addEventListener('click', holdClick, true);
addEventListener('hydration-failed', doWithout);
new MutationObserver(replayClicks).observe(root, { attributeFilter: ['data-hydrated'] });
if (document.readyState === 'complete') startAfterPaint();
else addEventListener('load', startAfterPaint);
setTimeout(start, MAX_DELAY_MS);
