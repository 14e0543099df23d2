// Where a reader who knows TypeORM looks for it.
export { ENTITIES, dataSource, dataSourceOptions } from './src/database/data-source.js';
