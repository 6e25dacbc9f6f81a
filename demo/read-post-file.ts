import { z } from 'zod';
import { checkFigures, checkPostHtml, type Problem } from './check-post-html.ts';

/** A post as its file has it, with dates relative to the day on which the demo CMS starts. */
export interface PostEntry {
  /** The folder of the file. */
  category: string;
  /** The name of the file. */
  slug: string;
  /** Plain text, as are `deck` and `keywords`. */
  title: string;
  subcategories: readonly string[];
  /** Key of its author. */
  author: string;
  daysAgo: number;
  /** `HH:MM`, UTC. */
  at: string;
  deck: string;
  keywords: readonly string[];
  bannerShow: boolean;
  podcast: string | null;
  bodyHtml: string;
  /** Number of figures in the body: `/figures/<slug>-1.jpg` on. */
  figures: number;
}

const PLAIN_TEXT = z
  .string()
  .min(1, 'a text')
  .refine((text) => !/<|&#?\w+;/.test(text), 'plain text without tags or entities');
const LIST = z
  .string()
  .transform((text) => text.split(',').map((item) => item.trim()))
  .pipe(z.array(z.string().min(1, 'words between the commas')));
const VIDEO_ADDRESS =
  /^https:\/\/(www\.youtube\.com\/watch\?v=[\w-]{11}|youtu\.be\/[\w-]{11}|vimeo\.com\/\d{9})$/;

const HEAD = z.strictObject({
  title: PLAIN_TEXT,
  subcategories: LIST,
  author: z.string().min(1, 'the key of an author'),
  daysAgo: z.string().regex(/^\d{1,4}$/, 'a whole number of days'),
  at: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day such as 08:30'),
  deck: PLAIN_TEXT,
  keywords: LIST,
  banner: z.enum(['show', 'hide'], 'show or hide'),
  podcast: z.string().regex(VIDEO_ADDRESS, 'the address of a YouTube or Vimeo video').optional(),
});

type HeadLines = Map<string, { value: string; line: number }>;

/**
 * Reads a post's file: lines `key: value`, a line `---`, then the HTML body.
 * Never throws: returns the mistakes by line, and `entry` is null then.
 */
export function readPostFile(
  text: string,
  { category, slug }: Pick<PostEntry, 'category' | 'slug'>,
): { entry: PostEntry; problems: [] } | { entry: null; problems: Problem[] } {
  const lines = text.split(/\r?\n/);
  const end = lines.indexOf('---');
  if (end === -1) return { entry: null, problems: [{ line: 1, expected: 'a line --- after the head' }] };

  const { head, problems } = readHead(lines.slice(0, end));
  const bodyHtml = lines
    .slice(end + 1)
    .join('\n')
    .trimEnd();
  const { figures, problems: figureProblems } = checkFigures(bodyHtml, slug);
  const bodyProblems = [...checkPostHtml(bodyHtml), ...figureProblems];
  if (bodyHtml.trim() === '') bodyProblems.push({ line: 1, expected: 'a body after ---' });
  problems.push(...bodyProblems.map(({ line, expected }) => ({ line: line + end + 1, expected })));

  const checked = HEAD.safeParse(Object.fromEntries([...head].map(([key, { value }]) => [key, value])));
  if (!checked.success) problems.push(...headProblems(checked.error, head));
  else problems.push(...podcastProblems(category, head));
  if (problems.length > 0 || !checked.success) return { entry: null, problems };

  const { daysAgo, banner, podcast, ...rest } = checked.data;
  const entry = {
    ...rest,
    category,
    slug,
    daysAgo: Number(daysAgo),
    bannerShow: banner === 'show',
    podcast: podcast ?? null,
    bodyHtml,
    figures,
  };
  return { entry, problems: [] };
}

function readHead(lines: string[]): { head: HeadLines; problems: Problem[] } {
  const head: HeadLines = new Map();
  const problems: Problem[] = [];
  for (const [index, text] of lines.entries()) {
    const line = index + 1;
    const colon = text.indexOf(':');
    const key = text.slice(0, colon).trim();
    if (colon < 1) problems.push({ line, expected: 'key: value' });
    else if (head.has(key)) problems.push({ line, expected: `one line ${key}, not two` });
    else head.set(key, { value: text.slice(colon + 1).trim(), line });
  }
  return { head, problems };
}

function headProblems(error: z.ZodError, head: HeadLines): Problem[] {
  return error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const [key = ''] = issue.keys;
      return { line: head.get(key)?.line ?? 1, expected: `no line ${issue.keys.join(', ')}` };
    }
    const key = String(issue.path[0]);
    const line = head.get(key)?.line;
    if (line === undefined) return { line: 1, expected: `a line ${key} in the head` };
    return { line, expected: `${key}: ${issue.message}` };
  });
}

function podcastProblems(category: string, head: HeadLines): Problem[] {
  const line = head.get('podcast')?.line;
  if (category === 'podcasts' && line === undefined)
    return [{ line: 1, expected: 'a line podcast in the head' }];
  if (category !== 'podcasts' && line !== undefined)
    return [{ line, expected: 'no line podcast outside podcasts' }];
  return [];
}
