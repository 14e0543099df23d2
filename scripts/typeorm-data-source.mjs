// Exports the data source of src/apps/data-source.ts as a file, which the TypeORM command line requires (typeorm.mjs).
import { dataSource } from '../dist/src/apps/data-source.js';
import { readEnvironment } from '../dist/src/infrastructure/config/env.js';

const environment = readEnvironment(process.env);
export default dataSource(environment.DATABASE_URL, environment);
