import { redirect } from 'react-router';
import { SiteError } from '#shared/site-error.ts';

/** A page's data, or the way to where the specification sends the reader instead. */
export async function redirectOnError<T>(data: Promise<T>): Promise<T> {
  try {
    return await data;
  } catch (error) {
    if (error instanceof SiteError && error.goTo !== null) throw redirect(error.goTo);
    throw error;
  }
}
