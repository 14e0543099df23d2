import pg from 'pg';
import { runCommand, runJson } from '../support/cli.js';
import { expectError } from '../support/expect-error.js';
import { startService } from '../support/service.js';
import { setUp } from '../support/set-up.js';

const service = setUp(startService);

/** Lock a table's shard with the rows of a supplier, on its node, against changes only. */
async function lockShard(table: string, supplier: string): Promise<() => Promise<void>> {
  const [shard] = await service.database.sql<{ id: string; host: string; port: number }>(
    `SELECT d.id, n.nodename AS host, n.nodeport AS port
       FROM (SELECT get_shard_id_for_distribution_column($1::text::regclass, s.id) AS id
               FROM import_supplier s WHERE s.code = $2) AS d
       JOIN pg_dist_placement p ON p.shardid = d.id
       JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'`,
    [table, supplier],
  );
  const { id, host, port } = shard!;
  const url = new URL(service.database.url);
  Object.assign(url, { hostname: host, port: String(port) });
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  // By default, Citus refuses manual changes to shards.
  await client.query('SET citus.enable_manual_changes_to_shards = on');
  await client.query(`BEGIN; LOCK TABLE ${table}_${id} IN SHARE ROW EXCLUSIVE MODE`);
  return () => client.end();
}

const PERIOD = { bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31' };

describe('accounts import on several nodes', () => {
  it('imports all numbers except those being erased, and ends with exit code 1 (S3, S10)', async () => {
    const world = await service.given.supplier();
    for (const number of ['1', '2', '3']) await service.given.stagedAccount(world, number);
    // Staged by hand while an erasure is removing the rows of an earlier account with the same number.
    const begin = [
      `INSERT INTO erasure (import_supplier_id, external_account_number, reason, run_id)
       SELECT id, '2', 'test', uuidv7() FROM import_supplier WHERE code = $1`,
      `INSERT INTO account_erasure (import_supplier_id, external_account_number, erasure_id)
       SELECT e.import_supplier_id, '2', e.id FROM erasure e JOIN import_supplier s ON s.id = e.import_supplier_id AND s.code = $1`,
      `INSERT INTO imported_account (import_supplier_id, external_account_number, erasure_id)
       SELECT e.import_supplier_id, '2', e.id FROM erasure e JOIN import_supplier s ON s.id = e.import_supplier_id AND s.code = $1`,
    ];
    for (const statement of begin) await service.database.sql(statement, [world.supplier]);
    const importAll = ['accounts', 'import', world.supplier];
    const first = await runJson(service.database, importAll);
    expect(first).toMatchObject({
      exitCode: 1,
      json: { imported: 2, failed: 0, remaining: 1 },
      stderr: expect.stringContaining(
        '1 account is not imported: its number is being erased. Repeat the command when the erasure is complete.',
      ) as string,
    });
    for (const table of ['imported_account', 'account_erasure', 'erasure']) {
      await service.database.sql(
        `DELETE FROM ${table} t USING import_supplier s
          WHERE s.id = t.import_supplier_id AND s.code = $1 AND t.external_account_number = '2'`,
        [world.supplier],
      );
    }
    const second = await runJson(service.database, importAll);
    expect(second).toMatchObject({ exitCode: 0, json: { imported: 1, failed: 0, remaining: 0 } });
  });
});

describe('an import on several nodes', () => {
  it.each<[string, string, object]>([
    ['note', 'notes/create/', { notes: [{ body: 'late' }] }],
    ['statement', 'historical-statements/create/', { statements: [{ statement_id: 'late', ...PERIOD }] }],
  ])(
    'answers 404 when the account is erased after it was found and before the first %s is stored (S10)',
    async (table, path, payload) => {
      const { ref, token, supplier } = await service.given.importedAccount();
      const number = ref.external_account_number;
      const release = await lockShard(table, supplier);
      const answer = service.post(path, token, { ...ref, ...payload });
      await service.database.blocked(1);
      const erased = await runCommand(service.database, [
        ...['accounts', 'erase', supplier, number, '--reason', 'test'],
      ]);
      expect(erased).toMatchObject({ exitCode: 0 });
      await release();
      expectError(await answer, 404, 'account_not_found');
      for (const each of [table, 'import_request', 'imported_account', 'account_erasure']) {
        const left = await service.database.sql(`SELECT FROM ${each} WHERE external_account_number = $1`, [
          number,
        ]);
        expect({ each, left }).toEqual({ each, left: [] });
      }
    },
  );
});
