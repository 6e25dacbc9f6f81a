import { dirname, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

const FORBIDDEN_IN_THE_BROWSER = /^(#server\/|#demo\/|#wordpress\/|node:|zod$)/;

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
 * Puts the packages' CommonJS modules in parentheses, which the minifier has removed: they are functions that run as soon
 * as they are loaded, and V8 parses a function twice unless it begins with one. `docs/decisions/0050`.
 */
function compileModulesEagerly(): Plugin {
  return {
    name: 'compile-modules-eagerly',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    renderChunk: {
      order: 'post',
      handler(code, { name }) {
        if (name !== 'vendor') return null;
        const modules = this.parse(code)
          .body.flatMap((statement) =>
            statement.type === 'VariableDeclaration' ? statement.declarations : [],
          )
          .flatMap(({ init }) => (init?.type === 'CallExpression' ? init.arguments.slice(0, 1) : []))
          .filter(({ type }) => type === 'ArrowFunctionExpression');
        return modules.reduceRight(
          (text, { start, end }) => `${text.slice(0, start)}(${text.slice(start, end)})${text.slice(end)}`,
          code,
        );
      },
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

/** The oldest browsers that show the pages as they are meant to look (`docs/decisions/0050`). */
const BROWSERS = ['chrome123', 'edge123', 'firefox128', 'safari17.5'];

/** Folder of the server's bundles, flat. */
const SERVER_DIR = 'dist/server';

/** Keeps the meaning of `import.meta.dirname` in a bundle: the folder of the source, where the demo's content lies, for one. */
function keepSourceFolders(): Plugin {
  return {
    name: 'keep-source-folders',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'ssr',
    transform: {
      filter: { id: { exclude: /node_modules/ }, code: /import\.meta\.dirname/ },
      handler(code, id) {
        const path = JSON.stringify(`/${relative(SERVER_DIR, dirname(id))}`);
        return {
          map: null,
          code: code.replaceAll('import.meta.dirname', `(import.meta.dirname + ${path})`),
        };
      },
    },
  };
}

/**
 * Takes `node:http` without its ECMAScript module, which reads every export, also those that load the code of `fetch`:
 * 15 MB and 25 ms of a start (`docs/decisions/0037`).
 */
function importHttpPlainly(): Plugin {
  return {
    name: 'import-http-plainly',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'ssr',
    renderChunk: {
      order: 'post',
      handler: (code) => ({
        map: null,
        code: code.replace(
          /^import (\{[^}]*\}) from "node:http";$/gm,
          (_statement, names: string) =>
            `const ${names.replaceAll(' as ', ': ')} = process.getBuiltinModule("node:http");`,
        ),
      }),
    },
  };
}

/**
 * Escapes what is not ASCII. One character beyond Latin-1 makes V8 keep a file's whole text with two bytes for each
 * character: that of `main.js` is 3 MB long.
 */
function escapeNonAscii(): Plugin {
  return {
    name: 'escape-non-ascii',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'ssr',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        file.code = file.code.replace(
          /[^\0-\x7f]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
      }
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

/**
 * Packages that the server's bundles do not hold: sharp is native code, and Vite builds. Fastify requires the compilers
 * only where a server brings none of its own (`server/http/schema-compilers.ts`).
 */
const EXTERNAL = ['sharp', 'vite', '@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'];

const site = (isSsrBuild: boolean): UserConfig => ({
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
                  test: /\/(components\/(field|contact-form|newsletter)\/|routing\/form-action|form-validation)/,
                  minShareCount: 2,
                },
                // The layout and what an article needs is one file: small files compress badly. Embeds wait for a click.
                {
                  name: 'site',
                  test: /\/(shared(?!\/(embeds|texts\/count))|client\/(styles\/|layout\/(?!header\/(search-shortcuts|recent-searches|header-state))|hooks\/(?!use-smooth-top)|routing\/(?!form-action)|analytics\/page-views|api\/|seo\/page-head|(?!load-scripts|entry-client)[^/]+\.tsx?$|components\/(ad-slot|card-grid|keyed-list|logo|pause-button|phrase|popover-button|post-card|recent-posts|responsive-image|rich-text|search-form|section-heading|share|skeleton|video)\/))/,
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
