import { BASE_URL, either, mebibytes } from './value-rules.ts';
import { optional, variable } from './variable.ts';

/** Images. */
export const imageVariables = {
  imageHost: optional('IMAGE_HOST', 'base URL of images; /media of this origin when unset', BASE_URL),
  imageResize: variable(
    'IMAGE_RESIZE',
    'off',
    'serve pictures of IMAGE_HOST from /media of this origin, in the width and format that a browser wants; always on without IMAGE_HOST',
    either('on', 'off'),
  ),
  imageCacheMaxBytes: variable(
    'IMAGE_CACHE_MB',
    '512',
    'bound of resized pictures on disk, below DATA_DIR',
    mebibytes(1, 1_048_576),
  ),
};
