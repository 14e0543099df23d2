import { setTimeout as delay } from 'node:timers/promises';
import type { Contender } from '../contenders/contender.js';
import { accountNumber, SUPPLIER } from '../contenders/fixture.js';
import { operatorCommand, type ServiceDatabase } from '../contenders/service.js';
import { median } from '../load/statistics.js';
import { query } from '../processes/postgres.js';
import { grouped, type Report } from '../report.js';
import type { BenchRun } from '../run.js';
import { accountsFor, fill, ROWS_PER_ACCOUNT } from './fill.js';

/** Number of measured requests per page, and of uncounted requests before them. */
const TIMES = 21;
const TIMES_BEFORE = 3;

/** Refused requests, accounts whose import failed, and pending accounts. */
const REFUSALS = 100_000;
const FAILED = 100_000;
const PENDING = 100_000;
/** Imported accounts without any request, which sort after all others. */
const EMPTY = 1_000;

/**
 * Measure the pages of the console, requested one after another by one operator.
 *
 * @param transactions number of stored transactions, 20 per account
 * @throws Error when a page has an unexpected status
 */
export async function measureScreens(transactions: number, run: BenchRun): Promise<Report> {
  const { log } = run;
  const accounts = accountsFor(transactions);
  const created = await run.createDatabase('bench_screens', { accounts });
  const database = { ...created, settings: { ...created.settings, CONSOLE: 'on' } };
  const parts = ['transactions', 'requests', 'requestsOfNotes'] as const;
  await fill(database.url, { size: transactions, accounts, parts, log });
  for (const text of [...FILL_FAILURES, refusals(REFUSALS), ...FILL_ACCOUNTS])
    await query(database.url, text);
  await operatorCommand(database, ['totals', 'check', SUPPLIER, '--repair'], transactions);
  await query(database.url, 'VACUUM ANALYZE');
  const service = await run.serve('service', database);
  await carriedOver(database.url);
  const cookie = await signIn(database, service);
  const rows: string[][] = [];
  for (const [title, path, status] of pages(accounts)) {
    log(title);
    rows.push([title, ...(await timePage(service, cookie, path, status))]);
  }
  return {
    section: 'screens',
    windows: 'one run',
    tables: [
      {
        head: ['Page', 'Median, ms', 'Longest, ms', 'Size, kB'],
        rows,
        remarks: [
          `${grouped(transactions)} transactions on ${grouped(accounts)} accounts, ${grouped(PENDING)} pending and ${grouped(FAILED)} failed accounts, ${grouped(REFUSALS)} refused requests; each page ${TIMES} times, one after another.`,
        ],
      },
    ],
  };
}

/** Wait until all changes of the filled-in rows are carried over; in a real migration they arrive gradually. */
async function carriedOver(databaseUrl: string): Promise<void> {
  while ((await query(databaseUrl, 'SELECT FROM supplier_change LIMIT 1')).length > 0) await delay(1_000);
  await query(databaseUrl, 'VACUUM supplier_change');
}

/** Title, path and status of each page. */
function pages(accounts: number): (readonly [title: string, path: string, status: number])[] {
  const supplier = `/console/suppliers/${SUPPLIER}`;
  const number = accountNumber(Math.floor(accounts / 2));
  const search = (text: string): string => `/console/search?q=${encodeURIComponent(text)}`;
  return [
    ['Overview', '/console/', 200],
    ['Overview: a week', '/console/?span=week', 200],
    ['Supplier', supplier, 200],
    ['Failures', `${supplier}/failures`, 200],
    [
      'Failures: a cause of imports',
      `${supplier}/failures/cause?source=imports&cause=${encodeURIComponent(CAUSE)}`,
      200,
    ],
    ['Accounts: all', `${supplier}/accounts?after=${number}`, 200],
    ['Accounts: pending', `${supplier}/accounts?state=pending`, 200],
    ['Accounts: failed', `${supplier}/accounts?state=failed`, 200],
    ['Accounts: imported', `${supplier}/accounts?state=imported&after=${number}`, 200],
    ['Accounts: with an import', `${supplier}/accounts?load=some`, 200],
    ['Accounts: without one', `${supplier}/accounts?load=none`, 200],
    ['Accounts: that differ', `${supplier}/accounts?differs=1`, 200],
    ['Accounts: that differ, imported', `${supplier}/accounts?differs=1&state=imported`, 200],
    ['Accounts: of a cause', `${supplier}/accounts?cause=${encodeURIComponent(CAUSE)}`, 200],
    ['Differences', `${supplier}/differences`, 200],
    ['Differences: too many rows', `${supplier}/differences?state=too_many`, 200],
    ['Documents: missing', `${supplier}/documents`, 200],
    ['Documents: not looked up yet', `${supplier}/documents?state=not_looked_up`, 200],
    ['Requests', '/console/requests', 200],
    ['Account', `${supplier}/accounts/${number}`, 200],
    ['Find: an account number', search(number), 303],
    ['Find: the beginning of many account numbers', search(number.slice(0, -3)), 200],
    ['Find: the beginning of platform numbers', search('A-0'), 200],
    ['Find: a request id', search(`stored-${Math.floor(accounts / 2) * ROWS_PER_ACCOUNT}`), 303],
    ['Find: nothing', search('no such thing'), 200],
  ];
}

