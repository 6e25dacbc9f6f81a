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
  /** Drawn in a 24 by 24 field. */
  icon: string;
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
    icon: 'M14 21v-7h2.6l.5-3.2H14V8.9c0-1 .4-1.7 1.8-1.7h1.4V4.4a17 17 0 0 0-2.1-.2c-2.3 0-3.8 1.4-3.8 4v2.6H8.7V14h2.6v7z',
  },
  {
    name: 'X',
    address: ({ url, title }) => address('https://x.com/intent/post', { url, text: title }),
    window: DEFAULT_WINDOW,
    icon: 'M4 4h4.6l3.8 5.3L17 4h2.6l-6 6.9L20 20h-4.6l-4.1-5.7L6.300 20H3.700l6.500-7.500zm3.300 1.600 8.900 12.800h1.300L8.600 5.600z',
  },
  {
    name: 'LinkedIn',
    address: ({ url }) => address('https://www.linkedin.com/sharing/share-offsite/', { url }),
    window: DEFAULT_WINDOW,
    icon: 'M4.500 9.500h3v10h-3zM6 4.500a1.700 1.700 0 1 1 0 3.400 1.700 1.700 0 0 1 0-3.400zM9.500 9.500h2.900v1.400c.5-.9 1.500-1.600 3-1.600 2.600 0 4.100 1.600 4.100 4.500v5.700h-3v-5.200c0-1.500-.6-2.300-1.800-2.300-1.300 0-2.200.9-2.200 2.500v5h-3z',
  },
  {
    name: 'WhatsApp',
    address: ({ url, title }) => address('https://api.whatsapp.com/send', { text: `${title} ${url}` }),
    window: [550, 400],
    icon: 'M12 4a8 8 0 0 0-6.900 12L4 20l4.100-1.100A8 8 0 1 0 12 4zm0 1.500a6.500 6.500 0 1 1-3.300 12.100l-2.500.7.700-2.400A6.500 6.500 0 0 1 12 5.500zM9.500 8.200c-.3 0-.9.4-.9 1.600 0 1.300 1 2.600 2.600 4 1.900 1.600 3.300 1.700 4.100.8.600-.700.4-1.200 0-1.500l-1.300-.700c-.6-.2-.8.8-1.200.8-.5 0-2.200-1.500-2.200-2 0-.4.8-.600.600-1.200-.4-1-.7-1.800-1.700-1.800z',
  },
  {
    name: 'Email',
    address: ({ url, title }) =>
      `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(url)}`,
    window: DEFAULT_WINDOW,
    icon: 'M4 6h16v12H4zm1.500 1.500v.6l6.500 4.700 6.500-4.700v-.6zm0 2.500v6.500h13V10L12 14.600z',
  },
  {
    name: 'Reddit',
    address: ({ url, title }) => address('https://www.reddit.com/submit', { url, title }),
    window: DEFAULT_WINDOW,
    icon: 'M12 8.500c4.400 0 8 2.400 8 5.500s-3.600 5.500-8 5.500S4 17.100 4 14s3.600-5.500 8-5.500zm-3 4a1.200 1.200 0 1 0 0 2.400 1.200 1.200 0 0 0 0-2.400zm6 0a1.200 1.200 0 1 0 0 2.400 1.200 1.200 0 0 0 0-2.400zm-5.500 4c1.500 1 3.500 1 5 0M12 8.500l1-4 3.500.8a1.200 1.200 0 1 0 0-1l-4.200-1z',
  },
  {
    name: 'Telegram',
    address: ({ url, title }) => address('https://t.me/share/url', { url, text: title }),
    window: DEFAULT_WINDOW,
    icon: 'M20 4.500 3.500 11l4.700 1.600L10 18.500l2.600-2.600 4.400 3.200zM9.600 12.300l7.200-4.900-5.800 6-.3 2.600z',
  },
  {
    name: 'Weibo',
    address: ({ url, title }) => address('https://service.weibo.com/share/share.php', { url, title }),
    window: [660, 550],
    icon: 'M10.500 10c-3.900 0-7 2-7 4.700S6.600 19 10.500 19s7-2 7-4.400c0-1.400-1-2.200-2.200-2.600.5-1.600-.8-2-2.600-1.400.2-.4 0-.6-2.200-.6zm0 2.500a3 3 0 1 1 0 5 3 3 0 0 1 0-5zM15 5.500a5 5 0 0 1 5 5m-5-2.500a2.500 2.500 0 0 1 2.500 2.500',
  },
  {
    name: 'Workplace',
    address: ({ url }) => address('https://work.facebook.com/sharer.php', { display: 'popup', u: url }),
    window: [550, 400],
    icon: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM7 9h1.700l1.300 4 1.300-4h1.400l1.300 4 1.300-4H17l-2.300 6.500h-1.400L12 11.600l-1.300 3.900H9.300z',
  },
  {
    name: 'Instagram',
    address: () => 'https://www.instagram.com/',
    window: [600, 400],
    icon: 'M8 4h8a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4zm0 1.500A2.500 2.500 0 0 0 5.500 8v8A2.500 2.500 0 0 0 8 18.500h8a2.500 2.500 0 0 0 2.500-2.500V8A2.500 2.500 0 0 0 16 5.500zM12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zm0 1.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5zM16.500 6.500a1 1 0 1 1 0 2 1 1 0 0 1 0-2z',
    eventsOnly: true,
  },
];
