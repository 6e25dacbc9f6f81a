import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Row {
  section: string;
  sentence: string;
  tests: { file: string; name: string }[];
}

function readRows(): Row[] {
  const rows: Row[] = [];
  let section = '';
  for (const line of readFileSync(join(root, 'docs/specification.md'), 'utf8').split('\n')) {
    section = /^## (\d)\./.exec(line)?.[1] ?? section;
    const [, sentence, held] = /^\| (.+?) \| (.+) \|$/.exec(line) ?? [];
    if (sentence === undefined || held === undefined || /^(sentence|---)$/.test(sentence)) continue;
    const tests = held.split('<br>').map((test) => {
      const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(test) ?? [];
      return { file, name };
    });
    rows.push({ section, sentence, tests });
  }
  return rows;
}

const rows = readRows();
const sources = new Map<string, string>();

/** Whether the file has a test or table of tests with exactly this title. */
function isTest({ file, name }: Row['tests'][number]): boolean {
  if (file === '') return false;
  const source = sources.get(file) ?? readFileSync(join(root, file), 'utf8');
  sources.set(file, source);
  return [`'${name}'`, `"${name}"`, `\`${name}\``].some((title) => source.includes(`${title},`));
}

describe('docs/specification.md', () => {
  it('names tests that exist in each of its lines', () => {
    const missing = rows.flatMap(({ sentence, tests }) =>
      tests.filter((test) => !isTest(test)).map(({ file, name }) => `${sentence}: ${file}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('has each section of the specification that says something of the product', () => {
    expect([...new Set(rows.map(({ section }) => section))]).toEqual(['2', '3', '4', '5', '7', '8', '9']);
    expect(rows.length).toBeGreaterThan(250);
  });
});
