import { createContext, useContext } from 'react';
import type { SiteActions, SiteApi } from '#shared/site-api.ts';

/** What components use besides their loader data. */
interface SiteContext {
  /** `PUBLIC_ORIGIN`: the base of absolute URLs. */
  origin: string;
  /** For form posts, and for data that a component loads after it has mounted. */
  api: SiteApi & SiteActions;
}

const context = createContext<SiteContext | null>(null);

export const SiteProvider = context.Provider;

/** Returns the site context. Throws without a `SiteProvider`. */
export function useSite(): SiteContext {
  const site = useContext(context);
  if (!site) throw new Error('useSite needs a SiteProvider');
  return site;
}
