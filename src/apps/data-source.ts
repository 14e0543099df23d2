import { DataSource, type DataSourceOptions } from 'typeorm';
import { ApiKey } from '../auth/api-key.entity.js';
import { PlatformKey } from '../auth/platform-key.entity.js';
import { Organisation } from '../auth/organisation.entity.js';
import { CatalogueValue } from '../import-suppliers/catalogues/catalogue-value.entity.js';
import { ConsoleSession } from './console/signed-in/console-session.entity.js';
import { connectionOptions, type ConnectionUse } from '../infrastructure/database/connection-options.js';
import { ImportSupplier, ImportSupplierGrant } from '../import-suppliers/import-supplier.entity.js';
import { ITEM_ENTITIES } from '../ingest/kinds/item-entities.js';
import type { Environment } from '../infrastructure/config/settings.js';

/** Every entity of the service. */
export const ENTITIES = [
  Organisation,
  ApiKey,
  PlatformKey,
  ImportSupplier,
  ImportSupplierGrant,
  CatalogueValue,
  ConsoleSession,
  ...ITEM_ENTITIES,
];

/**
 * The only description of the database connection, with its entities and migrations. The service, the operator commands, the tests
 * and the TypeORM command line use it.
 *
 * @param url postgres:// address
 */
export function dataSourceOptions(
  url: string,
  environment: Pick<Environment, 'DATABASE_POOL_MAX' | 'DATABASE_STATEMENTS'>,
  use?: Omit<ConnectionUse, 'entities'>,
): DataSourceOptions {
  return connectionOptions(url, environment, { entities: ENTITIES, ...use });
}

/** A data source that is not yet connected. */
export function dataSource(...args: Parameters<typeof dataSourceOptions>): DataSource {
  return new DataSource(dataSourceOptions(...args));
}
