import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultSite as site } from '#shared/site.ts';

const root = join(import.meta.dirname, '../..');
const FOLDERS = 'server,tools,wordpress,client,shared,demo,tests,bench,examples';
const exclude = (path: string) => /(^|\/)(node_modules|dist|data)(\/|$)/.test(path);
const files = (pattern: string): string[] => globSync(pattern, { cwd: root, exclude });

const sources = files(`{${FOLDERS}}/**/*.{ts,tsx,css}`).concat(files('*.ts'));
/** Without those that tell how it was before. */
const documents = files(`{*.md,{docs,deploy,${FOLDERS}}/**/*.md}`).filter(
  (file) => file !== 'CHANGELOG.md' && !file.startsWith('docs/decisions/'),
);
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Block comments that begin a line, and the rest of lines after `//`. */
const COMMENT = /^[ \t]*(?:\{ ?)?\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*|[;,{}()] \/\/ .*/gm;
/** In backquotes, with an ending or a folder of ours. */
const NAMED_FILE = new RegExp(
  `\`((?:[\\w.-]+/)*[\\w.-]+\\.(?:tsx?|css|md|json|ya?ml)|(?:docs|deploy|${FOLDERS.replaceAll(',', '|')})/[\\w./-]+)\``,
  'g',
);

describe('file names', () => {
  const names = new Set(
    files(`{docs,deploy,${FOLDERS}}/**/*.*`)
      .concat(files('*.*'))
      .map((file) => basename(file)),
  );

  /** A path from the root, the beginning of one (`docs/decisions/0022`), or a file's own name, wherever it is. */
  function exists(name: string): boolean {
    if (!name.includes('/')) return names.has(name);
    return (
      existsSync(join(root, name)) ||
      files(`${name}*`).length > 0 ||
      files(`{${FOLDERS}}/**/${name}`).length > 0
    );
  }

  function missingIn(text: string): string[] {
    return [...text.matchAll(NAMED_FILE)].map(([, name = '']) => name).filter((name) => !exists(name));
  }

  it('in comments are those of files that exist', () => {
    const missing = sources.flatMap((file) =>
      [...textOf(file).matchAll(COMMENT)]
        .flatMap(([comment]) => missingIn(comment))
        .map((name) => `${file}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  // A name without a folder may be that of a file in `DATA_DIR`.
  it('in documents are those of files that exist', () => {
    const missing = documents.flatMap((file) =>
      missingIn(textOf(file))
        .filter((name) => name.includes('/'))
        .map((name) => `${file}: ${name}`),
    );
    expect(missing).toEqual([]);
  });
});

describe('the brand', () => {
  it('is spelled in shared/site.ts alone', () => {
    const words = new RegExp(site.name.replace(/\W+/g, '\\W*'), 'i');
    const spelled = files('{server,client,shared}/**/*.{ts,tsx,css,html}').filter(
      (file) => !/\.test\.tsx?$/.test(file) && words.test(textOf(file)),
    );
    expect(spelled).toEqual(['shared/site.ts']);
  });
});
