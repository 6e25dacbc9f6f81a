import type { LoaderFunctionArgs } from 'react-router';
import type { Navigation } from '#shared/models/navigation.ts';
import { siteApi } from '../site-api-context.ts';

/** Data of the shell around every page: the menus. */
export async function shellLoader({ context }: LoaderFunctionArgs): Promise<Navigation> {
  return siteApi(context).navigation();
}
