import type { LoaderFunctionArgs } from 'react-router';
import { siteApi } from '#client/api/site-api-context.ts';
import type { Navigation } from '#shared/models/navigation.ts';

/** Data of the shell around every page: the menus. */
export async function rootLoader({ context }: LoaderFunctionArgs): Promise<Navigation> {
  return siteApi(context).navigation();
}
