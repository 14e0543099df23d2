import { SUPPLIER } from '../contenders/fixture.js';
import { operatorCommand } from '../contenders/service.js';
import { grouped, type Report } from '../report.js';
import type { BenchRun } from '../run.js';
import { fill, ROWS_PER_ACCOUNT } from './fill.js';

/** What the ids of the requests begin with that are undone, and those of the others: two on each account. */
const [WRONG, KEPT] = ['WRONG-', 'KEPT-'];

/**
 * Measure undoing half of the import requests of a supplier, whose accounts have two each.
 *
 * @param transactions undone ones, 20 of each request
 * @throws Error when not exactly these are undone, or the totals do not agree
 */
export async function measureUndo(transactions: number, run: BenchRun): Promise<Report> {
  const requests = Math.ceil(transactions / ROWS_PER_ACCOUNT);
  const rows = requests * ROWS_PER_ACCOUNT;
  const database = await run.createDatabase('bench_undo', { accounts: requests });
  for (const [digit, prefix] of [KEPT, WRONG].entries()) {
    const parts = ['requests', 'transactions'] as const;
    await fill(database.url, { size: rows, accounts: requests, parts, prefix, digit, log: run.log });
  }
  const command = (...words: string[]): ReturnType<typeof operatorCommand> =>
    operatorCommand(database, words, rows);
  await command('totals', 'check', SUPPLIER, '--repair');
  await command('supplier', 'set', SUPPLIER, '--status', 'paused');
  const start = await command('supplier', 'show', SUPPLIER);
  run.log(`Undoing ${grouped(requests)} import requests …`);
  const chosen = ['--request-prefix', WRONG, '--yes', '--reason', 'bench'];
  const { answer, seconds } = await command('imports', 'undo', SUPPLIER, ...chosen);
  const removed = (answer.rows as { transactions: number }).transactions;
  if (answer.requests !== requests || removed !== rows) throw new Error(JSON.stringify(answer));
  await command('totals', 'check', SUPPLIER);
  return {
    section: 'undo',
    windows: 'one run',
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
