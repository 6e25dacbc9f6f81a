import { recorded, startFakeWordpress } from '../tests/fixtures/recorded-wordpress.ts';

/**
 * A WordPress that costs its machine little and the adapter much: each list has a hundred posts with their bodies. Prints
 * its origin.
 */
const { body } = recorded('blocks');
const posts = JSON.stringify(Array.from({ length: 100 }, () => body).flat());
const headers = { 'x-wp-total': '100', 'x-wp-totalpages': '1' };
const wordpress = await startFakeWordpress((target) =>
  target.includes('wp/v2/posts?') && !target.includes('slug=') ? { status: 200, headers, body: posts } : null,
);
process.stdout.write(`${wordpress.url}\n`);
process.once('SIGTERM', () => void wordpress.close());
