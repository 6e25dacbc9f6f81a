import { createContext, type RouterContextProvider } from 'react-router';
import type { SiteApi, SubmissionApi } from '#shared/site-api.ts';

/** Router context that holds the loaders' `SiteApi`: the content service on the server, HTTP in the browser. */
export const siteApiContext = createContext<SiteApi>();

/** Router context that holds the actions' `SubmissionApi`: the outbox on the server, HTTP in the browser. */
export const submissionApiContext = createContext<SubmissionApi>();

/** Returns the `SiteApi` of a loader's context. */
export function siteApi(context: Readonly<RouterContextProvider>): SiteApi {
  return context.get(siteApiContext);
}
