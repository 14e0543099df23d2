import tseslint from 'typescript-eslint';

/** What Node.js offers without an import. */
const GLOBALS = [
  'Buffer',
  'URL',
  'fetch',
  'process',
  'setTimeout',
  'setInterval',
  'clearInterval',
  'globalThis',
];

export default tseslint.config(
  {
    ignores: [
      'dist',
      'dist-bench',
      'packages/*/dist/',
      'packages/client/src/contract.ts',
      'builds/',
      'node_modules/',
      'coverage/',
      '.data/',
    ],
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowEmpty: true }],
      // Wire classes describe shapes; what is sent and received are plain objects of that shape.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  {
    // No compiler looks at these.
    files: ['**/*.mjs'],
    languageOptions: { globals: Object.fromEntries(GLOBALS.map((name) => [name, 'readonly'])) },
    rules: { eqeqeq: 'error', 'no-undef': 'error', 'no-unused-vars': 'error' },
  },
  {
    files: [
      'test/**/*.ts',
      'packages/*/test/**/*.ts',
      'packages/*/bench/**/*.ts',
      '**/*.spec.ts',
      'bench/**/*.ts',
    ],
    rules: {
      'no-console': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
