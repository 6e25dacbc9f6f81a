import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Absent } from '#server/cache/cache-query.ts';
import { MissingContent, UnconfirmedAbsence } from '#server/cache/loading/absence-check.ts';
import { UPSTREAM_ERROR_KINDS, UpstreamError } from './upstream-error.ts';

it('the kinds of errors are those that the documents explain', async () => {
  const path = join(import.meta.dirname, '../../../docs/operating/troubleshooting.md');
  const [, section = ''] = (await readFile(path, 'utf8')).split('### UpstreamErrorRateHigh');
  const explained = [...section.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, kind]) => kind);
  expect(['not-found', ...explained].toSorted()).toEqual(UPSTREAM_ERROR_KINDS.toSorted());
});

it.each([
  new UpstreamError('status', 'search', { status: 503 }),
  new Absent(),
  new UnconfirmedAbsence(),
  new MissingContent(),
])('what a load fails with holds no functions of it, as it is remembered: $name', (error) => {
  expect(error.stack).toBe(`${error.name}: ${error.message}`);
});
