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

/** A thing has the same name everywhere, and is imported from the file that has it. */
const EXPORTS = [
  { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
  { selector: 'TSExportAssignment', message: 'Export by name.' },
  { selector: 'ExportAllDeclaration', message: 'Import from the file that has it.' },
  { selector: 'ExportNamedDeclaration[source]', message: 'Import from the file that has it.' },
];

/** A controller passes on; the service decides. */
const DECISIONS = ['IfStatement', 'SwitchStatement'].map((statement) => ({
  selector: `ClassDeclaration ${statement}`,
  message: 'A controller decides nothing; its service does.',
}));

/** Tests all run, and wait for what they need (test/support/wait-until.ts), never for time to pass. */
const TESTS = [
  [
    'MemberExpression[object.name=/^(it|test|describe)$/][property.name=/^(skip|only|todo|failing)$/]',
    'Every test runs.',
  ],
  ['CallExpression[callee.name=/^[xf](it|describe|test)$/]', 'Every test runs.'],
  ['AwaitExpression > CallExpression[callee.name=/^(delay|sleep|setTimeout)$/]', 'Use waitUntil.'],
  [
    'AwaitExpression > NewExpression[callee.name="Promise"] CallExpression[callee.name="setTimeout"]',
    'Use waitUntil.',
  ],
  [':matches(Literal[value=/pg_sleep/], TemplateElement[value.raw=/pg_sleep/])', 'Use a lock.'],
].map(([selector, message]) => ({ selector, message }));

const INJECTED_REPOSITORY =
  ':matches(TSParameterProperty, PropertyDefinition):has(> Decorator[expression.callee.name="InjectRepository"])';

/**
 * An injected repository has a connection of its own: no transaction, no retries, no dry run. `tx.withRepository(this.organisations)` is
 * the same repository within a unit of work, and the only way to use one.
 */
const repositoriesWithinUnitOfWork = {
  create(context) {
    const repositories = new Set();
    const uses = [];
    return {
      [`${INJECTED_REPOSITORY} > Identifier`]: ({ name }) => repositories.add(name),
      'MemberExpression[object.type="ThisExpression"]': (node) => uses.push([node.property.name, node]),
      'VariableDeclarator[init.type="ThisExpression"] Property': (node) => uses.push([node.key.name, node]),
      'Program:exit': () => {
        for (const [name, node] of uses) {
          if (!repositories.has(name) || node.parent.callee?.property?.name === 'withRepository') continue;
          context.report({ node, message: `Use tx.withRepository(this.${name}).` });
        }
      },
    };
  },
};

export default tseslint.config(
  {
    ignores: [
      'dist',
      'dist-bench',
      'packages/*/dist/',
      'packages/*/src/**/*.generated.ts',
      'builds/',
      'node_modules/',
      'coverage/',
      '.data/',
    ],
  },
  {
    // No comment silences a check, and nothing is left for later.
    linterOptions: { noInlineConfig: true },
    rules: { 'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'], location: 'anywhere' }] },
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
      // It is deprecated only to make it stand out: a provider on this machine has no TLS.
      '@typescript-eslint/no-deprecated': [
        'error',
        { allow: [{ from: 'package', package: 'openid-client', name: 'allowInsecureRequests' }] },
      ],
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': true }],
      'no-restricted-syntax': ['error', ...EXPORTS],
    },
  },
  {
    // Whoever installs a package imports from its entry points; what others publish is described in their way; ormconfig.ts only
    // leads to another file.
    files: ['packages/*/src/index.ts', 'packages/client/src/platform.ts', '**/*.d.ts', 'ormconfig.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['src/**/*.controller.ts'],
    rules: { 'no-restricted-syntax': ['error', ...EXPORTS, ...DECISIONS] },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx', 'packages/*/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'max-lines': ['error', 400],
      'max-lines-per-function': ['error', 60],
      // A process reads its settings where it starts. The others here are told why in their comments.
      'no-restricted-properties': ['error', { object: 'process', property: 'env' }],
    },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { local: { rules: { 'repositories-within-unit-of-work': repositoriesWithinUnitOfWork } } },
    rules: { 'local/repositories-within-unit-of-work': 'error' },
  },
  {
    files: [
      'src/main.ts',
      'src/apps/cli/main.ts',
      'packages/loader/src/main.ts',
      'packages/client/src/transport.ts',
      'src/infrastructure/database/connection-options.ts',
      'src/infrastructure/database/embedded/run-as.ts',
      'src/documents/s3-document-store.ts',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['test/**/*.ts', 'packages/*/test/**/*.ts', '**/*.spec.ts'],
    ignores: ['test/support/wait-until.ts', '**/*.d.ts'],
    rules: { 'no-restricted-syntax': ['error', ...EXPORTS, ...TESTS] },
  },
  {
    // No compiler looks at these.
    files: ['**/*.mjs'],
    languageOptions: { globals: Object.fromEntries(GLOBALS.map((name) => [name, 'readonly'])) },
    rules: { eqeqeq: 'error', 'no-undef': 'error', 'no-unused-vars': 'error' },
  },
  {
    files: ['test/**/*.ts', 'packages/*/test/**/*.ts', '**/*.spec.ts', 'bench/**/*.ts'],
    rules: {
      'no-console': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
