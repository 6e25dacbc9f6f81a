/** What a network's share address is made of. */
export interface Shared {
  /** The page's absolute address. */
  url: string;
  title: string;
}

/** A social network that a page can be shared to (window sizes: specification, section 9). */
export interface Network {
  name: string;
  address: (shared: Shared) => string;
  window: readonly [width: number, height: number];
  /** Only beside events. */
  eventsOnly?: boolean;
}

const DEFAULT_WINDOW = [550, 400] as const;

function address(base: string, parameters: Record<string, string>): string {
  return `${base}?${new URLSearchParams(parameters)}`;
}

export const networks: readonly Network[] = [
  {
    name: 'Facebook',
    address: ({ url }) => address('https://www.facebook.com/sharer/sharer.php', { u: url }),
    window: DEFAULT_WINDOW,
  },
  {
    name: 'X',
    address: ({ url, title }) => address('https://x.com/intent/post', { url, text: title }),
    window: DEFAULT_WINDOW,
  },
  {
    name: 'LinkedIn',
    address: ({ url }) => address('https://www.linkedin.com/sharing/share-offsite/', { url }),
    window: DEFAULT_WINDOW,
  },
  {
    name: 'WhatsApp',
    address: ({ url, title }) => address('https://api.whatsapp.com/send', { text: `${title} ${url}` }),
    window: [550, 400],
  },
  {
    name: 'Email',
    address: ({ url, title }) =>
      `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(url)}`,
    window: DEFAULT_WINDOW,
  },
  {
    name: 'Reddit',
    address: ({ url, title }) => address('https://www.reddit.com/submit', { url, title }),
    window: DEFAULT_WINDOW,
  },
  {
    name: 'Telegram',
    address: ({ url, title }) => address('https://t.me/share/url', { url, text: title }),
    window: DEFAULT_WINDOW,
  },
  {
    name: 'Weibo',
    address: ({ url, title }) => address('https://service.weibo.com/share/share.php', { url, title }),
    window: [660, 550],
  },
  {
    name: 'Workplace',
    address: ({ url }) => address('https://work.facebook.com/sharer.php', { display: 'popup', u: url }),
    window: [550, 400],
  },
  {
    name: 'Instagram',
    address: () => 'https://www.instagram.com/',
    window: [600, 400],
    eventsOnly: true,
  },
];
