import { dirname, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Folder of the server's bundles, flat. */
export const SERVER_DIR = 'dist/server';

const FORBIDDEN_IN_THE_BROWSER = /^(#server\/|#demo\/|#wordpress\/|node:|zod$)/;

/** The client graph holds no server code: a build that would ship some is refused. */
export function refuseServerCode(): Plugin {
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
export function compileModulesEagerly(): Plugin {
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
export function precompress(): Plugin {
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
export function importPlainly(): Plugin {
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

/** Keeps the meaning of `import.meta.dirname` in a bundle: the folder of the source, where the demo's content lies, for one. */
export function keepSourceFolders(): Plugin {
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
export function importHttpPlainly(): Plugin {
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
export function escapeNonAscii(): Plugin {
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
