import { z } from 'zod';
import { BASE_URL, mebibytes } from './value-rules.ts';
import { optional, type Rule, variable } from './variable.ts';

const ON_OR_OFF: Rule<boolean> = {
  expected: 'on or off',
  schema: z.stringbool({ truthy: ['on'], falsy: ['off'], case: 'sensitive' }),
};

/** Images. */
export const imageVariables = {
  imageHost: optional('IMAGE_HOST', 'base URL of images; /media of this origin when unset', BASE_URL),
  imageResize: variable(
    'IMAGE_RESIZE',
    'off',
    'serve pictures of IMAGE_HOST from /media of this origin, in the width and format that a browser wants; always on without IMAGE_HOST',
    ON_OR_OFF,
  ),
  imageCacheMaxBytes: variable(
    'IMAGE_CACHE_MB',
    '512',
    'bound of resized pictures on disk, below DATA_DIR',
    mebibytes(1, 1_048_576),
  ),
};
