import { de } from './de.ts';
import * as en from './en.ts';

/** The languages that have texts of their own, beside English. A new one is a file like `de.ts` and a line here. */
const LANGUAGES = new Map<string, Readonly<Record<string, string>>>([['de', de]]);

/**
 * Returns the texts of a language by their English, by the first part of its tag; null where there are none: the interface
 * is English. For the server alone: browsers get the texts with the settings of the site folder.
 */
export function textsOf(language: string): Readonly<Record<string, string>> | null {
  const own = LANGUAGES.get(language.split('-', 1)[0] ?? '');
  if (!own) return null;
  return Object.fromEntries(Object.entries(en).map(([name, text]) => [text, own[name] ?? text]));
}
