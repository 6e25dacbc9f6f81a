import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generatedDocs } from '#tools/generate-docs.ts';

const root = join(import.meta.dirname, '../..');

it('generated documentation is up to date: run `npm run docs` where it is not', async () => {
  const outdated: string[] = [];
  for (const [path, text] of await generatedDocs())
    if ((await readFile(join(root, path), 'utf8')) !== text) outdated.push(path);
  expect(outdated).toEqual([]);
});
