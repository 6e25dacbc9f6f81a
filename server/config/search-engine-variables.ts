import { text } from './value-rules.ts';
import { optional } from './variable.ts';

/** Search engines. */
export const searchEngineVariables = {
  indexNowKey: optional(
    'INDEXNOW_KEY',
    'key of indexnow.org: search engines are told of new and changed articles',
    text('8 to 128 letters, digits or hyphens', /^[A-Za-z0-9-]{8,128}$/),
  ),
};
