import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sqlState } from '../../../../src/infrastructure/errors/sql-state.js';
import { readEnvironment } from '../../../../src/infrastructure/config/env.js';
import { connectionOptions } from '../../../../src/infrastructure/database/connection-options.js';
import { GUARD_FUNCTIONS, NOT_PLACED } from '../../../../src/infrastructure/database/citus/placement.js';
import { query, run } from '../../../../src/infrastructure/database/query.js';
import { UnitOfWork, type SupplierWork } from '../../../../src/infrastructure/database/unit-of-work.js';
import { createDatabase, type TestDatabase } from '../../../support/database.js';
import { freePort } from '../../../support/free-port.js';

const SUPPLIER = 3;
const SHARD = 7;
const READ = query<{ place: string }>(
  'tests.nodes.read',
  `SELECT 'here' AS place FROM (SELECT count(*) FROM {note}) AS n`,
);
const WRITE = query<never>('tests.nodes.write', `DELETE FROM {note} WHERE {held}`);

/** Stand-in for the Citus metadata that the service queries: the tables are their own shards. @param address of the only node */
const metadata = ({ hostname, port }: URL): string => `
  CREATE TABLE pg_dist_placement (shardid bigint, groupid integer);
  CREATE TABLE pg_dist_local_group (groupid integer);
  CREATE TABLE pg_dist_node (groupid integer, nodename text, nodeport integer, noderole text);
  INSERT INTO pg_dist_placement VALUES (${SHARD}, 1);
  INSERT INTO pg_dist_local_group VALUES (1);
  INSERT INTO pg_dist_node VALUES (1, '${hostname}', ${port}, 'primary');
  CREATE FUNCTION get_shard_id_for_distribution_column(regclass, integer) RETURNS bigint LANGUAGE sql AS 'SELECT ${SHARD}::bigint';
  CREATE FUNCTION shard_name(regclass, bigint) RETURNS text LANGUAGE sql AS 'SELECT $1::text';
  CREATE FUNCTION lock_shard_metadata(integer, bigint[]) RETURNS void LANGUAGE sql AS '';
  ${GUARD_FUNCTIONS}`;

describe('the queries of a supplier on several nodes (decision 11)', () => {
  let database: TestDatabase;
  let source: DataSource;
  let work: UnitOfWork;
  let warn: jest.SpiedFunction<Logger['warn']>;
  beforeEach(async () => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    database = await createDatabase();
    await database.sql(metadata(new URL(database.url)));
    source = await new DataSource(
      connectionOptions(database.url, readEnvironment({}), { kind: 'coordinator' }),
    ).initialize();
    work = new UnitOfWork(source);
  });
  afterEach(async () => {
    await work.onApplicationShutdown();
    await source.destroy();
    await database.drop();
  });

  const read = (at: SupplierWork): Promise<{ place: string }[]> => at.query((tx) => run(tx, READ, {}));
  const setGroup = (group: number): Promise<unknown> =>
    database.sql(`UPDATE pg_dist_local_group SET groupid = ${group}`);

  it('are sent to its node, whose connections count too', async () => {
    expect(await work.atSupplier(SUPPLIER, read)).toEqual([{ place: 'here' }]);
    const placement = await work.atSupplier(SUPPLIER, (at) =>
      at.query((tx) => Promise.resolve(tx.placement)),
    );
    expect(placement).toMatchObject({
      shardId: '7',
      shards: { note: 'note', import_supplier: 'import_supplier' },
    });
    expect(work.connections).toMatchObject({ idle: 2, max: 20 });
    // A query that names no shards goes through the coordinator.
    expect(await work.onCoordinator(SUPPLIER, () => work.query((tx) => run(tx, READ, {})))).toHaveLength(1);
  });

  it('are logged once as untested when the version of Citus is a different one', async () => {
    await work.atSupplier(SUPPLIER, read);
    await work.atSupplier(SUPPLIER, read);
    expect(warn.mock.calls).toEqual([[expect.objectContaining({ version: '', tried: '14.0' })]]);
  });

  it.each(['query', 'write', 'dryRun'] as const)(
    'are repeated on the node to which their rows were moved, when a query of "%s" finds none',
    async (way) => {
      await setGroup(2);
      let attempts = 0;
      await work.atSupplier(SUPPLIER, async (at) => {
        attempts += 1;
        if (attempts === 2) await setGroup(1);
        await at[way]((tx) => run(tx, WRITE, {}));
      });
      expect(attempts).toBe(2);
    },
  );

  it('fail after some attempts when no node has their rows, and store nothing', async () => {
    await setGroup(2);
    const [one, other] = await Promise.allSettled([
      work.atSupplier(SUPPLIER, read),
      work.atSupplier(SUPPLIER, (at) => at.write((tx) => run(tx, WRITE, {}))),
    ]);
    for (const outcome of [one, other])
      expect(sqlState((outcome as PromiseRejectedResult).reason)).toBe(NOT_PLACED);
  });

  it('find the node at its new address, after one query used the old one', async () => {
    const { port } = new URL(database.url);
    await database.sql(`UPDATE pg_dist_node SET nodeport = ${await freePort()}`);
    await expect(work.atSupplier(SUPPLIER, read)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await database.sql(`UPDATE pg_dist_node SET nodeport = ${port}`);
    expect(await work.atSupplier(SUPPLIER, read)).toHaveLength(1);
  });

  it('continue with a known node while the metadata is unavailable', async () => {
    await work.atSupplier(SUPPLIER, read);
    await database.sql('DROP TABLE pg_dist_node');
    expect(await work.atSupplier(SUPPLIER, read)).toHaveLength(1);
  });
});
