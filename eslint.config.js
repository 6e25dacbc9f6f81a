import babelParser from '@babel/eslint-parser';
import reactHooks from 'eslint-plugin-react-hooks';

/** React's own rules (hooks, compiler), all of them. Everything else is Biome's. */
export default [
  {
    files: ['client/**/*.{ts,tsx}'],
    languageOptions: {
      parser: babelParser,
      parserOptions: {
        requireConfigFile: false,
        babelOptions: { parserOpts: { plugins: ['jsx', 'typescript'] } },
      },
    },
    ...reactHooks.configs.flat['recommended-latest'],
  },
];
