import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const documents = globSync(['*.md', '{docs,server,client,demo,tests}/**/*.md'], { cwd: root });

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The fragments of a document's headings, as GitHub makes them. */
function fragmentsOf(file: string): Set<string> {
  const headings = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => text);
  return new Set(
    headings.map((text) =>
      text
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

it('links between documents lead to files and headings that exist', () => {
  const broken = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^(https?|mailto):/.test(link))
      .filter((link) => {
        const [path = '', fragment] = link.split('#');
        const target = path === '' ? file : normalize(join(dirname(file), path));
        if (!existsSync(join(root, target))) return true;
        return fragment !== undefined && !fragmentsOf(target).has(fragment);
      })
      .map((link) => `${file}: ${link}`),
  );
  expect(documents.length).toBeGreaterThan(40);
  expect(broken).toEqual([]);
});

it('the guides to the folders name source files that exist', () => {
  const sources = globSync('{server,client,shared,demo,wordpress,tools,tests,bench}/**/*.{ts,tsx,js,css}', {
    cwd: root,
  });
  const guides = documents.filter((file) => /README\.md$|^CONTRIBUTING\.md$/.test(file));
  const missing = guides.flatMap((file) =>
    [...read(file).matchAll(/`([\w./-]+\.(?:tsx?|css))`/g)]
      .map(([, name = '']) => name)
      .filter(
        (name) =>
          !sources.some((source) => `/${source}`.endsWith(`/${name}`)) && !existsSync(join(root, name)),
      )
      .map((name) => `${file}: ${name}`),
  );
  expect(guides.length).toBeGreaterThan(5);
  expect(missing).toEqual([]);
});
