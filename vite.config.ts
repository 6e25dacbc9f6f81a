import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';
import {
  compileModulesEagerly,
  escapeNonAscii,
  importHttpPlainly,
  importPlainly,
  keepSourceFolders,
  precompress,
  refuseServerCode,
  SERVER_DIR,
} from './tools/vite-plugins.ts';

/** The oldest browsers that show the pages as they are meant to look (`docs/decisions/0050`). */
const BROWSERS = ['chrome123', 'edge123', 'firefox128', 'safari17.5'];

/** The operators' page: a document, a script and a style sheet of their own, which readers never load. Its root is its folder. */
const dashboard: UserConfig = {
  plugins: [refuseServerCode(), react(), precompress()],
  publicDir: false,
  build: {
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
};

/** Advice to authors of plugins, which a build need not print. */
const QUIET = { bundlerTimings: false };

/**
 * Packages that the server's bundles do not hold: sharp is native code, and Vite builds. Fastify requires the compilers
 * only where a server brings none of its own (`server/http/route-schemas.ts`).
 */
const EXTERNAL = ['sharp', 'vite', '@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'];

/** Lightning CSS's `Features.VendorPrefixes`: none of the browsers of `docs/decisions/0050` needs one that it would add. */
const VENDOR_PREFIXES = 262_144;

const site = (isSsrBuild: boolean): UserConfig => ({
  css: { lightningcss: { exclude: VENDOR_PREFIXES } },
  plugins: [
    refuseServerCode(),
    importPlainly(),
    compileModulesEagerly(),
    keepSourceFolders(),
    react(),
    importHttpPlainly(),
    escapeNonAscii(),
    precompress(),
  ],
  publicDir: isSsrBuild ? false : 'client/public',
  build: isSsrBuild
    ? {
        outDir: SERVER_DIR,
        emptyOutDir: false,
        target: 'node24',
        assetsInlineLimit: 0,
        rolldownOptions: {
          checks: QUIET,
          output: { chunkFileNames: '[name]-[hash].js', comments: { jsdoc: false, legal: false } },
        },
      }
    : {
        outDir: 'dist/client',
        manifest: true,
        cssCodeSplit: false,
        assetsInlineLimit: 0,
        modulePreload: false,
        target: 'es2023',
        cssTarget: BROWSERS,
        minify: 'terser',
        terserOptions: {
          module: true,
          ecma: 2020,
          compress: {
            passes: 5,
            // What is shorter as text is not always shorter compressed.
            inline: 1,
            typeofs: false,
            keep_infinity: true,
            pure_getters: true,
            keep_fargs: false,
            unsafe_arrows: true,
            unsafe_methods: true,
            // The router's hints for its users, 1 kB. Development has them.
            pure_funcs: ['warning', 'warningOnce', 'warnOnce'],
          },
          format: { comments: false },
        },
        rolldownOptions: {
          checks: QUIET,
          input: ['client/load-scripts.ts', 'client/entry-client.tsx', 'client/analytics/document-views.ts'],
          // So that each English text stands where it is used: no page loads those of others.
          optimization: { inlineConst: { mode: 'all', pass: 1 } },
          // React and the router compress better together, and stay cached over our own deploys.
          output: {
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                { name: 'vendor', test: /node_modules\/(?!web-vitals)|vite\/preload-helper/ },
                // Few pages render a form at once; the others load this when a reader opens one.
                {
                  name: 'forms',
                  test: /\/(components\/(field|contact-form|newsletter)\/|routing\/form-action|form-rules)/,
                  minShareCount: 2,
                },
                // The layout and what an article needs is one file: small files compress badly. Embeds wait for a click.
                {
                  name: 'site',
                  test: /\/(shared(?!\/embed-providers)|client\/(styles\/|layout\/(?!header\/header-state)|hooks\/|routing\/(?!form-action)|analytics\/page-views|api\/|seo\/page-head|(?!load-scripts|entry-client)[^/]+\.tsx?$|components\/(ad-slot|card-grid|keyed-list|logo|pause-button|phrase|popover-button|post-card|recent-posts|responsive-image|rich-text|search-form|section-heading|share|video)\/))/,
                },
              ],
            },
          },
        },
      },
  // The server's bundles are whole but for EXTERNAL; in development Node loads packages itself. Without `define` they
  // would hold React's development build too, and render with it wherever NODE_ENV is not set: at a third of the speed.
  ...(isSsrBuild && {
    ssr: { noExternal: true as const, external: EXTERNAL },
    define: { 'process.env.NODE_ENV': JSON.stringify('production'), 'import.meta.main': 'false' },
  }),
});

export default defineConfig(({ isSsrBuild = false, mode }) =>
  mode === 'dashboard' ? dashboard : site(isSsrBuild),
);
