import type { Post } from './publish-content.ts';
import { stableId } from './stable-id.ts';

/** A filter of posts; a missing property does not restrict. */
export interface Selection {
  category?: string;
  subcategory?: string | undefined;
  /** Id of the author. */
  author?: string;
  /** Posts that another list of the page has. */
  without?: readonly Post[];
}

/** The published posts, and the selections for each list of the site. Newest first where nothing else is said. */
export type PostRepository = ReturnType<typeof createPostRepository>;

/** Makes the repository of posts that are sorted newest first. */
export function createPostRepository(posts: readonly Post[]) {
  const byId = new Map(posts.map((post) => [String(post.id), post]));
  const byAddress = new Map(posts.map((post) => [`${post.category}/${post.slug}`, post]));

  const shuffled = posts
    .map((post) => ({ post, chance: stableId(`popular ${post.slug}`) }))
    .sort((a, b) => a.chance - b.chance)
    .map(({ post }) => post);

  function select({ category, subcategory, author, without = [] }: Selection): Post[] {
    return posts.filter(
      (post) =>
        (category === undefined || post.category === category) &&
        (author === undefined || String(post.authorId) === author) &&
        (subcategory === undefined || post.subcategories.includes(subcategory)) &&
        !without.includes(post),
    );
  }

  return {
    posts,
    select,
    newest: (count: number, selection: Selection = {}) => select(selection).slice(0, count),
    has: (postId: string) => byId.has(postId),
    find: (category: string, slug: string) => byAddress.get(`${category}/${slug}`) ?? null,

    /** Editors' picks: posts with a banner, the first three of three sections. */
    frontPage(count: number): Post[] {
      const shown = posts.filter((post) => post.bannerShow);
      const lead: Post[] = [];
      for (const post of shown) {
        if (lead.length === 3) break;
        if (!lead.some(({ category }) => category === post.category)) lead.push(post);
      }
      return [...lead, ...shown.filter((post) => !lead.includes(post))].slice(0, count);
    },

    /** Most viewed first; those without views follow in a random order that never changes. */
    popular(count: number, views: ReadonlyMap<string, number>): Post[] {
      const viewsOf = (post: Post) => views.get(String(post.id)) ?? 0;
      return shuffled.toSorted((a, b) => viewsOf(b) - viewsOf(a)).slice(0, count);
    },

    /** Guest posts and interviews together. */
    voices: (count: number, selection: Selection = {}) =>
      select(selection)
        .filter(({ category }) => category === 'guest-author' || category === 'interview')
        .slice(0, count),
  };
}
