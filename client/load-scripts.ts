/**
 * Loads the page's scripts once the page itself is there, pictures in view included: what the reader came for goes
 * first, on a narrow line above all. A reader who acts before that has them at once, and a button pressed meanwhile is
 * pressed again when the page is live; without scripts it acts as it does without. The list of scripts, the entry
 * first, is in the document.
 */
const LATEST_MS = 4_000;
const ACTS = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin'];

const root = document.documentElement;
const pressed: HTMLElement[] = [];
let started = false;

function readScripts(): string[] {
  const list: unknown = JSON.parse(document.getElementById('scripts')?.textContent ?? '[]');
  return Array.isArray(list) ? list.map(String) : [];
}

async function start(): Promise<void> {
  if (started) return;
  started = true;
  for (const type of ACTS) removeEventListener(type, start);
  const [entry, ...others] = readScripts();
  if (entry === undefined) return;
  for (const href of others) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = href;
    document.head.append(link);
  }
  try {
    // One at a time: what a slow phone has to compile is no single long wait.
    for (const script of [...others, entry]) {
      await import(/* @vite-ignore */ script);
      await nextTask();
    }
  } catch (error) {
    // The document is complete without them.
    console.error(error);
    pressAgain();
  }
}

function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });
}

function hold(event: Event): void {
  const button = event.target instanceof Element ? event.target.closest('button') : null;
  if (!button) return;
  event.preventDefault();
  event.stopPropagation();
  pressed.push(button);
}

function pressAgain(): void {
  removeEventListener('click', hold, true);
  for (const button of pressed.splice(0)) button.click();
}

/** The load event may come before anything is painted. A browser that does not tell starts at the latest moment. */
function afterPaint(): void {
  new PerformanceObserver(() => void start()).observe({ type: 'paint', buffered: true });
}

for (const type of ACTS) addEventListener(type, start, { passive: true });
addEventListener('click', hold, true);
new MutationObserver(pressAgain).observe(root, { attributeFilter: ['data-live'] });
if (document.readyState === 'complete') afterPaint();
else addEventListener('load', afterPaint);
setTimeout(start, LATEST_MS);
