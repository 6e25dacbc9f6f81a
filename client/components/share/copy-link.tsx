import { useEffect, useState } from 'react';

/** How long the confirmation stands, in milliseconds. */
const CONFIRMED_MS = 4000;

/** Puts the page's address on the clipboard and says so. */
export function CopyLink({ url }: { url: string }) {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS);
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
        {copied ? 'Copied' : 'Copy link'}
      </button>
      <span className="visually-hidden" role="status">
        {copied ? 'Link copied' : ''}
      </span>
    </>
  );
}
