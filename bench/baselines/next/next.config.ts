import type { NextConfig } from 'next';

/** As documented for hosting it oneself: the small server, its own compression. */
const config: NextConfig = { output: 'standalone' };

export default config;
