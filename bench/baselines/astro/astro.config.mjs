import node from '@astrojs/node';
import { defineConfig, memoryCache } from 'astro/config';

/** On demand, with the route cache that its documentation names for a single server: pages say how long they are fresh. */
export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  cache: { provider: memoryCache() },
});
