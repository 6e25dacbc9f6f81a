import { useEffect } from 'react';
import { ScrollRestoration } from 'react-router';
import { routerLoader } from '#client/api/page-loader.ts';
import { Layout } from '#client/layout/layout.tsx';
import { useSettings } from '#client/layout/site-context.tsx';

/** Renders the document around every page. `entry-server.tsx` adds the build's tags and the state block. */
export function Root() {
  const site = useSettings();
  // Read by `load-scripts.ts`, the speculation rules and the browser tests.
  useEffect(() => document.documentElement.setAttribute('data-hydrated', ''), []);
  return (
    <html lang={site.language} dir={site.direction === 'rtl' ? 'rtl' : undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <link
          rel="search"
          href="/opensearch.xml"
          type="application/opensearchdescription+xml"
          title={site.name}
        />
        <link rel="alternate" href="/feed.xml" type="application/rss+xml" title={site.name} />
        <link rel="alternate" href="/feed.atom" type="application/atom+xml" title={site.name} />
        <link rel="alternate" href="/feed.json" type="application/feed+json" title={site.name} />
      </head>
      <body>
        <Layout />
        <ScrollRestoration />
      </body>
    </html>
  );
}

/** Loads the data of the layout: the menus. */
export const rootLoader = routerLoader(({ api }) => api.navigation());
