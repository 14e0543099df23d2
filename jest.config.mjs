import { availableParallelism } from 'node:os';

const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          target: 'es2022',
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};

// Jest runs a setup that several projects name once, and not at all when only tests of other projects run.
const withPostgres = {
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

const project = (name, ...folders) => ({
  ...common,
  displayName: name,
  testMatch: folders.map((folder) => `<rootDir>/${folder}/**/*.spec.ts`),
});

/** @type {import('jest').Config} */
export default {
  projects: [
    project('unit', 'src', 'bench'),
    { ...project('database', 'test/database'), ...withPostgres },
    { ...project('e2e', 'test/e2e'), ...withPostgres },
    { ...project('process', 'test/process'), ...withPostgres },
    { ...project('architecture', 'test/architecture'), ...withPostgres },
    // Takes minutes; scripts/test.mjs selects it only for `npm run test:soak`.
    { ...project('soak', 'test/soak'), ...withPostgres },
  ],
  // Jest by itself leaves one processor idle. More than four workers would need more connections than the tests' PostgreSQL has.
  maxWorkers: Math.min(availableParallelism(), 4),
  // Enough for a start of the whole service on a busy machine.
  testTimeout: 120_000,
};
