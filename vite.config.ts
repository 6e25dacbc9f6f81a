import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

const FORBIDDEN_IN_THE_BROWSER = /^(#server\/|#demo\/|node:|zod$)/;

/** The client graph holds no server code: a build that would ship some is refused. */
function refuseServerCode(): Plugin {
  return {
    name: 'refuse-server-code',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId(source, importer) {
      if (FORBIDDEN_IN_THE_BROWSER.test(source) && !importer?.includes('node_modules')) {
        throw new Error(`${importer ?? 'the client'} imports ${source}, which must not reach the browser`);
      }
    },
  };
}

/**
 * Lets the build leave out what nobody imports of the router: names for debuggers are set in statements of their own,
 * and creators carry no note that they are pure. Saves 3.5 kB of every first visit; no option of the bundler does
 * (`docs/decisions/0026`).
 */
function dropUnusedRouterParts(): Plugin {
  return {
    name: 'drop-unused-router-parts',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /react-router\/dist\/production/ },
      handler: (code) => ({
        map: null,
        code: code
          .replace(/^\w+\.displayName = .*;$/gm, '')
          .replace(/ = (React\$1\.(?:forwardRef|createContext|memo)\()/g, ' = /* @__PURE__ */ $1'),
      }),
    },
  };
}

const COMPRESSIBLE = /\.(js|css|svg|json|webmanifest)$/;

/** Writes `.br` and `.gz` beside each asset, so that the server never compresses one. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (!COMPRESSIBLE.test(file.fileName) || file.fileName.startsWith('.vite/')) continue;
          const source = Buffer.from(file.type === 'chunk' ? file.code : file.source);
          const brotli = brotliCompressSync(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotli });
          this.emitFile({
            type: 'asset',
            fileName: `${file.fileName}.gz`,
            source: gzipSync(source, { level: 9 }),
          });
        }
      },
    },
  };
}

/**
 * Replaces Vite's helper for dynamic imports, which preloads styles and modules: here there is one style sheet, and
 * `load-scripts.ts` preloads. Saves 460 bytes; `modulePreload` does not remove the helper (`docs/decisions/0026`).
 */
function importPlainly(): Plugin {
  return {
    name: 'import-plainly',
    enforce: 'pre',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    load: {
      filter: { id: /vite\/preload-helper/ },
      handler: () => 'export const __vitePreload = (load) => load();',
    },
  };
}

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

const site = (isSsrBuild: boolean): UserConfig => ({
  plugins: [refuseServerCode(), importPlainly(), dropUnusedRouterParts(), react(), precompress()],
  publicDir: isSsrBuild ? false : 'client/public',
  build: isSsrBuild
    ? {
        outDir: 'dist/server',
        target: 'node24',
        assetsInlineLimit: 0,
        // The render worker is a bundle too: its thread holds nothing that it does not use.
        rolldownOptions: { input: ['client/entry-server.tsx', 'server/render/render-worker.ts'] },
      }
    : {
        outDir: 'dist/client',
        manifest: true,
        cssCodeSplit: false,
        assetsInlineLimit: 0,
        modulePreload: false,
        target: 'es2023',
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
          },
          format: { comments: false },
        },
        rolldownOptions: {
          input: ['client/load-scripts.ts', 'client/entry-client.tsx', 'client/analytics/document-views.ts'],
          // React and the router compress better together, and stay cached over our own deploys.
          output: {
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                { name: 'vendor', test: /node_modules|vite\/preload-helper/ },
                // Few pages render a form at once; the others load this when a reader opens one.
                {
                  name: 'forms',
                  test: /\/(components\/(field\/field|contact-form|newsletter)|form-validation|parse-submission-result)/,
                  minShareCount: 2,
                },
                // The layout and what an article needs is one file: small files compress badly.
                {
                  name: 'site',
                  test: /\/(shared|client\/(layout\/(?!search-shortcuts|recent-searches|header-state)|hooks\/(?!use-(click-outside|escape))|routing|analytics\/page-views|api\/(?!parse-submission-result)|seo\/page-head|(?!load-scripts|entry-client)[^/]+\.tsx?$|components\/(field\/form-result|(ad-slot|keyed-list|logo|pause-button|post-card|recent-posts|responsive-image|rich-text|section-heading|share|skeleton|video)\/)))/,
                },
              ],
            },
          },
        },
      },
  // The server-render bundle is whole; in development Node loads React itself. Without `define` the bundle would hold
  // React's development build too, and render with it wherever NODE_ENV is not set: at a third of the speed.
  ...(isSsrBuild && {
    ssr: { noExternal: true as const },
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  }),
});

export default defineConfig(({ isSsrBuild = false, mode }) =>
  mode === 'dashboard' ? dashboard : site(isSsrBuild),
);
