import { isReachable } from '#client/routing/load-chunk.ts';

/** What a frame of another site may do. It has an origin of its own, so it cannot reach the page. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-presentation';

/** Puts the frame into its placeholder, with the focus: the first request to the provider. */
async function load(figure: HTMLElement, button: HTMLButtonElement, link: HTMLAnchorElement): Promise<void> {
  const { embedOf } = await import('#shared/embed-providers.ts');
  const embed = embedOf(link.href);
  if (!embed) return;
  const frame = document.createElement('iframe');
  const title = figure.querySelector('p');
  frame.title = title?.textContent || button.textContent;
  frame.setAttribute('sandbox', SANDBOX);
  frame.referrerPolicy = 'strict-origin';
  frame.allow = 'autoplay; encrypted-media; fullscreen; picture-in-picture';
  frame.src = embed.player;
  title?.remove();
  button.replaceWith(frame);
  frame.focus();
}

/** Follows the link of an embed that could not be loaded; not without a connection, into the browser's error page. */
async function follow(link: HTMLAnchorElement): Promise<void> {
  if (await isReachable(window.location.href)) link.click();
}

/** Adds to each placeholder of an embed the button that loads it. */
export function addLoadButtons(text: HTMLElement): void {
  for (const figure of text.querySelectorAll<HTMLElement>('figure[data-embed]')) {
    const link = figure.querySelector('a');
    if (!link || figure.querySelector('button, iframe')) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button';
    button.textContent = figure.dataset.embed ?? '';
    button.addEventListener('click', () => void load(figure, button, link).catch(() => follow(link)));
    link.before(button);
  }
}
