import { createServiceDatabase, operatorCommand } from './contenders.js';
import { accountNumberSql, SUPPLIER } from './fixture.js';
import { ROWS_PER_ACCOUNT } from './growth.js';
import { withClient } from './postgres.js';
import { grouped, type Report } from './report.js';
import type { BenchRun } from './run.js';

/** What the ids of the requests begin with that are undone, and those of the others: two on each account. */
const [WRONG, KEPT] = ['WRONG-', 'KEPT-'];

/**
 * Measure undoing half of the import requests of a supplier, whose accounts have two each.
 *
 * @param transactions undone ones, 20 of each request
 * @throws Error when not exactly these are undone, or the totals do not agree
 */
export async function measureUndo(transactions: number, { postgres, log }: BenchRun): Promise<Report> {
  const requests = Math.ceil(transactions / ROWS_PER_ACCOUNT);
  const rows = requests * ROWS_PER_ACCOUNT;
  log(`Filling a database with ${grouped(2 * rows)} transactions on ${grouped(requests)} accounts …`);
  const database = await createServiceDatabase(postgres, 'bench_undo', requests);
  await withClient(database.url, async (client) => {
    // All accounts exist; the trigger that checks it for each row would take most of the time.
    await client.query(`SET session_replication_role = replica`);
    for (const [part, prefix] of [KEPT, WRONG].entries()) {
      for (const text of FILL) await client.query(text, [requests, part, prefix]);
    }
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
  });
  const command = (...words: string[]): ReturnType<typeof operatorCommand> =>
    operatorCommand(database, words, rows);
  await command('totals', 'check', SUPPLIER, '--repair');
  await command('supplier', 'set', SUPPLIER, '--status', 'paused');
  const start = await command('supplier', 'show', SUPPLIER);
  log(`Undoing ${grouped(requests)} import requests …`);
  const chosen = ['--request-prefix', WRONG, '--yes', '--reason', 'bench'];
  const { answer, seconds } = await command('imports', 'undo', SUPPLIER, ...chosen);
  const removed = (answer.rows as { transactions: number }).transactions;
  if (answer.requests !== requests || removed !== rows) throw new Error(JSON.stringify(answer));
  await command('totals', 'check', SUPPLIER);
  return {
    section: 'undo',
    tables: [
      {
        head: ['Step', 'Seconds', 'Requests/s', 'Rows/s'],
        rows: [['imports undo', seconds.toFixed(2), grouped(requests / seconds), grouped(rows / seconds)]],
        remarks: [
          `${grouped(requests)} import requests of ${ROWS_PER_ACCOUNT} transactions, one on each account, beside as many that stay. The seconds include the start of the command; one that only shows a supplier takes ${start.seconds.toFixed(2)} s.`,
        ],
      },
    ],
  };
}

/** Parameters: number of accounts, which of their requests, and what its id begins with. */
const ID = `format('01980000-0000-7000-8000-%s%s', $2::integer, lpad(to_hex(i), 11, '0'))::uuid`;
const FILL = [
  `INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored, items, amount,
                               stored_at)
   SELECT s.id, ${accountNumberSql('i')}, ${ID}, 'transactions', '01980000-0000-7000-8000-00000000000a', $3::text || i,
          ${ROWS_PER_ACCOUNT}, ${ROWS_PER_ACCOUNT}, 10.25 * ${ROWS_PER_ACCOUNT}, now() + i * interval '1 millisecond'
     FROM import_supplier s, generate_series(0, $1::integer - 1) AS i
    WHERE s.code = '${SUPPLIER}'`,
  `INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, import_request_id, transaction_date, amount,
                            type, reason, reference, payment_type, display_note, note)
   SELECT s.id, ${accountNumberSql('i')}, $3::text || i || '-' || n, ${ID}, date '2020-01-01' + (i % 2000)::integer, 10.25, 'PAYMENT',
          'ACCOUNT_CHARGE_PAYMENT', 'ref ' || i, 'DD_REGULAR_COLLECTION', 'Imported from your previous supplier', 'Ledger line ' || i
     FROM import_supplier s, generate_series(0, $1::integer - 1) AS i, generate_series(1, ${ROWS_PER_ACCOUNT}) AS n
    WHERE s.code = '${SUPPLIER}'`,
];
