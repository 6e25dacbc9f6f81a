import { type MouseEvent, useEffect, useState } from 'react';
import { useSite } from '#client/layout/site-context.tsx';
import { CopyLink } from './copy-link.tsx';
import icons from './networks.svg';
import { type Network, networks } from './networks.ts';
import { openShareWindow } from './share-window.ts';
import './share.css';

export interface ShareProps {
  /** Path of the page. */
  path: string;
  title: string;
  /** Events have one network more. */
  event?: boolean;
}

/** The networks that stand in sight; the others are behind More. */
const IN_SIGHT = 4;

/** Share buttons. Without scripts each is a link. */
export function Share({ path, title, event = false }: ShareProps) {
  const { origin } = useSite();
  const url = new URL(path, origin).href;
  const offered = networks.filter(({ eventsOnly }) => event || !eventsOnly);
  // Beside an event Instagram stands in sight, as the specification names it there alone.
  const ranked = event
    ? [...offered].sort((a, b) => Number(b.eventsOnly ?? false) - Number(a.eventsOnly ?? false))
    : offered;
  const links = ranked.map((network) => (
    <ShareLink key={network.name} network={network} url={url} title={title} />
  ));
  return (
    <div className="share" role="group" aria-label="Share">
      {links.slice(0, IN_SIGHT)}
      <details className="share-more">
        <summary aria-label="More ways to share">…</summary>
        <div className="share-more-list">{links.slice(IN_SIGHT)}</div>
      </details>
      <CopyLink url={url} />
      <NativeShare url={url} title={title} />
    </div>
  );
}

function ShareLink({ network, url, title }: { network: Network; url: string; title: string }) {
  const address = network.address({ url, title });
  const [width, height] = network.window;

  function open(event: MouseEvent<HTMLAnchorElement>) {
    if (address.startsWith('mailto:') || event.metaKey || event.ctrlKey) return;
    const link = event.currentTarget;
    if (openShareWindow({ address, width, height, onClose: () => link.focus() })) event.preventDefault();
  }

  return (
    <a className="share-link" href={address} target="_blank" rel="noopener" onClick={open}>
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <use href={`${icons}#${network.name.toLowerCase()}`} fill="currentColor" />
      </svg>
      <span className="visually-hidden">Share on {network.name}</span>
    </a>
  );
}

/** The device's own share sheet, where it has one. */
function NativeShare({ url, title }: { url: string; title: string }) {
  const [available, setAvailable] = useState(false);
  useEffect(() => setAvailable('share' in navigator), []);
  if (!available) return null;
  // A reader who closes the sheet has not met an error.
  const share = () => void navigator.share({ url, title }).catch(() => undefined);
  return (
    <button type="button" className="share-text" onClick={share}>
      Share…
    </button>
  );
}
