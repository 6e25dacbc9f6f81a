import type { Term } from './post-fields.ts';

/** The sections in the order of the specification, and other slugs that publications give such categories. */
const SECTIONS: [slug: string, name: string, ...usual: string[]][] = [
  ['news', 'News'],
  ['quickbytes', 'Quick Bytes', 'quick-bytes', 'briefs', 'in-brief', 'shorts'],
  ['podcasts', 'Podcasts', 'podcast'],
  ['interview', 'Hot Seats', 'interviews', 'hot-seats', 'hot-seat', 'q-and-a', 'qa'],
  ['future-ready', 'Future Ready', 'trends', 'future'],
  ['guest-author', 'Guest Author', 'guest-authors', 'guest-posts', 'guest-post', 'contributors', 'opinion'],
  ['featured', 'Articles', 'articles', 'article', 'features'],
  ['learning-center', 'Learning Center', 'learning-centre', 'learning', 'resources', 'guides'],
];
/** What no other section has. */
export const NEWS = 'news';
/** Slugs of the category that WordPress gives to posts without one, in languages that many publish in. */
const UNCATEGORIZED =
  /^(uncategori[sz]ed|allgemein|non-classe|s[ie][nm]-categoria|senza-categoria|geen-categorie|未分[類类])$/;

export type Sections = ReturnType<typeof createSections>;

/** Parses `interview=interviews,q-and-a;podcasts=podcast` into sections, each with slugs of categories. */
export function parseSections(text: string): [section: string, slugs: string[]][] {
  const parts = (list: string, by: RegExp) => list.trim().split(by).filter(Boolean);
  return parts(text, /\s*;\s*/).map((entry) => {
    const [section = '', slugs = ''] = parts(entry, /\s*=\s*/);
    return [section, parts(slugs, /\s*,\s*/)];
  });
}

/**
 * Returns the sections of a WordPress's categories. `configured`: WORDPRESS_SECTIONS, or an empty text. A category below
 * that of a section belongs to it too. A post has one section: the first, in the order of the specification, that one of
 * its categories belongs to, else news.
 */
export function createSections(categories: readonly Term[], configured: string) {
  const given = new Map(parseSections(configured));
  const names = new Map(SECTIONS.map(([slug, name]) => [slug, name]));
  const slugs = [...new Set([...SECTIONS.map(([slug]) => slug), ...given.keys()])];
  const sectionBySlug = new Map([
    ...SECTIONS.flatMap(([slug, , ...usual]) =>
      given.has(slug) ? [] : [slug, ...usual].map((each) => [each, slug] as const),
    ),
    ...[...given].flatMap(([section, list]) => list.map((each) => [each, section] as const)),
  ]);
  const byId = new Map(categories.map((category) => [category.id, category]));
  const sections = slugs.map((slug) => {
    const ids = new Set(categories.filter((category) => inherited(category) === slug).map(({ id }) => id));
    const own = categories.find((category) => sectionBySlug.get(category.slug) === slug);
    return { slug, name: names.get(slug) ?? own?.name ?? slug, ids };
  });

  function inherited(category: Term | undefined, depth = 0): string | undefined {
    if (!category || depth > categories.length) return undefined;
    return sectionBySlug.get(category.slug) ?? inherited(byId.get(category.parent), depth + 1);
  }

  const sectionOf = (ids: readonly number[]) =>
    sections.find((section) => ids.some((id) => section.ids.has(id)))?.slug ?? NEWS;
  const idsOf = (list: typeof sections) => list.flatMap(({ ids }) => [...ids]).join(',') || undefined;

  const slugsOfCategories = new Set(categories.map(({ slug }) => slug));

  return {
    /** Categories that are configured, and that the WordPress does not have. */
    unknown: [...given.values()].flat().filter((slug) => !slugsOfCategories.has(slug)),
    /** Those that can have posts. */
    all: sections.filter(({ slug, ids }) => slug === NEWS || ids.size > 0),
    /** Categories without a section of their own. */
    subcategories: categories.filter(
      ({ slug, count }) => count > 0 && !sectionBySlug.has(slug) && !UNCATEGORIZED.test(slug),
    ),
    sectionOf,
    /** Path of the page of a category or a tag: its section's where its own slug is one of a section's. */
    pathOf: ({ id, slug }: Pick<Term, 'id' | 'slug'>) =>
      (sectionBySlug.has(slug) && byId.has(id)) || UNCATEGORIZED.test(slug)
        ? `/topic/${encodeURIComponent(sectionOf([id]))}`
        : `/tag/${encodeURIComponent(slug)}`,
    /** What to ask WordPress for, to get the posts of some sections alone; null where they have no category. */
    queryOf(wanted: readonly string[]) {
      const isWanted = ({ slug }: { slug: string }) => wanted.includes(slug);
      const own = idsOf(sections.filter(isWanted));
      if (!wanted.includes(NEWS)) {
        const earlier = idsOf(sections.slice(0, sections.findIndex(isWanted)));
        return own === undefined ? null : { categories: own, categories_exclude: earlier };
      }
      // Everything else is news. One request gets it, because WordPress joins the two clauses by OR where it is asked to.
      const others = idsOf(sections.filter((section) => !isWanted(section)));
      if (others === undefined) return {};
      return { categories: own, categories_exclude: others, ...(own && { tax_relation: 'OR' }) };
    },
  };
}
