import type { StaticHandlerContext } from 'react-router';
import type { Graph, Thing } from 'schema-dts';
import type { SiteSettings } from '#shared/site.ts';
import { articleGraph } from './article-graph.ts';
import { eventGraph } from './event-graph.ts';
import { authorGraph, tagGraph, topicGraph } from './list-graphs.ts';
import { organization, website } from './site-graph.ts';

/** Makes a page's things from the loader data of its route. */
type GraphBuilder = (data: never, origin: string, site: SiteSettings) => Thing[];

/** Pages with structured data besides publisher and site, by route id. */
const builders: Readonly<Record<string, GraphBuilder>> = {
  article: articleGraph,
  author: authorGraph,
  event: eventGraph,
  topic: topicGraph,
  subtopic: topicGraph,
  tag: tagGraph,
};

/**
 * Returns the JSON-LD of a page as a script element for the head: one graph with the publisher, the site and the page's own
 * things. Empty for an error page. Not part of React's tree, so that browsers load none of this code.
 */
export function structuredData(
  context: Pick<StaticHandlerContext, 'matches' | 'loaderData' | 'errors'>,
  origin: string,
  site: SiteSettings,
): string {
  const route = context.matches.at(-1)?.route.id;
  if (route === undefined || context.errors) return '';
  const build = builders[route];
  // Each builder takes the data of its own route, which the types cannot tell.
  const own = build ? build(context.loaderData[route] as never, origin, site) : [];
  const graph: Graph = {
    '@context': 'https://schema.org',
    '@graph': [organization(origin, site), website(origin, site), ...own],
  };
  // No text can end the element.
  return `<script type="application/ld+json">${JSON.stringify(graph).replaceAll('<', '\\u003c')}</script>`;
}
