import { expect, test } from './fixtures.ts';
import { controlRequests } from './request-control.ts';
import { WIDE } from './site-page.ts';

test('the dashboard gives up a live view on which nothing comes, and opens it again', async ({
  site,
  session,
  sitePage,
}) => {
  const requests = controlRequests(site.servers.operators);
  const release = requests.hold(/^\/live$/);
  await session.open(site.ops);
  await sitePage.resize(WIDE);
  await expect.poll(() => requests.cancelled, { timeout: 30_000 }).toContain('/live');
  release();
  await sitePage.untilVisible('.status-strip .good', /^Live$/);
  requests.end();
});
