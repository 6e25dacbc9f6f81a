import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FONT_SUBSET } from '#shared/font-subset.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../integration/site-under-test.ts';

/** Budgets of a first visit, in bytes after brotli. */
const KILO = 1000;

const Chunk = z.object({
  file: z.string(),
  imports: z.array(z.string()).default([]),
  isEntry: z.boolean().default(false),
});
const Manifest = z.record(z.string(), Chunk);

const clientDir = join(import.meta.dirname, '../../dist/client');
let manifest: z.infer<typeof Manifest>;
let site: SiteUnderTest;
let articlePath: string;

beforeAll(async () => {
  manifest = Manifest.parse(JSON.parse(await readFile(join(clientDir, '.vite/manifest.json'), 'utf8')));
  site = await startSiteUnderTest();
  const home = z
    .object({ top: z.array(z.object({ category: z.string(), slug: z.string() })) })
    .parse(await (await fetch(`${site.origin}/api/home`)).json());
  articlePath = `/${home.top[0]?.category}/${home.top[0]?.slug}`;
});

afterAll(() => site.close());

function withImports(names: string[], seen = new Set<string>()): Set<string> {
  for (const name of names) {
    const chunk = manifest[name];
    if (!chunk || seen.has(name)) continue;
    seen.add(name);
    withImports(chunk.imports, seen);
  }
  return seen;
}

/** Loaded by articles behind a CDN alone. */
const DOCUMENT_VIEWS = 'client/analytics/document-views.ts';

/** Returns the compressed bytes of all scripts that a page imports. */
async function scriptBytes(page: string): Promise<number> {
  const entry = Object.keys(manifest).filter((name) => manifest[name]?.isEntry && name !== DOCUMENT_VIEWS);
  const chunks = [...withImports([...entry, `client/pages/${page}/${page}-page.tsx`])];
  const sizes = chunks.map(async (name) => (await stat(join(clientDir, `${manifest[name]?.file}.br`))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

const styleFile = () =>
  join(clientDir, Object.values(manifest).find((chunk) => chunk.file.endsWith('.css'))?.file ?? '');

const styleBytes = async () => (await stat(`${styleFile()}.br`)).size;

const compressed = (text: string) => brotliCompressSync(text).length;

async function documentOf(path: string): Promise<{ whole: string; withoutState: string }> {
  const whole = await (await fetch(site.origin + path)).text();
  return {
    whole,
    withoutState: whole.replace(/<script type="application\/json" id="state">.*?<\/script>/s, ''),
  };
}

describe('a first visit', () => {
  it.each([
    ['article', 104],
    ['home', 104.1],
    ['contact', 105],
  ])('to the %s page takes at most %s kB of script', async (page, most) => {
    expect(await scriptBytes(page)).toBeLessThanOrEqual(most * KILO);
  });

  it.each(['client/load-scripts.ts', DOCUMENT_VIEWS])('loads no other script with %s', (name) => {
    expect(manifest[name]).toMatchObject({ imports: [] });
  });

  it('to an article behind a CDN takes at most 500 bytes of script more', async () => {
    const { size } = await stat(join(clientDir, `${manifest[DOCUMENT_VIEWS]?.file}.br`));
    expect(size).toBeLessThanOrEqual(0.5 * KILO);
  });

  it('compiles the packages’ CommonJS modules eagerly', async () => {
    const vendor = Object.values(manifest).find(({ file }) => file.includes('/vendor-'))?.file;
    const text = await readFile(join(clientDir, String(vendor)), 'utf8');
    const modules = [
      ...text.matchAll(/[,\s]\w+=\w+\((\(?)(?:\w+|\([\w,]*\))=>\{(?:var|"use strict"|\w+\.exports)/g),
    ];
    expect(modules.length).toBeGreaterThan(5);
    expect(modules.filter(([, parenthesis]) => parenthesis === '')).toEqual([]);
  });

  it('begins its style with the order of the layers: a rule before that would change it', async () => {
    expect(await readFile(styleFile(), 'utf8')).toMatch(/^@layer reset[,{]/);
  });

  it('takes at most 12.5 kB of style', async () => {
    expect(await styleBytes(), 'client/**/*.css: all pages share one file').toBeLessThanOrEqual(12.5 * KILO);
  });

  it('takes two font files of at most 60 kB together, which hold all that a page of the demo says', async () => {
    for (const path of ['/', articlePath, '/topic/news', '/events']) {
      const { whole } = await documentOf(path);
      const files = [...whole.matchAll(/as="font"[^>]*href="\/([^"]+)"/g)].map(([, file]) => String(file));
      expect(files).toHaveLength(2);
      const sizes = files.map(async (file) => (await stat(join(clientDir, file))).size);
      expect((await Promise.all(sizes)).reduce((sum, size) => sum + size)).toBeLessThanOrEqual(60 * KILO);
      const text = whole.replace(/<script\b.*?<\/script>/gs, '').replace(/<[^>]+>/g, '');
      const missing = [...new Set(text)].filter((sign) => !FONT_SUBSET.includes(sign) && sign !== '\n');
      expect(missing, path).toEqual([]);
    }
  });

  it.each([
    ['the home page', () => '/'],
    ['an article', () => articlePath],
  ])('of %s is a document of at most 12.5 kB as it is sent', async (_what, path) => {
    const { headers } = await fetch(site.origin + path(), { headers: { 'accept-encoding': 'br' } });
    expect(headers.get('content-encoding')).toBe('br');
    expect(Number(headers.get('content-length'))).toBeLessThanOrEqual(12.5 * KILO);
  });

  it('carries a state block that adds at most 40 % to the compressed document', async () => {
    for (const path of ['/', articlePath]) {
      const { whole, withoutState } = await documentOf(path);
      expect(compressed(whole) / compressed(withoutState), path).toBeLessThanOrEqual(1.4);
    }
  });
});
