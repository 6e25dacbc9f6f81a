import { createContext, useContext } from 'react';
import { defaultSite, type SiteSettings } from '#shared/site.ts';
import type { SiteApi, SubmissionApi } from '#shared/site-api.ts';
import { type Translate, translator } from '#shared/texts/translate.ts';

/** What components use besides their loader data. */
interface SiteContext {
  /** `PUBLIC_ORIGIN`: the base of absolute URLs. */
  origin: string;
  /** For what a component loads or submits after it has mounted; null while the server renders. */
  api: (SiteApi & SubmissionApi) | null;
  /** Those of the site folder, or the default ones. */
  settings: SiteSettings;
}

const context = createContext<SiteContext | null>(null);

export const SiteProvider = context.Provider;

/** Returns the site context. Throws without a `SiteProvider`. */
export function useSite(): SiteContext {
  const site = useContext(context);
  if (!site) throw new Error('useSite needs a SiteProvider');
  return site;
}

/** Returns the site's identity and settings: the default ones without a `SiteProvider`. */
export function useSettings(): SiteSettings {
  return useContext(context)?.settings ?? defaultSite;
}

/** Returns the function that translates a text of the interface into the site's language. */
export function useTexts(): Translate {
  return translator(useSettings());
}
