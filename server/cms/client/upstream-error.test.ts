import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { UPSTREAM_ERROR_KINDS } from './upstream-error.ts';

it('the kinds of errors are those that the documents explain', async () => {
  const path = join(import.meta.dirname, '../../../docs/operating/troubleshooting.md');
  const [, section = ''] = (await readFile(path, 'utf8')).split('### UpstreamErrorRateHigh');
  const explained = [...section.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, kind]) => kind);
  expect(['not-found', ...explained].toSorted()).toEqual(UPSTREAM_ERROR_KINDS.toSorted());
});
