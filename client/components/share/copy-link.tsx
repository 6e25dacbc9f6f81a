import { useEffect, useState } from 'react';
import { useTexts } from '#client/layout/site-context.tsx';
import * as en from '#shared/texts/en.ts';

/** How long the confirmation shows. */
const CONFIRMATION_MS = 4000;

/** Renders the button that copies the page's URL to the clipboard. */
export function CopyLink({ url }: { url: string }) {
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
