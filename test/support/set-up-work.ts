import { readEnvironment } from '../../src/infrastructure/config/env.js';
import { dataSource } from '../../src/apps/data-source.js';
import { UnitOfWork } from '../../src/infrastructure/database/unit-of-work.js';
import type { TestDatabase } from './database.js';
import { setUp } from './set-up.js';

/** The work on a database, as of a service with the default settings. */
export function setUpWork(database: TestDatabase): UnitOfWork {
  const source = setUp(() =>
    dataSource(database.url, readEnvironment({}), { kind: database.kind }).initialize(),
  );
  return setUp(() => Promise.resolve(new UnitOfWork(source)));
}
