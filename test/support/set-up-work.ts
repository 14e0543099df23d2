import { readEnvironment } from '../../src/infrastructure/config/env.js';
import { dataSource } from '../../src/apps/data-source.js';
import { UnitOfWork } from '../../src/infrastructure/database/unit-of-work.js';
import type { TestDatabase } from './database.js';
import { setUp } from './set-up.js';

/** A unit of work on a database, as a service has it, by default with the default settings. */
export function setUpWork(
  database: TestDatabase,
  connect = () => dataSource(database.url, readEnvironment({}), { kind: database.kind }).initialize(),
): UnitOfWork {
  const source = setUp(connect);
  return setUp(() => Promise.resolve(new UnitOfWork(source)));
}
