import type { SiteUnderTest } from '../integration/site-under-test.ts';

/** Returns how many views a site's demo CMS has counted. */
export async function countViews({ demoCms }: Pick<SiteUnderTest, 'demoCms'>): Promise<number> {
  const response = await fetch(`${demoCms}/demo-cms/views`);
  const { views }: { views: unknown[] } = await response.json();
  return views.length;
}
