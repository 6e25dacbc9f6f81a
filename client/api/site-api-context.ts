import { createContext, type RouterContextProvider } from 'react-router';
import type { SiteApi } from '#shared/site-api.ts';

/** Where loaders find their `SiteApi`: the content service on the server, HTTP in the browser. */
export const siteApiContext = createContext<SiteApi>();

/** The `SiteApi` of a loader's context. */
export function siteApi(context: Readonly<RouterContextProvider>): SiteApi {
  return context.get(siteApiContext);
}
