import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createLogLines, type LogLines } from '../http/log-lines.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/operating/log.md'), 'utf8');

/** Returns the rows of the table below a heading of the page, a list of cells each. */
function rowsBelow(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
}

/** Returns the type of each field that a table names; a cell may name several. */
function typesBelow(heading: string): Map<string, string> {
  const fields = rowsBelow(heading).flatMap(([names = '', types = '']) => {
    const each = types.split(', ');
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name = ''], index): [string, string] => [
      name,
      each[index] ?? each[0] ?? '',
    ]);
  });
  return new Map(fields);
}

const TYPES: Record<string, string> = { number: 'number', string: 'text', object: 'object' };
const Line = z.record(z.string(), z.unknown());
const everyLine = typesBelow('Fields of every line');
const ofRequests = typesBelow('Requests');
const levels = new Map(rowsBelow('Levels').map(([level = '', name = '']) => [name, Number(level)]));

let log: LogLines;
let site: SiteUnderTest;
let lines: Record<string, unknown>[];
beforeAll(async () => {
  log = createLogLines('info');
  site = await startSiteUnderTest({ RATE_LIMIT_WRITE: '1' }, { logger: log.logger });
  await site.faults([
    { path: '/api/post/postdetails', kind: 'status', status: 500 },
    { path: '/api/contact/add', kind: 'status', status: 503 },
  ]);
  const readers = request(site.origin);
  for (const path of [
    '/',
    '/topic/news',
    '/news/a-story',
    '/search/all/secret',
    '/no/such/page',
    '/about.php',
  ])
    await readers.get(path);
  for (const email of ['ada@example.com', 'ben@example.com'])
    await readers.post('/api/subscriptions').send({ email });
  await request(site.ops).patch('/cache/mode').send({ mode: 'normal' }).expect(200);
  await vi.waitFor(() => expect(log.text()).toContain('operator change'), 60_000);
  lines = log
    .text()
    .trim()
    .split('\n')
    .map((line) => Line.parse(JSON.parse(line)));
});
afterAll(() => site.close());

function expectTypes(line: Record<string, unknown>, types: ReadonlyMap<string, string>): void {
  for (const [name, type] of types)
    if (name in line) expect(TYPES[typeof line[name]], `${name} of ${JSON.stringify(line)}`).toBe(type);
}

describe('the documented log', () => {
  it('has the fields of every line, with their types and levels', () => {
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines) {
      for (const name of ['level', 'time', 'pid', 'hostname', 'msg']) expect(line).toHaveProperty(name);
      expectTypes(line, everyLine);
      expect([...levels.values()]).toContain(line['level']);
    }
  });

  it('has lines of requests with the documented fields and no others', () => {
    const requests = lines.filter(({ msg }) => msg === 'request');
    const documented = [...everyLine.keys(), ...ofRequests.keys()];
    const seen = new Set(requests.flatMap((line) => Object.keys(line)));
    expect([...seen].filter((name) => !documented.includes(name))).toEqual([]);
    expect([...ofRequests.keys()].filter((name) => !seen.has(name))).toEqual([]);
    for (const line of requests) expectTypes(line, ofRequests);
    expect(log.text()).not.toContain('secret');
  });

  it('has errors with type, message and stack', () => {
    const errors = lines.filter((line) => 'err' in line);
    for (const { err } of errors)
      expect(err).toMatchObject({
        type: expect.any(String),
        message: expect.any(String),
        stack: expect.any(String),
      });
  });

  it.each(rowsBelow('Messages that matter').map(([message = '', level = '']) => [message, level]))(
    '%s is written, at the level %s',
    (message, level) => {
      const text = message.replaceAll('`', '');
      const starts = [`'${text}'`, `\`${text}: `].flatMap((literal) =>
        sources().flatMap((source) => source.split(literal).slice(0, -1)),
      );
      const found = starts.map(
        (start) => [...start.matchAll(/\b\w*[lL]og(?:ger)?\??\.(\w+)\(/g)].at(-1)?.[1],
      );
      expect(found).toContain(level);
      expect([...levels.keys()]).toContain(level);
    },
  );
});

function sources(): string[] {
  return readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(root, 'server', name), 'utf8'));
}
