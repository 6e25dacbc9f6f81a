import { type MouseEvent, useEffect, useState } from 'react';
import { PopoverButton } from '#client/components/popover-button/popover-button.tsx';
import { useHydrated } from '#client/hooks/use-hydrated.ts';
import { useSite, useTexts } from '#client/layout/site-context.tsx';
import { isPlainClick } from '#client/routing/page-link.ts';
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
    <a
      key={network.name}
      className="share-link"
      href={shareUrl(network, { url, title })}
      target="_blank"
      rel="noopener"
      onClick={(click) => openShareWindow(click, network)}
    >
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <use href={`${icons}#${network.name.toLowerCase()}`} fill="currentColor" />
      </svg>
      <span className="visually-hidden">{t(en.shareOn, { network: t(network.name) })}</span>
      {withNames && <span aria-hidden="true">{t(network.name)}</span>}
    </a>
  ));
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

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
    } catch {
      // Without TLS there is no clipboard, and it may be refused: the reader copies the address, which is selected.
      window.prompt(t(en.copyLink), url);
    }
  };

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
 * Opens a network's link in a window of its own in the middle of the browser window, and focuses it again once the reader has closed
 * that. The link is followed as any other where the browser blocks the window, and mail needs none. The network's page gets no
 * hold of ours; `noopener` would leave no window whose end could be noticed. Nor could the page lead a window that shows another
 * site to the next network, so none has a name.
 */
function openShareWindow(click: MouseEvent<HTMLAnchorElement>, { window: size }: Network): void {
  const link = click.currentTarget;
  if (link.protocol === 'mailto:' || !isPlainClick(click)) return;
  const [width, height] = size ?? DEFAULT_WINDOW;
  const left = Math.round(window.screenX + (window.outerWidth - width) / 2);
  const top = Math.round(window.screenY + (window.outerHeight - height) / 2);
  const opened = window.open('', '_blank', `popup,width=${width},height=${height},left=${left},top=${top}`);
  if (!opened) return;
  click.preventDefault();
  opened.opener = null;
  opened.location.replace(link.href);
  const poll = setInterval(() => {
    if (!opened.closed) return;
    clearInterval(poll);
    link.focus();
  }, CLOSE_POLL_MS);
}
