import fc from 'fast-check';
import { DISTRIBUTED_TABLES } from '../../src/infrastructure/database/citus/promises.js';
import { createOwnDatabase } from '../support/database.js';
import { move, placeOf } from '../support/shards.js';
import { startService, unique, type AccountPair, type World } from '../support/service.js';
import { setUp } from '../support/set-up.js';

/** Changes that Citus makes to shards while requests continue. */
type Change = 'move, writes wait' | 'move, copied beside writes' | 'split' | 'cleanup' | 'isolate';
const CHANGES: readonly Change[] = [
  ...(['move, writes wait', 'move, copied beside writes', 'split', 'cleanup', 'isolate'] as const),
];

type Loading = World & { readonly ref: AccountPair };

describe('a supplier that is moved while it loads', () => {
  const database = setUp(() => createOwnDatabase('moves'));
  const service = setUp(() => startService({}, { database }));

  const sql = (text: string, parameters: unknown[]): Promise<unknown> =>
    service.database.sql(text, parameters);

  async function make(change: Change, world: World): Promise<void> {
    const place = await placeOf(service.database, world.supplier);
    if (change === 'move, writes wait') await move(service.database, place, 'block_writes');
    if (change === 'move, copied beside writes') await move(service.database, place, 'force_logical');
    if (change === 'cleanup') await sql('CALL citus_cleanup_orphaned_resources()', []);
    if (change === 'isolate' && place.low < place.high) {
      await sql(
        `SELECT isolate_tenant_to_new_shard('account_import', $1::integer, 'CASCADE', shard_transfer_mode => 'block_writes')`,
        [place.supplierId],
      );
    }
    const middle = Math.floor((place.low + place.high) / 2);
    if (change === 'split' && middle < place.high) {
      await sql(
        `SELECT citus_split_shard_by_split_points($1, ARRAY[$2], ARRAY(
           SELECT n.nodeid FROM pg_dist_node n WHERE n.nodename || ':' || n.nodeport = ANY ($3) ORDER BY 1), 'block_writes')`,
        [place.shard, String(middle), [place.node, place.others[0]]],
      );
    }
  }

  /** Send requests sequentially until the end, retrying each until it succeeds. @returns the number of items */
  async function load({ token, ref }: Loading, end: AbortSignal): Promise<number> {
    const path = `account-contents/${ref.import_supplier}/`;
    let stored = 0;
    while (!end.aborted) {
      const transactions = Array.from({ length: 3 }, () => ({
        ...{ transaction_id: unique('t'), amount: 1, type: 'CHARGE', reason: 'IMPORTED_CHARGE' },
        transaction_date: '2026-03-15',
      }));
      let status = 503;
      while (status === 503)
        ({ status } = await service.post('transactions/create/', token, { ...ref, transactions }));
      expect(status).toBe(201);
      stored += transactions.length;
      expect((await service.get(path, token)).status).toBe(200);
    }
    return stored;
  }

  it('loses and doubles nothing, whatever is done with its shard (decision 11)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...CHANGES), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 4 }),
        async (changes, writers) => {
          const world = await service.given.importedAccount();
          const end = new AbortController();
          const loads = Array.from({ length: writers }, () => load(world, end.signal));
          for (const change of changes) await make(change, world);
          end.abort();
          const stored = (await Promise.all(loads)).reduce((sum, count) => sum + count, 0);
          const { supplierId } = await placeOf(service.database, world.supplier);
          const [rows] = await service.database.sql<{ rows: number; ids: number; requests: number }>(
            `SELECT count(*)::integer AS rows, count(DISTINCT t.transaction_id)::integer AS ids,
                    (SELECT sum(r.stored)::integer FROM import_request r WHERE r.import_supplier_id = $1) AS requests
               FROM transaction t
              WHERE t.import_supplier_id = $1`,
            [supplierId],
          );
          expect(rows).toEqual({ rows: stored, ids: stored, requests: stored });
        },
      ),
      { numRuns: 8 },
    );
  }, 240_000);

  it('can be moved: every distributed table has a replica identity for a copy with concurrent writes', async () => {
    const without = await service.database.sql<{ name: string }>(
      `SELECT c.relname AS name
         FROM pg_class c
        WHERE c.relname = ANY ($1) AND c.relnamespace = 'public'::regnamespace AND c.relreplident = 'd'
          AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)`,
      [DISTRIBUTED_TABLES],
    );
    expect(without).toEqual([]);
  });
});
