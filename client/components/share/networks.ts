import * as en from '#shared/texts/en.ts';

/** The page that is shared. */
interface SharedPage {
  /** Absolute. */
  url: string;
  title: string;
}

/** Size of the share windows that are not specified otherwise (section 9). */
export const DEFAULT_WINDOW = [550, 400] as const;

/** A social network that a page can be shared to. */
export interface Network {
  name: string;
  shareUrl: (page: SharedPage) => string;
  /** Size of its window where the specification names one. */
  window?: readonly [width: number, height: number];
  /** Offered for events only. */
  eventsOnly?: boolean;
}

function shareUrl(base: string, parameters: Record<string, string>): string {
  return `${base}?${new URLSearchParams(parameters)}`;
}

/** In the order in which they are offered. */
export const networks: readonly Network[] = [
  {
    name: 'Instagram',
    shareUrl: () => 'https://www.instagram.com/',
    window: [600, 400],
    eventsOnly: true,
  },
  {
    name: 'Facebook',
    shareUrl: ({ url }) => shareUrl('https://www.facebook.com/sharer/sharer.php', { u: url }),
  },
  {
    name: 'X',
    shareUrl: ({ url, title }) => shareUrl('https://x.com/intent/post', { url, text: title }),
  },
  {
    name: 'LinkedIn',
    shareUrl: ({ url }) => shareUrl('https://www.linkedin.com/sharing/share-offsite/', { url }),
  },
  {
    name: 'WhatsApp',
    shareUrl: ({ url, title }) => shareUrl('https://api.whatsapp.com/send', { text: `${title} ${url}` }),
  },
  {
    name: en.email,
    shareUrl: ({ url, title }) =>
      `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(url)}`,
  },
  {
    name: 'Reddit',
    shareUrl: ({ url, title }) => shareUrl('https://www.reddit.com/submit', { url, title }),
  },
  {
    name: 'Telegram',
    shareUrl: ({ url, title }) => shareUrl('https://t.me/share/url', { url, text: title }),
  },
  {
    name: 'Weibo',
    shareUrl: ({ url, title }) => shareUrl('https://service.weibo.com/share/share.php', { url, title }),
    window: [660, 550],
  },
  {
    name: 'Workplace',
    shareUrl: ({ url }) => shareUrl('https://work.facebook.com/sharer.php', { display: 'popup', u: url }),
  },
];
