// What a test run skips on a Citus cluster (TEST_DATABASE_URL), and why, for jest.config.mjs and scripts/test.mjs.

/** Projects of jest.config.mjs. */
export const PROJECTS_NOT_ON_CITUS = {
  unit: 'no database',
  architecture: 'files, and the schema of a single node',
  browser: 'what browsers show',
  process: 'processes with the embedded PostgreSQL',
  soak: 'takes minutes, embedded PostgreSQL',
  nodes: 'kills the servers of the cluster: npm test -- --project=nodes',
};

/** Files of the other projects. */
export const FILES_NOT_ON_CITUS = {
  'test/database/infrastructure/audit/audit.spec.ts': 'plan of a single node',
  'test/database/infrastructure/database/plans.spec.ts':
    'plans of a single node; test/citus/routing.spec.ts has those of a cluster',
  'test/database/infrastructure/database/rows-read.spec.ts': 'counts of rows read on a single node',
  'test/database/infrastructure/database/migrations.spec.ts': 'migrations up and down on a single node',
  'test/database/capabilities/undo/undo.spec.ts': 'ends and holds connections of a single node',
  'test/database/infrastructure/database/open-database.spec.ts': 'settings of roles and databases',
  'test/database/infrastructure/database/embedded-postgres.spec.ts': 'embedded PostgreSQL',
  'test/e2e/apps/cli/database.commands.spec.ts': 'roles, and databases without tables',
  'test/e2e/infrastructure/database/database-errors.spec.ts':
    'loses the connection to a single database; test/nodes covers those to nodes',
  'test/database/infrastructure/database/nodes.spec.ts':
    'stands in for the metadata of Citus on a server without it',
};

/** Cases in files that do run: `isCluster` and `onSingleNode` of test/support/database.ts skip them. */
export const CASES_NOT_ON_CITUS = {
  'the vendor SANDBOX with the embedded database': 'embedded PostgreSQL',
  'the connections while imports use all that they may': 'each node has its own connections',
  'constraints of a single node only': 'docs/scaling.md, "Promises", describes their replacements',
};
