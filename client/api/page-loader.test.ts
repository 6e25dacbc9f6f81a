import { RouterContextProvider } from 'react-router';
import { expect, it } from 'vitest';
import { SiteError } from '#shared/site-error.ts';
import { createHttpSiteApi } from './http-site-api.ts';
import { routerLoader, siteApiContext } from './page-loader.ts';

it('shows one of the last pages where the site does not respond, unless it was gone before', async () => {
  let respond: () => unknown = () => 'as it was';
  const context = new RouterContextProvider(new Map([[siteApiContext, createHttpSiteApi()]]));
  const load = routerLoader(async () => respond());
  const url = new URL('https://www.example.com/news/one');
  const open = () =>
    load({ context, url, pattern: '/:category/:slug', params: {}, request: new Request(url) });
  const fail = (kind: SiteError['kind']) => () => {
    throw new SiteError(kind, 'it fails');
  };
  expect(await open()).toBe('as it was');
  respond = fail('unreachable');
  expect(await open()).toBe('as it was');
  respond = fail('not-found');
  await expect(open()).rejects.toThrow('it fails');
  respond = fail('unreachable');
  await expect(open()).rejects.toThrow('it fails');
});
