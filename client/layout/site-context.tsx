import { createContext, useContext } from 'react';
import type { SiteActions, SiteApi } from '#shared/site-api.ts';

/** What a component may know of the world besides its data. */
export interface SiteContext {
  /** `PUBLIC_ORIGIN`: the base of every absolute link. */
  origin: string;
  /** For what a page asks for after it was drawn. */
  api: SiteApi;
  /** What a reader can send. */
  actions: SiteActions;
}

const context = createContext<SiteContext | null>(null);

export const SiteProvider = context.Provider;

export function useSite(): SiteContext {
  const site = useContext(context);
  if (!site) throw new Error('useSite needs a SiteProvider above it');
  return site;
}
