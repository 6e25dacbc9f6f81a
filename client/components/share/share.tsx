import { type MouseEvent, type ReactNode, useEffect, useState } from 'react';
import { PopoverButton } from '#client/components/popover-button/popover-button.tsx';
import { useHydrated } from '#client/hooks/use-hydrated.ts';
import { useSite, useTexts } from '#client/layout/site-context.tsx';
import * as en from '#shared/texts/en.ts';
import icons from './networks.svg';
import { DEFAULT_WINDOW, type Network, networks, shareUrl } from './networks.ts';
import './share.css';

interface SharedPageProps {
  /** Path of the page. */
  path: string;
  title: string;
  /** The page is an event: one network more. */
  event?: boolean;
}

/** Renders Copy link, and Share: a popover with all networks, which works without JavaScript. */
export function Share(page: SharedPageProps) {
  const t = useTexts();
  return (
    <div className="share" role="group" aria-label={t(en.share)}>
      <CopyLink url={useAbsolute(page.path)} />
      <PopoverButton opens="share-networks" className="share-text">
        {t(en.share)}
      </PopoverButton>
      <div id="share-networks" className="share-networks" popover="auto">
        <NetworkLinks {...page} withNames />
        <NativeShare {...page} />
      </div>
    </div>
  );
}

/** Renders the networks as a row of icons, for the end of a text. */
export function ShareRow(page: SharedPageProps) {
  return (
    <div className="share">
      <NetworkLinks {...page} />
    </div>
  );
}

function useAbsolute(path: string): string {
  return new URL(path, useSite().origin).href;
}

function NetworkLinks({ path, title, event = false, withNames }: SharedPageProps & { withNames?: boolean }) {
  const t = useTexts();
  const url = useAbsolute(path);
  const offered = networks.filter(({ eventsOnly }) => event || !eventsOnly);
  return offered.map((network) => (
    <NetworkLink key={network.name} network={network} href={shareUrl(network, { url, title })}>
      <span className="visually-hidden">{t(en.shareOn, { network: t(network.name) })}</span>
      {withNames && <span aria-hidden="true">{t(network.name)}</span>}
    </NetworkLink>
  ));
}

interface NetworkLinkProps {
  network: Network;
  href: string;
  children: ReactNode;
}

function NetworkLink({ network, href, children }: NetworkLinkProps) {
  function open(event: MouseEvent<HTMLAnchorElement>) {
    if (href.startsWith('mailto:') || event.metaKey || event.ctrlKey) return;
    if (openShareWindow(event.currentTarget, network.window)) event.preventDefault();
  }

  return (
    <a className="share-link" href={href} target="_blank" rel="noopener" onClick={open}>
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <use href={`${icons}#${network.name.toLowerCase()}`} fill="currentColor" />
      </svg>
      {children}
    </a>
  );
}

/** Renders the button of the device's share sheet, where it has one (Web Share API). */
function NativeShare({ path, title }: SharedPageProps) {
  const t = useTexts();
  const url = useAbsolute(path);
  if (!useHydrated() || !('share' in navigator)) return null;
  // Closing the sheet rejects too.
  const share = () => void navigator.share({ url, title }).catch(() => undefined);
  return (
    <button type="button" className="share-link" onClick={share}>
      {t(en.shareWithDevice)}
    </button>
  );
}

/** How long the confirmation shows. */
const CONFIRMATION_MS = 4000;

/** Renders the button that copies the page's URL to the clipboard. */
function CopyLink({ url }: { url: string }) {
  const t = useTexts();
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
    } catch {
      setCopied(false);
    }
  }

  return (
    <>
      <button type="button" className="share-text" onClick={copy}>
        {t(copied ? en.copied : en.copyLink)}
      </button>
      <span className="visually-hidden" role="status">
        {copied ? t(en.linkCopied) : ''}
      </span>
    </>
  );
}

/** How often an open share window is checked (specification, section 9). */
const CLOSE_POLL_MS = 1000;

/**
 * Opens a link in a share window of a size in the middle of the browser window, and focuses it again once the reader has
 * closed that. Returns false where the browser blocks it. The network's page gets no hold of ours; `noopener` would leave
 * no window whose end could be noticed.
 */
function openShareWindow(
  link: HTMLAnchorElement,
  [width, height]: NonNullable<Network['window']> = DEFAULT_WINDOW,
): boolean {
  const left = Math.round(window.screenX + (window.outerWidth - width) / 2);
  const top = Math.round(window.screenY + (window.outerHeight - height) / 2);
  const opened = window.open('', 'share', `popup,width=${width},height=${height},left=${left},top=${top}`);
  if (!opened) return false;
  opened.opener = null;
  opened.location.replace(link.href);
  const poll = setInterval(() => {
    if (!opened.closed) return;
    clearInterval(poll);
    link.focus();
  }, CLOSE_POLL_MS);
  return true;
}
