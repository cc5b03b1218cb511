'use strict';

// Errors and habits; how code is laid out is no matter of this.
module.exports = [
  {
    files: ['**/*.js', '**/*.mjs'],
    ignores: ['target/**', 'node_modules/**'],
    languageOptions: {
      ecmaVersion: 2022,
      sourceType: 'commonjs',
      globals: Object.fromEntries(
        [
          'AbortController', 'AbortSignal', 'Buffer', 'ReadableStream', 'URL', '__dirname',
          'console', 'clearInterval', 'global', 'module', 'process', 'require', 'setInterval',
          'setImmediate', 'setTimeout',
        ].map((name) => [name, 'readonly']),
      ),
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'consistent-return': 'error',
      curly: ['error', 'multi-line'],
      eqeqeq: 'error',
      'max-len': ['error', { code: 100 }],
      'max-lines-per-function': ['error', 70],
      'no-constant-condition': ['error', { checkLoops: false }],
      'no-fallthrough': 'error',
      'no-undef': 'error',
      'no-unreachable': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-use-before-define': ['error', { functions: false, classes: false }],
      'no-var': 'error',
      'prefer-const': 'error',
      strict: ['error', 'global'],
    },
  },
  { files: ['**/*.mjs'], languageOptions: { sourceType: 'module' }, rules: { strict: 'off' } },
];
