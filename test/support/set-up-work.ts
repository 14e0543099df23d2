import { readEnvironment } from '../../src/infrastructure/config/env.js';
import { dataSource } from '../../src/apps/data-source.js';
import { UnitOfWork } from '../../src/infrastructure/database/unit-of-work.js';
import type { TestDatabase } from './database.js';
import { setUp } from './set-up.js';

/** A unit of work on a database, as a service with the default settings has it. */
export function setUpWork(database: TestDatabase): UnitOfWork {
  const source = setUp(() =>
    dataSource(database.url, readEnvironment({}), { kind: database.kind }).initialize(),
  );
  return setUp(() => Promise.resolve(new UnitOfWork(source)));
}
