import { parseArgs } from 'node:util';
import { startWordpress } from './wordpress.ts';

/** `node tests/wordpress/start-wordpress.ts --port 8080`: a WordPress with content, to look at the site with it. */

const { values } = parseArgs({
  options: { port: { type: 'string', default: '8080' }, many: { type: 'string', default: '0' } },
});
const wordpress = await startWordpress({
  port: Number(values.port),
  many: Number(values.many),
  allPictures: true,
});
process.stdout.write(`${wordpress.url}\nWORDPRESS_URL=${wordpress.url} npm start\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void wordpress.close());
