import * as en from '#shared/texts/en.ts';

/** Size of the share windows that are not specified otherwise (section 9). */
export const DEFAULT_WINDOW = [550, 400] as const;

/** A social network that a page can be shared to. */
export interface Network {
  name: string;
  /** Where it takes the page: `{url}`, which is absolute, and `{title}` are filled in. */
  address: string;
  /** Size of its window, where the specification names one (section 9). */
  window?: readonly [width: number, height: number];
  /** Offered for events only. */
  eventsOnly?: boolean;
}

/** In the order in which they are offered. */
export const networks: readonly Network[] = [
  { name: 'Instagram', address: 'https://www.instagram.com/', window: [600, 400], eventsOnly: true },
  { name: 'Facebook', address: 'https://www.facebook.com/sharer/sharer.php?u={url}' },
  { name: 'X', address: 'https://x.com/intent/post?url={url}&text={title}' },
  { name: 'LinkedIn', address: 'https://www.linkedin.com/sharing/share-offsite/?url={url}' },
  { name: 'WhatsApp', address: 'https://api.whatsapp.com/send?text={title}%20{url}' },
  { name: en.email, address: 'mailto:?subject={title}&body={url}' },
  { name: 'Reddit', address: 'https://www.reddit.com/submit?url={url}&title={title}' },
  { name: 'Telegram', address: 'https://t.me/share/url?url={url}&text={title}' },
  {
    name: 'Weibo',
    address: 'https://service.weibo.com/share/share.php?url={url}&title={title}',
    window: [660, 550],
  },
  { name: 'Workplace', address: 'https://work.facebook.com/sharer.php?display=popup&u={url}' },
];

/** Returns the address of a network for a page. */
export function shareUrl({ address }: Network, page: { url: string; title: string }): string {
  return address
    .replace('{url}', encodeURIComponent(page.url))
    .replace('{title}', encodeURIComponent(page.title));
}
