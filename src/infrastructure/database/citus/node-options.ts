import type { DataSourceOptions } from 'typeorm';
import type { DatabaseKind } from './database-kind.js';

/** The address under which the cluster knows a node. */
export interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

/** Lets a connection to a node write to shards by their names. The queries have guards (placement.ts). */
const WRITES_SHARDS = '-c citus.enable_manual_changes_to_shards=on';

/**
 * How to connect to a node of a cluster: as the same user as to its coordinator, and with the same settings.
 *
 * @param coordinator options of its data source (../connection-options.ts)
 * @param plans start options that make PostgreSQL plan a prepared query once; the coordinator does not have them
 */
export function nodeOptions(
  coordinator: DataSourceOptions,
  { host, port }: NodeAddress,
  plans: string,
): DataSourceOptions {
  const { url, extra } = coordinator as {
    readonly url: string;
    readonly extra: { readonly options?: string };
  };
  const address = new URL(url);
  address.hostname = host.includes(':') ? `[${host}]` : host;
  address.port = String(port);
  for (const parameter of ['host', 'port']) address.searchParams.delete(parameter);
  const { options } = extra;
  const kind: DatabaseKind = 'node';
  return {
    ...coordinator,
    url: address.href,
    extra: {
      ...extra,
      ...(options !== undefined && { options: `${options} ${plans} ${WRITES_SHARDS}` }),
      kind,
    },
  } as DataSourceOptions;
}
