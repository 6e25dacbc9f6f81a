/**
 * Loads the page's scripts once the page itself is there, pictures in view included: what the reader came for goes
 * first, on a narrow line above all. A reader who acts before that has them at once. Until then links and forms work
 * as they do without scripts. The list (the entry first) is in the document.
 */
const LATEST_MS = 4_000;
const ACTS = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin'];

function readScripts(): string[] {
  const list: unknown = JSON.parse(document.getElementById('scripts')?.textContent ?? '[]');
  return Array.isArray(list) ? list.map(String) : [];
}

let started = false;

async function start(): Promise<void> {
  if (started) return;
  started = true;
  for (const type of ACTS) window.removeEventListener(type, start);
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
      await new Promise((resolve) => setTimeout(resolve));
    }
  } catch (error) {
    // The document is complete without them.
    console.error(error);
  }
}

/** A frame that is asked for in a frame comes after the first was painted. */
function afterPaint(): void {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(start)));
}

for (const type of ACTS) window.addEventListener(type, start, { passive: true });
if (document.readyState === 'complete') afterPaint();
else window.addEventListener('load', afterPaint);
setTimeout(start, LATEST_MS);
