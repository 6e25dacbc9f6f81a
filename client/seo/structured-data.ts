import type { StaticHandlerContext } from 'react-router';
import type { Graph, Thing } from 'schema-dts';
import { articleGraph } from './article-graph.ts';
import { eventGraph } from './event-graph.ts';
import { organization, website } from './site-graph.ts';
import { tagGraph, topicGraph } from './topic-graph.ts';

/** What a page's graph is made from: the loader data of its route. */
type GraphBuilder = (data: never, origin: string) => Thing[];

/** Pages that say more of themselves than whose site they are on, by route id. */
const builders: Readonly<Record<string, GraphBuilder>> = {
  article: articleGraph,
  event: eventGraph,
  topic: topicGraph,
  subtopic: topicGraph,
  tag: tagGraph,
};

/**
 * The JSON-LD of a page, as a data block for the head: one graph with the publisher, the site and the page's own
 * things. Nothing when the page failed. Made on the server alone: browsers have no use for it.
 */
export function structuredData(
  context: Pick<StaticHandlerContext, 'matches' | 'loaderData' | 'errors'>,
  origin: string,
): string {
  const route = context.matches.at(-1)?.route.id;
  if (route === undefined || context.errors) return '';
  const build = builders[route];
  // Each builder names the data of its own route; the page table pairs the two.
  const own = build ? build(context.loaderData[route] as never, origin) : [];
  return dataBlock({
    '@context': 'https://schema.org',
    '@graph': [organization(origin), website(origin), ...own],
  });
}

/** `<` is escaped, so that no text can end the element. */
function dataBlock(graph: Graph): string {
  return `<script type="application/ld+json">${JSON.stringify(graph).replaceAll('<', '\\u003c')}</script>`;
}
