// The data source of src/apps/data-source.ts for the TypeORM command line, which wants a file that exports one (typeorm.mjs).
import { dataSource } from '../dist/src/apps/data-source.js';
import { readEnvironment } from '../dist/src/infrastructure/config/env.js';

const environment = readEnvironment(process.env);
export default dataSource(environment.DATABASE_URL, environment);
