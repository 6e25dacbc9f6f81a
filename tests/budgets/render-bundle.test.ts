import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('holds React’s production build alone, whatever NODE_ENV the server is started with', async () => {
  const dir = join(import.meta.dirname, '../../dist/server');
  const names = (await readdir(dir, { recursive: true })).filter((name) => name.endsWith('.js'));
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const text = await readFile(join(dir, name), 'utf8');
    expect(text, name).not.toMatch(/process\.env\.NODE_ENV|jsxDEV/);
  }
});
