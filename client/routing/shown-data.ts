import type { RouterState } from 'react-router';

/** How many pages are kept. */
const MAX_PAGES = 10;

/** Returns what keeps the data of the last pages that were shown, for Back and Forward without a network. */
export function createShownData({ location }: Pick<Window, 'location'>) {
  const byUrl = new Map<string, unknown>();
  const pageUrl = () => location.href.replace(/#.*/, '');

  return {
    /** Keeps the data of the page that a router shows. */
    keep({ navigation, matches, loaderData }: RouterState): void {
      const data = loaderData[matches.at(-1)?.route.id ?? ''];
      if (navigation.state !== 'idle' || !data) return;
      byUrl.delete(pageUrl());
      byUrl.set(pageUrl(), data);
      for (const oldest of byUrl.keys()) if (byUrl.size > MAX_PAGES) byUrl.delete(oldest);
    },
    /** Returns the data of a page that Back or Forward leads to: the address has changed then before anything is loaded. */
    returnedTo: (url: string) => (url === pageUrl() ? byUrl.get(url) : undefined),
  };
}
