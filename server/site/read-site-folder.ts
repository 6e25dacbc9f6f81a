import { readdir, readFile, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import type { SiteOfDocuments } from '#client/entry-server.tsx';
import { ConfigError } from '#server/config/config.ts';
import { defaultSite, type SiteSettings } from '#shared/site.ts';
import { textsOf } from '#shared/texts/languages.ts';
import { type MarkdownPage, type RenderHtml, readMarkdownPage } from './markdown-pages.ts';
import { type FindRedirect, readRedirects } from './redirects.ts';
import { addFile, addHashedFile, addIcons, loadTypes, SITE_ASSETS, type SiteFiles } from './served-files.ts';
import { type AddMistake, addIssues, type CspAdditions, cspSchema, siteSchema } from './site-schema.ts';
import { lowContrasts, paperColours, readTokens, sectionRules, type Tokens, themedHead } from './theme.ts';

/** What the site folder says, checked. */
export interface SiteFolder extends SiteOfDocuments {
  /** Where subscriptions go in place of the upstream; null: to the upstream. */
  subscribeUrl: string | null;
  /** By path: those of `root/` and the icons, and below `/assets/site` those with a hash, and fonts. */
  files: SiteFiles;
  paper: { light: string; dark: string };
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
  headTags: string;
  render: RenderHtml;
  noIndex: boolean;
  /** Single-segment paths of the built-in pages and other routes, without the slash. */
  builtIn: readonly string[];
}

/** What is in the files of the folder, by path. */
type FileContents = ReadonlyMap<string, Buffer>;

const MAX_FILES = 1_000;
const MAX_BYTES = 50 * 1024 * 1024;
const KNOWN =
  /^(README\.md|site\.json|theme\.css|logo\.svg|icon\.svg|share\.png|redirects\.txt|tags\.js|csp\.json|(fonts|root)\/.+|pages\/[^/]+\.md)$/;
/** Built-in pages without a form and without data, which a page of the publisher's own may replace. */
const REPLACEABLE = ['about', 'privacy-policy', 'sitemap'];
const PAGE_NAME = /^pages\/([\p{Ll}\p{N}][\p{Ll}\p{N}_-]{0,99})\.md$/u;

/**
 * Returns the regular files of a folder, each with what tells that it has changed: not `mtimeMs`, which new permissions, and
 * copies that keep times, leave as it is. Names that begin with a dot are left out, except `.well-known`.
 */
export async function listFiles(dir: string) {
  const names = await readdir(dir, { recursive: true });
  const paths = names
    .map((name) => name.split(sep).join('/'))
    .filter((path) => !/(^|\/)\.(?!well-known(\/|$))/.test(path));
  const found = paths.sort().map(async (path) => ({ path, stats: await stat(join(dir, path)) }));
  const files = (await Promise.all(found)).filter(({ stats }) => stats.isFile());
  return files.map(({ path, stats: { size, ctimeMs, ino } }) => ({ path, size, ctimeMs, ino }));
}

/** Reads and checks the whole folder. Rejects with a `ConfigError` that has a line for each mistake. */
export async function readSiteFolder(options: ReadSiteFolderOptions): Promise<SiteFolder> {
  const { dir, tokens, headTags, noIndex } = options;
  const mistakes: string[] = [];
  const addMistake: AddMistake = (file, expected) =>
    mistakes.push(`SITE_DIR/${file}: ${expected}`.replace(/\s+/g, ' '));
  const contents: FileContents = dir === null ? new Map() : await readKnownFiles(dir, addMistake);
  const theme = textIn(contents, 'theme.css') ?? '';
  const given = parseJson('site.json', contents, siteSchema, addMistake);
  const csp = parseJson('csp.json', contents, cspSchema, addMistake);
  const redirect = await readRedirects(textIn(contents, 'redirects.txt') ?? '', addMistake);
  const texts = textsOf(given.language ?? defaultSite.language);
  const pages = await readPages(contents, texts, options, addMistake);
  const files: SiteFiles = new Map();
  if (dir !== null) await addPictures(dir, files, contents, addMistake);
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'));

  const typeOf = await loadTypes();
  addFontsAndRootFiles(files, contents, typeOf, noIndex);
  const addHashed = (name: string, body: Buffer) => addHashedFile(files, name, body, typeOf(name));
  const hashed = (file: string) => {
    const body = contents.get(file);
    return body ? addHashed(file, body) : null;
  };
  const settings = settingsOf(given, {
    texts,
    logo: hashed('logo.svg'),
    // The default one shows the default name.
    shareImage: hashed('share.png') ?? (given.name === undefined ? defaultSite.shareImage : null),
    tags: hashed('tags.js'),
    pages: [...pages].map(([name, { title, footer, sitemap }]) => ({
      name,
      title,
      ...(footer && { footer }),
      inSitemap: sitemap,
    })),
    noIndex,
  });
  const json = JSON.stringify(settings);
  const sections = given.sections ?? [];
  const styles = [theme, sectionRules(sections)].filter((part) => part).join('\n');
  const own = readTokens(theme);
  const themed: Tokens = new Map([...tokens, ...own]);
  const paper = paperColours(themed);
  const styleSheet = () => `<link rel="stylesheet" href="${addHashed('theme.css', Buffer.from(styles))}">`;
  const frames = given.ads && new URL(given.ads.frame.replaceAll('{slot}', 'x')).origin;
  const { language } = settings;
  const warnings = lowContrasts(themed, sections);
  if (texts === null && !/^en(-|$)/.test(language))
    warnings.push(
      `site.json: there are no texts in the language ${language}: those of the interface are English`,
    );
  return {
    settings,
    subscribeUrl: given.forms?.subscribe?.url ?? null,
    files,
    head: styles === '' ? headTags : themedHead(headTags, own, paper) + styleSheet(),
    paper,
    module:
      json === JSON.stringify(defaultSite)
        ? null
        : addHashed('settings.js', Buffer.from(`export default ${json};`)),
    pages,
    redirect,
    csp: frames === undefined ? csp : { ...csp, 'frame-src': [...(csp['frame-src'] ?? []), frames] },
    warnings,
  };
}

/** Reads the files of a folder. Notes those that no site folder has, or that cannot be read. */
async function readKnownFiles(dir: string, addMistake: AddMistake): Promise<FileContents> {
  const contents = new Map<string, Buffer>();
  const found = await listFiles(dir).catch((error: unknown) => {
    addMistake('', `a readable folder expected (${error instanceof Error ? error.message : error})`);
    return [];
  });
  const bytes = found.reduce((sum, { size }) => sum + size, 0);
  if (found.length > MAX_FILES || bytes > MAX_BYTES) {
    const given = `it has ${found.length} and ${bytes}`;
    addMistake('', `at most ${MAX_FILES} files and ${MAX_BYTES} bytes expected, ${given}`);
    return contents;
  }
  const unknown = found.filter(({ path }) => !KNOWN.test(path));
  for (const { path } of unknown) addMistake(path, 'one of the files of a site folder expected');
  for (const { path } of found)
    await readFile(join(dir, path)).then(
      (content) => contents.set(path, content),
      () => addMistake(path, 'a readable file expected'),
    );
  return contents;
}

/** Returns the text of a file, without the byte order mark with which editors of Windows begin one; null for no file. */
function textIn(contents: FileContents, file: string): string | null {
  const content = contents.get(file);
  return content ? new TextDecoder().decode(content) : null;
}

/** Reads the publisher's own pages, and checks that no other file has the address of a page. */
async function readPages(
  contents: FileContents,
  texts: SiteSettings['texts'],
  { render, builtIn }: Pick<ReadSiteFolderOptions, 'render' | 'builtIn'>,
  addMistake: AddMistake,
): Promise<Map<string, MarkdownPage>> {
  const pages = new Map<string, MarkdownPage>();
  for (const path of contents.keys()) {
    if (!path.startsWith('pages/')) continue;
    // Requests are answered between two of them.
    await nextTurn();
    const name = pageName(path, builtIn, addMistake);
    const text = textIn(contents, path) ?? '';
    const page = readMarkdownPage(path, text, (html) => render(html, texts), addMistake);
    if (name !== null && page !== null) pages.set(name, page);
  }
  for (const name of new Set([...builtIn, ...pages.keys()]))
    if (contents.has(`root/${name}`))
      addMistake(`root/${name}`, 'another name expected: a page has this address');
  return pages;
}

function addFontsAndRootFiles(
  files: SiteFiles,
  contents: FileContents,
  typeOf: (path: string) => string,
  noIndex: boolean,
): void {
  for (const [path, body] of contents) {
    // By the path as browsers write it.
    const address = encodeURI(path).replace(/[?#]/g, encodeURIComponent);
    if (path.startsWith('fonts/')) addFile(files, `${SITE_ASSETS}/${address}`, body, typeOf(path));
    // A staging site is crawled by nobody, whatever its publication allows.
    const isRefused = noIndex && path === 'root/robots.txt';
    if (path.startsWith('root/') && !isRefused)
      addFile(files, address.slice('root'.length), body, typeOf(path));
  }
}

/** Returns the settings of `site.json` and of other files, with the default ones for what neither says. */
function settingsOf(
  { forms, $schema: _, ...identity }: Partial<z.infer<typeof siteSchema>>,
  ofFiles: Pick<SiteSettings, 'texts' | 'logo' | 'shareImage' | 'tags' | 'pages' | 'noIndex'>,
): SiteSettings {
  const { name, sections } = identity;
  return {
    ...defaultSite,
    ...(name !== undefined && { product: name }),
    ...identity,
    ...(sections && {
      sections: sections.map((section) => ({ ...section, titles: { topic: section.label } })),
    }),
    ...(forms?.optOut && { forms: { optOut: forms.optOut } }),
    ...ofFiles,
  };
}

/** Returns what a JSON file says; nothing where there is none, or after a mistake. */
function parseJson<T extends object>(
  file: string,
  contents: FileContents,
  schema: z.ZodType<T>,
  addMistake: AddMistake,
): Partial<T> {
  const text = textIn(contents, file);
  if (text === null) return {};
  try {
    const { data, error } = schema.safeParse(JSON.parse(text));
    if (error) addIssues(error, () => file, addMistake);
    return data ?? {};
  } catch (error) {
    addMistake(file, `JSON expected (${error instanceof Error ? error.message : error})`);
    return {};
  }
}

/** Returns the name of a page by its path; null after a mistake. */
function pageName(path: string, builtIn: readonly string[], addMistake: AddMistake): string | null {
  const [, name] = PAGE_NAME.exec(path) ?? [];
  if (name !== undefined && (!builtIn.includes(name) || REPLACEABLE.includes(name))) return name;
  const expected =
    name === undefined
      ? 'a name of lower-case letters, digits and hyphens expected: it is the address of the page'
      : `another name expected: of the built-in pages ${REPLACEABLE.join(', ')} can be replaced`;
  addMistake(path, expected);
  return null;
}

async function addPictures(
  dir: string,
  files: SiteFiles,
  contents: FileContents,
  addMistake: AddMistake,
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
      addMistake(file, `a picture in the format ${format.toUpperCase()} expected`);
    }
  }
}
