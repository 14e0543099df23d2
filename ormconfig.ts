// Where a reader who knows TypeORM looks for it.
export { ENTITIES, dataSource, dataSourceOptions } from './src/apps/data-source.js';
