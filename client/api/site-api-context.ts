import { createContext, type LoaderFunctionArgs, redirect } from 'react-router';
import type { SiteApi, SubmissionApi } from '#shared/site-api.ts';
import { SiteError } from '#shared/site-error.ts';

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

/** Awaits a page's data. A `SiteError` with `goTo` is thrown as a redirect, for loaders. */
export async function redirectOnError<T>(data: Promise<T>): Promise<T> {
  try {
    return await data;
  } catch (error) {
    if (error instanceof SiteError && error.goTo !== null) throw redirect(error.goTo);
    throw error;
  }
}
