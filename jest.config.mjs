import { availableParallelism } from 'node:os';
import { FILES_NOT_ON_CITUS } from './test/support/not-on-citus.mjs';

const isOnCitus = process.env.TEST_DATABASE_URL !== undefined;

const root = import.meta.dirname.replaceAll(/\W/g, '\\$&');

/** Modules that take long to load, and that a process of Jest loads once; test/support/built-module.mjs says how. */
const PACKAGES = String.raw`(fast-check/lib/fast-check\.js|typeorm/index\.mjs|@nestjs/(common|core|graphql|swagger)/(dist/)?index\.js)$`;

const common = {
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  restoreMocks: true,
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // As in tsconfig.json: a package uses another without its build.
    '^@data-import/(client|files)$': '<rootDir>/packages/$1/src/index.ts',
    '^#files$': '<rootDir>/packages/files/src/index.ts',
  },
  transformIgnorePatterns: [`/node_modules/(?!${PACKAGES})`],
  transform: {
    [`^${root}/node_modules/${PACKAGES}`]: '<rootDir>/test/support/built-module.mjs',
    // With the options in .swcrc, as the build.
    '^.+\\.tsx?$': '@swc/jest',
  },
};

// Jest runs a setup that several projects name once, and not at all when only tests of other projects run.
const withPostgres = {
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

// The tests of the whole service share its build with it.
const SERVICE = `^${root}/src/.+\\.tsx?$`;

const withService = {
  ...withPostgres,
  transform: { [SERVICE]: '<rootDir>/test/support/built-module.mjs', ...common.transform },
};

/** Files that start and stop other programs, which takes long. They are among the tests of processes, wherever they are. */
const OF_PROCESSES = [
  'packages/client/test/package.spec.ts',
  'test/database/infrastructure/database/embedded-postgres.spec.ts',
  'test/e2e/documents/document-store-s3.spec.ts',
  'test/e2e/infrastructure/database/database-errors.spec.ts',
];

/** @param folders where the project's tests are; `/**` adds the folders below */
const project = (name, ...folders) => ({
  ...common,
  displayName: name,
  testMatch: folders.map((folder) => `<rootDir>/${folder}/*.spec.ts`),
  testPathIgnorePatterns: [...(isOnCitus ? Object.keys(FILES_NOT_ON_CITUS) : []), ...OF_PROCESSES],
});

const processes = project('process', 'test/process');

/** @type {import('jest').Config} */
export default {
  // scripts/test.mjs says which of them `npm test` runs.
  projects: [
    project('unit', 'src/**', 'bench/**', 'packages/@(files|loader)/src/**'),
    { ...project('client', 'packages/client/**'), ...withService },
    { ...project('architecture', 'test/architecture'), ...withService },
    { ...project('database', 'test/database/**'), ...withService },
    { ...project('e2e', 'test/e2e/!(apps)/**', 'test/e2e/apps/http'), ...withService },
    { ...project('console', 'test/e2e/apps/console'), ...withService },
    { ...project('commands', 'test/e2e/apps/cli'), ...withService },
    {
      ...processes,
      testMatch: [...processes.testMatch, ...OF_PROCESSES.map((file) => `<rootDir>/${file}`)],
      testPathIgnorePatterns: isOnCitus ? Object.keys(FILES_NOT_ON_CITUS) : [],
      ...withService,
    },
    { ...project('loader', 'packages/loader/test/**'), ...withService },
    // Needs a Chromium.
    { ...project('browser', 'test/browser'), ...withService },
    { ...project('soak', 'test/soak'), ...withService },
    // Needs a cluster.
    { ...project('citus', 'test/citus'), ...withService },
    // Kills the servers of the cluster, so nothing may run beside it; only with `--project=nodes`.
    { ...project('nodes', 'test/nodes'), ...withService },
  ],
  reporters: ['default', '<rootDir>/test/support/failed-tests.mjs'],
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  // One more than the processors, because a third of the tests' time is spent on waiting for other processes. More than four
  // workers would need more connections than the tests' PostgreSQL has.
  maxWorkers: Math.min(availableParallelism() + 1, 4),
  // A worker that has ended its work frees up to a gigabyte, which takes more than the half second that Jest allows by itself
  // on a busy machine. Jest still tells of one that something keeps from ending.
  workerGracefulExitTimeout: 10_000,
  // Ends a test that hangs. No test is meant to take a fifth of it, so that a machine which is busy with something else fails none.
  testTimeout: 180_000,
};
