import type { Contender } from '../contenders/contender.js';
import { accountNumber } from '../contenders/fixture.js';
import { measureAll } from '../load/rounds.js';
import type { AccountPicker } from '../load/scenarios.js';
import { grouped, type Report } from '../report.js';
import type { BenchRun } from '../run.js';
import { accountsFor, fill, ROWS_PER_ACCOUNT } from './fill.js';
import { relativeRows } from './relative-rows.js';

/** The scenarios unless `--only` names others. */
const SCENARIOS_DEFAULT = ['transactions-20', 'notes-5'];

/** A prime greater than any number of accounts: its multiples visit every account before repeating one. */
const SCATTER = 4_294_967_291n;

/**
 * Measure services whose databases contain different numbers of transactions and notes, in alternating windows, so that the
 * rate with many rows can be divided by the rate with few.
 *
 * @param sizes numbers of stored transactions, each with as many notes; ratios are to the first
 */
export async function measureGrowth(sizes: readonly number[], run: BenchRun): Promise<Report> {
  const { options, postgres, log } = run;
  const accountsOf = new Map<Contender, number>();
  for (const size of sizes) {
    const accounts = accountsFor(size);
    const database = await run.createDatabase(`bench_growth_${size}`, { accounts });
    await fill(database.url, {
      size,
      accounts,
      parts: ['transactions', 'notes', 'requests', 'requestsOfNotes'],
      log,
    });
    accountsOf.set(await run.serve(`service with ${grouped(size)}`, database), accounts);
  }
  const isScattered = options.visits === 'scattered';
  const wanted = run.scenarios.filter(
    ({ name }) => options.only !== undefined || SCENARIOS_DEFAULT.includes(name),
  );
  const contenders = [...accountsOf.keys()];
  const results = await measureAll(wanted, contenders, {
    ...options,
    postgres,
    log,
    accounts: (contender) => visits(accountsOf.get(contender) ?? NaN, isScattered),
  });
  return {
    section: 'growth',
    tables: [
      {
        head: ['Scenario', 'Rows stored', 'Items/s', 'p50 ms', 'p99 ms', 'Rate ÷ first'],
        rows: relativeRows(results, contenders, (_contender, position) => grouped(sizes[position] ?? NaN)),
        remarks: [
          `Rows stored is the number of transactions, and of as many notes, ${ROWS_PER_ACCOUNT} of each per account. Requests visit the accounts ${isScattered ? 'in a scattered order' : 'in the order of their numbers'}.`,
        ],
      },
    ],
  };
}

function visits(accounts: number, isScattered: boolean): AccountPicker {
  return isScattered
    ? (index) => accountNumber(Number((BigInt(index) * SCATTER) % BigInt(accounts)))
    : (index) => accountNumber(index % accounts);
}
