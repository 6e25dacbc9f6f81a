import { redirect } from 'react-router';
import { SiteError } from '#shared/site-error.ts';

/** Awaits a page's data. A `SiteError` with `goTo` is thrown as a redirect, for loaders. */
export async function redirectOnError<T>(data: Promise<T>): Promise<T> {
  try {
    return await data;
  } catch (error) {
    if (error instanceof SiteError && error.goTo !== null) throw redirect(error.goTo);
    throw error;
  }
}
