import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RESOURCES } from '#shared/models/resources.ts';
import { configurationNames } from '../integration/operators/variable-names.ts';

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
/** The ages of a resource, and a secret's file: the README has their pattern. */
const BY_PATTERN = new RegExp(`^CACHE_(?:${RESOURCES.join('|')})_(?:TTL|SWR|SIE)$|_FILE$`, 'i');

it('the README names every variable', () => {
  const missing = [...configurationNames()].filter(
    (name) => !BY_PATTERN.test(name) && !readme.includes(`\`${name}\``),
  );
  expect(missing).toEqual([]);
});
