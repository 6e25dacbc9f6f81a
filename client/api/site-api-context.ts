import { createContext, type LoaderFunctionArgs } from 'react-router';
import type { SiteApi, SubmissionApi } from '#shared/site-api.ts';

/**
 * Router context that holds what makes the loaders' `SiteApi`: the content service on the server, HTTP in the browser.
 * `signal`: aborted when the navigation is superseded; what only it waits for is cancelled.
 */
export const siteApiContext = createContext<(signal: AbortSignal) => SiteApi>();

/** Router context that holds the actions' `SubmissionApi`: the outbox on the server, HTTP in the browser. */
export const submissionApiContext = createContext<SubmissionApi>();

/** Returns the `SiteApi` of a loader's navigation. */
export function siteApi({ context, request }: Pick<LoaderFunctionArgs, 'context' | 'request'>): SiteApi {
  return context.get(siteApiContext)(request.signal);
}
