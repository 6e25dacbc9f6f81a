import { de } from './de.ts';
import * as en from './en.ts';
import { de as policyInGerman } from './privacy-policy/de.ts';
import { en as policyInEnglish } from './privacy-policy/en.ts';
import type { PolicyValues } from './privacy-policy/policy-values.ts';

/** What a language has of its own. */
interface Language {
  texts: Readonly<Record<string, string>>;
  privacyPolicy: (values: PolicyValues) => string;
}

/** The languages beside English, by the first part of their tags. A new one is two files as the German has, and a line here. */
const LANGUAGES = new Map<string, Language>([['de', { texts: de, privacyPolicy: policyInGerman }]]);

function languageOf(tag: string): Language | undefined {
  return LANGUAGES.get(tag.split('-', 1)[0] ?? '');
}

/**
 * Returns the texts of a language by their English; null where there are none: the interface is English. For the server
 * alone: browsers get the texts with the settings of the site folder.
 */
export function textsOf(language: string): Readonly<Record<string, string>> | null {
  const own = languageOf(language)?.texts;
  if (!own) return null;
  return Object.fromEntries(Object.entries(en).map(([name, text]) => [text, own[name] ?? text]));
}

/** Returns what writes the privacy policy in a language, in Markdown; English where there is none in it. */
export function policyIn(language: string): (values: PolicyValues) => string {
  return languageOf(language)?.privacyPolicy ?? policyInEnglish;
}
