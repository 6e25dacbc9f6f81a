import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { HtmlValidate } from 'html-validate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pages } from '#client/routes.tsx';
import { FIXTURES_PATH, serveArticleBlocks } from '../../fixtures/serve-article-blocks.ts';
import { TAKES_ALL } from '../../matrix.ts';
import { pagePaths } from '../../page-paths.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

/** It takes twice as long as html-validate, which finds most of what it does. */
const usesJava = TAKES_ALL && spawnSync('java', ['-version']).status === 0;
const JAR = fileURLToPath(import.meta.resolve('vnu-jar/build/dist/vnu.jar'));
/** Its schemas recurse deeply, and it ends before the second compiler is worth its start. */
const JAVA = ['-Xss2m', '-XX:TieredStopAtLevel=1', '-jar', JAR];

const Report = z.object({
  messages: z.array(
    z.object({
      type: z.string(),
      subType: z.string().optional(),
      url: z.string(),
      message: z.string(),
      extract: z.string().optional(),
    }),
  ),
});

/** Returns the checker's errors and warnings of all documents in a folder. */
async function problemsIn(dir: string): Promise<string[]> {
  const options = ['--format', 'json', '--stdout', '--exit-zero-always'];
  const { stdout } = await promisify(execFile)('java', [...JAVA, ...options, dir], { maxBuffer: 2 ** 26 });
  return Report.parse(JSON.parse(stdout))
    .messages.filter(({ type, subType }) => type === 'error' || subType === 'warning')
    .map(
      ({ url, message, extract }) => `${url.slice(url.lastIndexOf('/') + 1)}: ${message} ${extract ?? ''}`,
    );
}

const INVALID = '<!doctype html><html lang="en"><title>x</title><p>a</p><li>b</li></html>';

let site: SiteUnderTest;
let dir: string;
/** HTML by the name of its page. */
const documents = new Map<string, string>();
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'documents-'));
  site = await startSiteUnderTest();
  await serveArticleBlocks(site);
  for (const [name, path] of [...pagePaths(pages), ['fixtures', FIXTURES_PATH] as const]) {
    const html = await (await fetch(site.origin + path)).text();
    expect(html).toContain('</html>');
    if (path === FIXTURES_PATH) expect(html).toContain('b-gallery');
    documents.set(name, html);
  }
});
afterAll(async () => {
  await site.close();
  await rm(dir, { recursive: true, force: true });
});

describe.runIf(usesJava)('the W3C’s checker', () => {
  it('finds nothing in any page, nor in an article of every block', async () => {
    for (const [name, html] of [...documents, ['invalid', INVALID] as const])
      await writeFile(join(dir, `${name}.html`), html);
    const problems = await problemsIn(dir);
    expect(problems.filter((problem) => !problem.startsWith('invalid.html'))).toEqual([]);
    expect(problems).toHaveLength(1);
  });
});

// What it finds, the checker does.
describe.runIf(!usesJava)('html-validate, which needs no Java', () => {
  const validator = new HtmlValidate({ root: true, extends: ['html-validate:standard'] });

  it('finds nothing in any page, nor in an article of every block', async () => {
    for (const [name, html] of documents) {
      const { results } = await validator.validateString(html, name);
      expect(results.flatMap(({ messages }) => messages)).toEqual([]);
    }
    expect((await validator.validateString(INVALID)).valid).toBe(false);
  });
});
