import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RESOURCES } from '#shared/models/resources-and-policies.ts';
import { generatedDocs } from '#tools/generate-docs.ts';

const root = join(import.meta.dirname, '../..');

it('generated documentation is up to date: run `npm run docs` where it is not', async () => {
  const outdated: string[] = [];
  for (const [path, text] of await generatedDocs())
    if ((await readFile(join(root, path), 'utf8')) !== text) outdated.push(path);
  expect(outdated).toEqual([]);
});

it('the table of what to purge on publish has each resource', async () => {
  const page = 'docs/operating/purge-content.md';
  const [, table = ''] = (await readFile(join(root, page), 'utf8')).split('\n| event in the CMS | tags |\n');
  const missing = RESOURCES.filter((resource) => !new RegExp(`\`${resource}[\`:]`).test(table));
  expect(missing, page).toEqual([]);
});
