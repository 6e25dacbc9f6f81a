import type { PostSummary } from '#shared/models/post.ts';
import type { Category } from '#shared/models/topic.ts';
import { site } from '#shared/site.ts';
import { articlePath, topicPath } from '#shared/urls.ts';

function item(title: string, href: string, note: string | null): string {
  const line = `- [${title.replace(/[[\]\\]/g, '\\$&')}](${href})`;
  return note ? `${line}: ${note}` : line;
}

/** Returns `/llms.txt`: links for language models, each article as its Markdown alternate. */
export function llmsText(
  categories: readonly Category[],
  posts: readonly PostSummary[],
  origin: string,
): string {
  const absolute = (path: string) => new URL(path, origin).href;
  return [
    `# ${site.name}`,
    '',
    `> ${site.description}`,
    '',
    'Every article is there as Markdown too: its address with `.md` at the end.',
    '',
    '## Sections',
    '',
    ...categories.map(({ name, slug }) => item(name, absolute(topicPath(slug)), null)),
    '',
    '## Latest articles',
    '',
    ...posts.map((post) => item(post.title, `${absolute(articlePath(post))}.md`, post.excerpt)),
    '',
    '## Optional',
    '',
    item('RSS feed', absolute('/feed.xml'), null),
    item('Sitemap', absolute('/sitemap.xml'), null),
    '',
  ].join('\n');
}
