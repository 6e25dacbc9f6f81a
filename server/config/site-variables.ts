import { either, FOLDER } from './value-rules.ts';
import { optional, variable } from './variable.ts';

/** The publisher's site. */
export const siteVariables = {
  siteDir: optional(
    'SITE_DIR',
    'the publisher’s folder: identity, theme, pictures, pages, redirects and files of its own',
    FOLDER,
  ),
  siteNoIndex: variable(
    'SITE_NOINDEX',
    'false',
    'true: no search engine may index the site, as for a staging site',
    either('true', 'false'),
  ),
};