async function timePage(
  { origin }: Contender,
  cookie: string,
  path: string,
  status: number,
): Promise<string[]> {
  const times: number[] = [];
  let bytes = 0;
  for (let count = -TIMES_BEFORE; count < TIMES; count += 1) {
    const start = performance.now();
    const response = await fetch(origin + path, { headers: { cookie }, redirect: 'manual' });
    const text = await response.text();
    if (response.status !== status) throw new Error(`${path} answered ${response.status}, not ${status}.`);
    if (count >= 0) times.push(performance.now() - start);
    bytes = text.length;
  }
  return [median(times).toFixed(1), Math.max(...times).toFixed(1), (bytes / 1_000).toFixed(0)];
}

/** @returns the cookies of an operator's session */
export async function signIn(database: ServiceDatabase, { origin }: Contender): Promise<string> {
  const { answer } = await operatorCommand(database, ['console', 'link', '--base-url', origin], 0);
  const link = await fetch(answer.url as string);
  const token = /name="_csrf" value="([^"]+)"/.exec(await link.text())?.[1] ?? '';
  const signedIn = await fetch(answer.url as string, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookiesOf(link) },
    body: new URLSearchParams({ _csrf: token }),
  });
  if (signedIn.status !== 303) throw new Error(`Signing in answered ${signedIn.status}.`);
  return cookiesOf(signedIn);
}

function cookiesOf({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

/** The cause of the failures. */
const CAUSE = 'The open statement period would begin on … and end on …, before it begins.';

/** Control totals: nearly all imported accounts agree, and some at the end have no imported items. */
const FILL_ACCOUNTS = [
  `INSERT INTO account_import (import_supplier_id, external_account_number, status, service_account_number, account_created_at,
                               open_statement_from)
   SELECT s.id, 'Z-EMPTY-' || i, 'imported', next_service_account_number(), now(), date '2026-01-01'
     FROM import_supplier s, generate_series(1, ${EMPTY}) AS i
    WHERE s.code = '${SUPPLIER}'`,
  `INSERT INTO account_control (import_supplier_id, external_account_number, transactions, state)
   SELECT a.import_supplier_id, a.external_account_number,
          CASE WHEN hashtext(a.external_account_number) % 1000 = 0 THEN 1 ELSE ${ROWS_PER_ACCOUNT} END, 'agrees'
     FROM account_import a
     JOIN import_supplier s ON s.id = a.import_supplier_id AND s.code = '${SUPPLIER}'`,
];

const FILL_FAILURES = [
  `INSERT INTO account_import (import_supplier_id, external_account_number, status, failure, failed_at)
   SELECT s.id, 'FAILED-' || i, 'failed',
          format('The open statement period would begin on %s and end on 2026-01-01, before it begins.', date '2026-02-01' + i % 300),
          now()
     FROM import_supplier s, generate_series(1, ${FAILED}) AS i
    WHERE s.code = '${SUPPLIER}'`,
  `INSERT INTO account_import (import_supplier_id, external_account_number)
   SELECT s.id, 'PENDING-' || i
     FROM import_supplier s, generate_series(1, ${PENDING}) AS i
    WHERE s.code = '${SUPPLIER}'`,
];

/** SQL that inserts refused requests of one cause. */
export function refusals(count: number): string {
  return `INSERT INTO import_refusal (import_supplier_id, external_account_number, id, at, kind, organisation_id, api_key_id, request_id, status,
                               code, attr, field_code, is_dry_run)
   SELECT s.id, 'ACC-' || i, uuidv7(), now() - i * interval '1 second', 'transactions', uuidv7(),
          '01980000-0000-7000-8000-00000000000a', 'refused-' || i, 400, 'validation_error', 'transactions.' || i % 500 || '.amount', 'required', false
     FROM import_supplier s, generate_series(1, ${count}) AS i
    WHERE s.code = '${SUPPLIER}'`;
}
