/** How often an open share window is checked (specification, section 9). */
const CLOSE_POLL_MS = 1000;

interface ShareWindow {
  url: string;
  width: number;
  height: number;
  /** Called once, when the reader has closed the window. */
  onClose: () => void;
}

/**
 * Opens a share window in the middle of the browser window. Returns false where the browser blocks it. The network's page
 * gets no hold of ours; `noopener` would leave no window whose end could be noticed.
 */
export function openShareWindow({ url, width, height, onClose }: ShareWindow): boolean {
  const left = Math.round(window.screenX + (window.outerWidth - width) / 2);
  const top = Math.round(window.screenY + (window.outerHeight - height) / 2);
  const opened = window.open('', 'share', `popup,width=${width},height=${height},left=${left},top=${top}`);
  if (!opened) return false;
  opened.opener = null;
  opened.location.replace(url);
  const poll = setInterval(() => {
    if (!opened.closed) return;
    clearInterval(poll);
    onClose();
  }, CLOSE_POLL_MS);
  return true;
}
