import { readdir, readFile, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { z } from 'zod';
import { defaultSite, type SiteSettings } from '#shared/site.ts';
import { textsOf } from '#shared/texts/languages.ts';
import { type MarkdownPage, type RenderHtml, readMarkdownPage } from './markdown-pages.ts';
import { type FindRedirect, readRedirects } from './redirects.ts';
import { addFile, addHashedFile, addIcons, SITE_ASSETS, type SiteFiles } from './site-files.ts';
import { Mistakes, SiteFolderError } from './site-folder-error.ts';
import { type CspAdditions, cspSchema, siteSchema } from './site-schema.ts';
import {
  checkAddresses,
  lowContrasts,
  paperColours,
  readTokens,
  sectionRules,
  type Tokens,
} from './theme.ts';

/** What the site folder says, checked. */
export interface SiteFolder {
  settings: SiteSettings;
  /** Where subscriptions go in place of the upstream; null: to the upstream. */
  subscribeUrl: string | null;
  /** By path: those of `root/` and the icons, and below `/assets/site` those with a hash, and fonts. */
  files: SiteFiles;
  /** Path of the style sheet; null where there are neither `theme.css` nor colours of sections. */
  theme: string | null;
  /** Font families of the build that the theme replaces. */
  replacedFonts: readonly string[];
  /** Background colours of the theme. */
  paper: { light: string; dark: string };
  /** Path of the module with the settings, for hydration. */
  module: string;
  pages: ReadonlyMap<string, MarkdownPage>;
  redirect: FindRedirect | null;
  csp: CspAdditions;
  /** Pairs of colours with too little contrast, and a language without texts. */
  warnings: readonly string[];
}

export interface ReadSiteFolderOptions {
  /** Null: as if it were empty. */
  dir: string | null;
  /** The custom properties of the build's style sheet. */
  tokens: Tokens;
  render: RenderHtml;
  noIndex: boolean;
  /** Single-segment paths of the built-in pages; a page of the publisher's own replaces those of `replaceable`. */
  builtIn: { all: readonly string[]; replaceable: readonly string[] };
}

const MAX_FILES = 1_000;
const MAX_BYTES = 50 * 1024 * 1024;
/** Of a wrong value, in characters. */
const MAX_SHOWN = 80;
const KNOWN =
  /^(README\.md|site\.json|theme\.css|logo\.svg|icon\.svg|share\.png|redirects\.txt|tags\.js|csp\.json|(fonts|root)\/.+|pages\/[^/]+\.md)$/;
const PAGE_NAME = /^pages\/([\p{Ll}\p{N}][\p{Ll}\p{N}_-]{0,99})\.md$/u;

/** Paths of the regular files of a folder with what changes when they do. Names that begin with a dot are left out, except `.well-known`. */
export async function listFiles(
  dir: string,
): Promise<{ path: string; size: number; mtimeMs: number; ino: number }[]> {
  const names = await readdir(dir, { recursive: true });
  const paths = names
    .map((name) => name.split(sep).join('/'))
    .filter((path) => !/(^|\/)\.(?!well-known(\/|$))/.test(path));
  const found = await Promise.all(
    paths.sort().map(async (path) => {
      const found = await stat(join(dir, path));
      return found.isFile() ? [{ path, size: found.size, mtimeMs: found.mtimeMs, ino: found.ino }] : [];
    }),
  );
  return found.flat();
}

/** Reads and checks the whole folder. Rejects with a `SiteFolderError` that names every mistake. */
export async function readSiteFolder({
  dir,
  tokens,
  render,
  noIndex,
  builtIn,
}: ReadSiteFolderOptions): Promise<SiteFolder> {
  const mistakes = new Mistakes();
  const contents = dir === null ? new Map<string, Buffer>() : await readContents(dir, mistakes);
  // Editors of Windows begin a text with a byte order mark.
  const text = (file: string) =>
    contents
      .get(file)
      ?.toString('utf8')
      .replace(/^\uFEFF/, '') ?? null;
  const given = parseJson('site.json', text('site.json'), siteSchema, mistakes);
  const csp = parseJson('csp.json', text('csp.json'), cspSchema, mistakes);
  const redirects = text('redirects.txt');
  const redirect = redirects === null ? null : await readRedirects(redirects, mistakes);
  const texts = textsOf(given.language ?? defaultSite.language);
  const pages = readPages(contents, (html) => render(html, texts), builtIn, mistakes);

  const files: SiteFiles = new Map();
  if (dir !== null) await addPictures(dir, files, contents, mistakes);
  for (const [path, body] of contents) {
    if (path.startsWith('fonts/')) addFile(files, `${SITE_ASSETS}/${path}`, body);
    // By the path as browsers write it.
    if (path.startsWith('root/'))
      addFile(files, encodeURI(path.slice('root'.length)).replace(/[?#]/g, encodeURIComponent), body);
  }
  const hashed = (file: string) => {
    const body = contents.get(file);
    return body ? addHashedFile(files, file, body) : null;
  };
  const { forms, ads, crawlers, phones, $schema: _, ...identity } = given;
  const settings: SiteSettings = {
    ...defaultSite,
    ...withoutUndefined(identity),
    ...(identity.name !== undefined && { product: identity.product ?? identity.name }),
    ...(phones && { phones: { helpline: phones.helpline ?? null, ccpa: phones.ccpa ?? null } }),
    ...(forms?.optOut && { forms: { optOut: forms.optOut } }),
    ...(ads && { ads }),
    ...(crawlers && { crawlers }),
    texts,
    logo: hashed('logo.svg'),
    // The default one shows the default name.
    shareImage: hashed('share.png') ?? (identity.name === undefined ? defaultSite.shareImage : null),
    tags: hashed('tags.js'),
    pages: [...pages].map(([name, { title, footer, sitemap }]) => ({
      name,
      title,
      ...(footer && { footer }),
      inSitemap: sitemap,
    })),
    noIndex,
  };
  const styles = [text('theme.css'), sectionRules(given.sections ?? [])].filter((part) => part).join('\n');
  checkAddresses(text('theme.css') ?? '', csp, mistakes);
  const own = readTokens(text('theme.css') ?? '');
  const themed: Tokens = new Map([...tokens, ...own]);
  if (mistakes.lines.length > 0) throw new SiteFolderError(mistakes);
  return {
    settings,
    subscribeUrl: forms?.subscribe?.url ?? null,
    files,
    theme: styles === '' ? null : addHashedFile(files, 'theme.css', Buffer.from(styles)),
    replacedFonts: [
      ['serif', 'newsreader'],
      ['sans', 'inter'],
    ].flatMap(([token = '', font = '']) =>
      own.has(token) && !own.get(token)?.toLowerCase().includes(font) ? [font] : [],
    ),
    paper: paperColours(themed),
    module: addHashedFile(files, 'settings.js', Buffer.from(`export default ${JSON.stringify(settings)};`)),
    pages,
    redirect,
    csp: ads
      ? {
          ...csp,
          'frame-src': [...(csp['frame-src'] ?? []), new URL(ads.frame.replaceAll('{slot}', 'x')).origin],
        }
      : csp,
    warnings: [
      ...lowContrasts(themed, given.sections ?? []),
      ...(texts === null && !/^en(-|$)/.test(settings.language)
        ? [`there are no texts in the language ${settings.language}: those of the interface are English`]
        : []),
    ],
  };
}

async function readContents(dir: string, mistakes: Mistakes): Promise<Map<string, Buffer>> {
  const found = await listFiles(dir).catch((error: unknown) => {
    mistakes.add('', `a readable folder expected (${error instanceof Error ? error.message : error})`);
    return [];
  });
  const bytes = found.reduce((sum, { size }) => sum + size, 0);
  if (found.length > MAX_FILES || bytes > MAX_BYTES)
    mistakes.add(
      '',
      `at most ${MAX_FILES} files and ${MAX_BYTES} bytes expected, it has ${found.length} and ${bytes}`,
    );
  if (mistakes.lines.length > 0) throw new SiteFolderError(mistakes);
  const known = found.filter(({ path }) => {
    if (!KNOWN.test(path)) mistakes.add(path, 'one of the files of a site folder expected');
    return KNOWN.test(path);
  });
  return new Map(
    await Promise.all(known.map(async ({ path }) => [path, await readFile(join(dir, path))] as const)),
  );
}

/** Returns what a JSON file says; nothing where there is none, or after a mistake. */
function parseJson<T extends object>(
  file: string,
  text: string | null,
  schema: z.ZodType<T>,
  mistakes: Mistakes,
): Partial<T> {
  if (text === null) return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    mistakes.add(file, `JSON expected (${error instanceof Error ? error.message : error})`);
    return {};
  }
  const { data, error } = schema.safeParse(value, { reportInput: true });
  for (const issue of error?.issues ?? []) {
    const { path, message, input } = issue;
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) mistakes.add(file, `${[...path, key].join('.')}: no such key is known`);
      continue;
    }
    const given = typeof input === 'object' || input === undefined ? '' : JSON.stringify(input);
    const shown = given === '' ? '' : `${given.slice(0, MAX_SHOWN)} given, `;
    const expected = /^(Invalid|Too|Unrecognized)/.test(message) ? message : `${message} expected`;
    mistakes.add(file, `${path.join('.') || 'the whole'}: ${shown}${expected.replace(/^Invalid \w+: /, '')}`);
  }
  return data ?? {};
}

function readPages(
  contents: ReadonlyMap<string, Buffer>,
  render: (html: string) => ReturnType<RenderHtml>,
  builtIn: ReadSiteFolderOptions['builtIn'],
  mistakes: Mistakes,
): Map<string, MarkdownPage> {
  const pages = new Map<string, MarkdownPage>();
  for (const [path, body] of contents) {
    if (!path.startsWith('pages/')) continue;
    const [, name] = PAGE_NAME.exec(path) ?? [];
    const page = readMarkdownPage(path, body.toString('utf8'), render, mistakes);
    if (name === undefined)
      mistakes.add(
        path,
        'a name of lower-case letters, digits and hyphens expected: it is the address of the page',
      );
    else if (builtIn.all.includes(name) && !builtIn.replaceable.includes(name))
      mistakes.add(
        path,
        `another name expected: of the built-in pages ${builtIn.replaceable.join(', ')} can be replaced`,
      );
    else if (page) pages.set(name, page);
  }
  return pages;
}

/** Checks the pictures and adds the icons. */
async function addPictures(
  dir: string,
  files: SiteFiles,
  contents: ReadonlyMap<string, Buffer>,
  mistakes: Mistakes,
): Promise<void> {
  for (const [file, format] of Object.entries({ 'logo.svg': 'svg', 'icon.svg': 'svg', 'share.png': 'png' })) {
    const body = contents.get(file);
    if (!body) continue;
    try {
      const { default: sharp } = await import('sharp');
      // From the file: of buffers, the image service lets libvips read no SVG.
      const metadata = await sharp(join(dir, file)).metadata();
      if (metadata.format !== format) throw new Error(metadata.format);
      if (file === 'icon.svg') await addIcons(files, join(dir, file), body);
    } catch {
      mistakes.add(file, `a picture in the format ${format.toUpperCase()} expected`);
    }
  }
}

/** Drops what is absent, so that it has its default. */
function withoutUndefined<T extends object>(given: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
}
