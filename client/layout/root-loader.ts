import type { LoaderFunctionArgs } from 'react-router';
import { siteApi } from '#client/api/site-api-context.ts';
import type { Navigation } from '#shared/models/navigation.ts';

/** Loads the data of the layout: the menus. */
export async function rootLoader(args: LoaderFunctionArgs): Promise<Navigation> {
  return siteApi(args).navigation();
}
