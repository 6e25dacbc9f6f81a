import type { NextConfig } from 'next';

/**
 * As documented for hosting it oneself: the small server, its own compression. Pictures of the demo CMS in the formats that
 * this site has.
 */
const config: NextConfig = {
  output: 'standalone',
  // It is installed below this repository, whose lock file is not its own.
  outputFileTracingRoot: import.meta.dirname,
  turbopack: { root: import.meta.dirname },
  images: {
    formats: ['image/avif', 'image/webp'],
    remotePatterns: [{ protocol: 'http', hostname: '127.0.0.1', pathname: '/media/**' }],
    dangerouslyAllowLocalIP: true,
  },
};

export default config;
