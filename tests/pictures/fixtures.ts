import { startDemoCms } from '#demo/start.ts';
import { test as base } from '../e2e/fixtures.ts';
import { startSiteUnderTest } from '../integration/site-under-test.ts';

export const NOON = new Date('2026-11-20T12:00:00Z');
/** The widest first: a browser keeps a picture that is larger than it needs. */
export const WIDTHS = [1280, 768, 390];
export const SCHEMES = ['light', 'dark'] as const;
export const COMPARES_ALL = process.env['PICTURES'] === 'all';
/** Share of pixels that may differ: less than a word, and more than what two runs of one browser draw differently. */
export const TOLERANCE = 0.001;

export const test = base.extend({
  /** A site whose content never changes: its demo CMS is always at the same moment. */
  site: [
    async ({ browserName: _ }, use) => {
      const demoCms = await startDemoCms({ dataDir: null, faults: true, clock: () => NOON.getTime() });
      const site = await startSiteUnderTest({}, { demoCms: demoCms.origin });
      await use(site);
      await site.close();
      await demoCms.close();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});
