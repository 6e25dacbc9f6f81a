import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { z } from 'zod';
import { checkPostHtml } from './check-post-html.ts';
import { type PostEntry, readPostFile } from './read-post-file.ts';
import { stableId } from './stable-id.ts';

/** The content has mistakes. The message has a line for each: file, line if known, what is expected. */
export class ContentError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The demo content has mistakes:\n${problems.join('\n')}`);
    this.name = 'ContentError';
    this.problems = problems;
  }
}

/** Folder of the content that comes with the demo CMS. */
export const CONTENT_DIR = join(import.meta.dirname, 'content');

const slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'a slug: lower-case words joined by hyphens');
const text = z.string().min(1, 'a text');
const address = z.url({ protocol: /^https?$/, error: 'an http or https address' });

const namedSlug = z.strictObject({ slug, name: text });
const author = z.strictObject({ key: slug, name: text, description: text, photo: z.boolean() });
const event = z.strictObject({
  slug,
  title: text,
  /** Days from the day on which the demo CMS starts; negative for past ones. */
  inDays: z.int(),
  /** Duration in days. */
  days: z.int().positive().default(1),
  location: text,
  link: address.nullable(),
  podcast: address.nullable(),
  bannerShow: z.boolean(),
  descriptionHtml: text,
});
const advertisement = z.strictObject({
  slot: z.enum(['Post-1', 'Home-2', 'Footer-3']),
  key: slug,
  advertiser: text,
  headline: text,
  line: text,
  callToAction: text,
  destination: address,
  /** Rotation interval; null: the site's default. */
  seconds: z.number().positive().nullable(),
});

/** A slug and its display name. */
export type NamedSlug = z.infer<typeof namedSlug>;
export type AuthorEntry = z.infer<typeof author>;
export type EventEntry = z.infer<typeof event>;
export type AdvertisementEntry = z.infer<typeof advertisement>;

/** Everything that the demo CMS publishes. */
export interface Content {
  posts: readonly PostEntry[];
  authors: readonly AuthorEntry[];
  events: readonly EventEntry[];
  advertisements: readonly AdvertisementEntry[];
  categories: readonly NamedSlug[];
  subcategories: readonly NamedSlug[];
}

/** That of an empty folder. */
export const NO_CONTENT: Content = {
  posts: [],
  authors: [],
  events: [],
  advertisements: [],
  categories: [],
  subcategories: [],
};

const taxonomyFile = z.strictObject({
  categories: z.array(namedSlug),
  subcategories: z.array(namedSlug),
});

/**
 * Reads the content of a folder: `posts/<category>/<slug>.html`, `authors.json`, `events.json`,
 * `taxonomy.json`, `advertisements.json`. A missing file counts as an empty list.
 * Throws `ContentError` with every mistake.
 */
export function loadContent(dir: string = CONTENT_DIR): Content {
  const problems: string[] = [];
  const content: Content = {
    posts: readPosts(),
    authors: readJson('authors.json', z.array(author), []),
    events: readJson('events.json', z.array(event), []),
    advertisements: readJson('advertisements.json', z.array(advertisement), []),
    ...readJson('taxonomy.json', taxonomyFile, { categories: [], subcategories: [] }),
  };
  problems.push(...consistencyProblems(content));
  if (problems.length > 0) throw new ContentError(problems);
  return content;

  function readJson<T>(file: string, schema: z.ZodType<T>, absent: T): T {
    const path = join(dir, file);
    if (!existsSync(path)) return absent;
    try {
      const read = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
      if (read.success) return read.data;
      for (const { path, message } of read.error.issues)
        problems.push(`${file}: at ${path.join('.')}: expected ${message}`);
    } catch (error) {
      problems.push(`${file}: expected JSON: ${error instanceof Error ? error.message : error}`);
    }
    return absent;
  }

  function readPosts(): PostEntry[] {
    if (!existsSync(join(dir, 'posts'))) return [];
    const files = readdirSync(join(dir, 'posts'), { recursive: true, encoding: 'utf8' }).sort();
    return files.flatMap((file) => {
      const [category = '', name = '', ...deeper] = file.split(sep);
      if (!name.endsWith('.html') || deeper.length > 0) return [];
      const post = { category, slug: name.replace(/\.html$/, '') };
      const read = readPostFile(readFileSync(join(dir, 'posts', file), 'utf8'), post);
      problems.push(
        ...read.problems.map(({ line, expected }) => `${join('posts', file)}:${line}: expected ${expected}`),
      );
      return read.entry ? [read.entry] : [];
    });
  }
}

function consistencyProblems({ posts, authors, events, advertisements, ...taxonomy }: Content): string[] {
  const authorKeys = new Set(authors.map(({ key }) => key));
  const categories = new Set(taxonomy.categories.map(({ slug }) => slug));
  const subcategories = new Set(taxonomy.subcategories.map(({ slug }) => slug));
  const ofPosts = posts.flatMap((post) => {
    const file = `posts/${post.category}/${post.slug}.html`;
    const found: string[] = [];
    if (!slug.safeParse(post.slug).success) found.push(`${file}: expected a file name of lower-case words`);
    if (!categories.has(post.category))
      found.push(`${file}: expected its folder to be a category of taxonomy.json`);
    if (!authorKeys.has(post.author))
      found.push(`${file}: expected an author of authors.json, not "${post.author}"`);
    for (const name of post.subcategories)
      if (!subcategories.has(name))
        found.push(`${file}: expected a sub-category of taxonomy.json, not "${name}"`);
    return found;
  });
  const ofEvents = events.flatMap((event) =>
    checkPostHtml(event.descriptionHtml).map(
      ({ expected }) => `events.json: ${event.slug}: expected ${expected}`,
    ),
  );
  return [
    ...ofPosts,
    ...ofEvents,
    ...repeated('posts: the slug', posts, (post) => post.slug),
    ...repeated('posts: the id', posts, (post) => String(stableId(post.slug))),
    ...repeated('events.json: the slug', events, (event) => event.slug),
    ...repeated('authors.json: the key', authors, (author) => author.key),
    ...repeated('advertisements.json: the key', advertisements, (ad) => ad.key),
  ];
}

function repeated<T>(what: string, items: readonly T[], of: (item: T) => string): string[] {
  const seen = new Set<string>();
  return items.map(of).flatMap((name) => {
    if (seen.has(name)) return [`${what} "${name}" is used twice: expected one`];
    seen.add(name);
    return [];
  });
}
