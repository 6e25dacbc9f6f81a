import type { KeyboardEvent, MouseEvent } from 'react';
import { useHydrated } from '#client/hooks/use-hydrated.ts';
import { useSite, useTexts } from '#client/layout/site-context.tsx';
import * as en from '#shared/texts/en.ts';
import { CopyLink } from './copy-link.tsx';
import icons from './networks.svg';
import { type Network, networks } from './networks.ts';
import { openShareWindow } from './share-window.ts';
import './share.css';

interface ShareProps {
  /** Path of the page. */
  path: string;
  title: string;
  /** The page is an event: one network more. */
  event?: boolean;
}

/** Networks in the row; the others are behind More. */
const VISIBLE_COUNT = 4;

/** Renders the share buttons. Without JavaScript each network is a link. */
export function Share({ path, title, event = false }: ShareProps) {
  const t = useTexts();
  const { origin } = useSite();
  const url = new URL(path, origin).href;
  const offered = networks.filter(({ eventsOnly }) => event || !eventsOnly);
  // The specification names Instagram for events: it comes first there.
  const ranked = event
    ? [...offered].sort((a, b) => Number(b.eventsOnly ?? false) - Number(a.eventsOnly ?? false))
    : offered;
  const links = ranked.map((network) => (
    <ShareLink key={network.name} network={network} url={url} title={title} />
  ));
  return (
    <div className="share" role="group" aria-label={t(en.share)}>
      {links.slice(0, VISIBLE_COUNT)}
      <details className="share-more" onKeyDown={closeOnEscape}>
        <summary aria-label={t(en.moreWaysToShare)}>…</summary>
        <div className="share-more-list">{links.slice(VISIBLE_COUNT)}</div>
      </details>
      <CopyLink url={url} />
      <NativeShare url={url} title={title} />
    </div>
  );
}

/** Closes the list of further networks, and returns the focus from it to its button. */
function closeOnEscape({ key, currentTarget: list }: KeyboardEvent<HTMLDetailsElement>): void {
  if (key !== 'Escape') return;
  list.open = false;
  list.querySelector('summary')?.focus();
}

function ShareLink({ network, url, title }: { network: Network; url: string; title: string }) {
  const t = useTexts();
  const href = network.shareUrl({ url, title });
  const [width, height] = network.window;

  function open(event: MouseEvent<HTMLAnchorElement>) {
    if (href.startsWith('mailto:') || event.metaKey || event.ctrlKey) return;
    const link = event.currentTarget;
    if (openShareWindow({ url: href, width, height, onClose: () => link.focus() })) event.preventDefault();
  }

  return (
    <a className="share-link" href={href} target="_blank" rel="noopener" onClick={open}>
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <use href={`${icons}#${network.name.toLowerCase()}`} fill="currentColor" />
      </svg>
      <span className="visually-hidden">{t(en.shareOn, { network: t(network.name) })}</span>
    </a>
  );
}

/** Renders the button of the device's share sheet, where it has one (Web Share API). */
function NativeShare({ url, title }: { url: string; title: string }) {
  const t = useTexts();
  const hydrated = useHydrated();
  if (!hydrated || !('share' in navigator)) return null;
  // Closing the sheet rejects too.
  const share = () => void navigator.share({ url, title }).catch(() => undefined);
  return (
    <button type="button" className="share-text" onClick={share}>
      {t(en.shareWithDevice)}
    </button>
  );
}
