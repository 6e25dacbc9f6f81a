import { join } from 'node:path';
import { loadBuild } from '#server/render/site-build.ts';
import { pagePaths } from '../page-paths.ts';

/** An address of each page by its name. From the build: a browser test's own process loads no JSX. */
export const PAGE_PATHS = pagePaths((await loadBuild(join(import.meta.dirname, '../..'))).bundle.pages);
