import { either, FOLDER, optional, secret, text, variable } from './variable.ts';

/** The publisher's site. */
export const siteVariables = {
  siteDir: optional(
    'SITE_DIR',
    'the publisher’s folder: identity, theme, pictures, pages, redirects and files of its own',
    FOLDER,
  ),
  subscribeAuthorization: secret(
    'SUBSCRIBE_AUTHORIZATION',
    'value of the Authorization header of calls to the newsletter’s provider (forms.subscribe.url of the site folder)',
    text('a header value of visible characters', /^[\x20-\x7e]{1,4096}$/),
  ),
  siteNoIndex: variable(
    'SITE_NOINDEX',
    'false',
    'true: no search engine may index the site, as for a staging site',
    either('true', 'false'),
  ),
};
