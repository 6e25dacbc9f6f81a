import * as en from '#shared/texts/en.ts';
import type { Translate } from '#shared/texts/translate.ts';
/** Returns title and description of a page of a list, with its number from page 2 on. `page` counts from 1. */
export function listPageHead(t: Translate, page: number, title: string, description: string) {
  if (page === 1) return { title, description };
  return {
    title: t(en.titleOfPage, { title, page }),
    description: t(en.descriptionOfPage, { page, description }),
  };
}
