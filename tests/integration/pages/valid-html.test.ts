import { HtmlValidate } from 'html-validate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pages } from '#client/entry-server.tsx';
import { pagePaths } from '../../page-paths.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

const validator = new HtmlValidate({ root: true, extends: ['html-validate:standard'] });

let site: SiteUnderTest;
beforeAll(async () => {
  site = await startSiteUnderTest();
});
afterAll(() => site.close());

it.each([...pagePaths(pages)])('%s (%s) is valid HTML', async (_name, path) => {
  const response = await fetch(site.origin + path, { headers: { accept: 'text/html' } });
  const { results } = await validator.validateString(await response.text());
  const messages = results.flatMap((result) => result.messages);
  expect(messages.map(({ ruleId, message, line, column }) => ({ ruleId, message, line, column }))).toEqual(
    [],
  );
});

it('finds what is not', async () => {
  const { valid } = await validator.validateString('<p><a href="/a">one <a href="/b">two</a></a></p>');
  expect(valid).toBe(false);
});
