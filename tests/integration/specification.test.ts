import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const rows = readFileSync(join(root, 'docs/specification.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| sentence') && !line.startsWith('| ---'));

it('every test that docs/specification.md names exists', () => {
  const missing: string[] = [];
  for (const row of rows) {
    const held = row.split(' | ').slice(1).join(' | ').replace(/ \|$/, '');
    const tests = [...held.matchAll(/`([^`]+)`: (.*?)(?=<br>|$)/g)];
    if (tests.length === 0) missing.push(`${row}: names no test`);
    for (const [, file = '', name = ''] of tests) {
      if (!readFileSync(join(root, file), 'utf8').includes(name)) missing.push(`${file}: ${name}`);
    }
  }
  expect(missing).toEqual([]);
  expect(rows.length).toBeGreaterThan(70);
});
