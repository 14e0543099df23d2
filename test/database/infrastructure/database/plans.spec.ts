import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../../src/apps/data-source.js';
import '../../../support/every-query.js';
import { queries as allQueries, type Query } from '../../../../src/infrastructure/database/query.js';
import { createDatabase } from '../../../support/database.js';
import { fill, FULL, analyzeTables } from '../../../support/full-database.js';
import { plannedScans, type Scan } from '../../../support/query-plan.js';
import { valuesOf } from '../../../support/query-values.js';
import { setUp } from '../../../support/set-up.js';
import { growingTables } from '../../../support/tables.js';
import { filesIn } from '../../../architecture/sources.js';

/** The values of DATABASE_STATEMENTS; only `prepared` sets options of the planner. */
const MODES = ['prepared', 'plain'] as const;

/** Small tables that every request reads, so they must not be scanned either. */
const READ_BY_EVERY_REQUEST = ['api_key', 'platform_key', 'organisation', 'rate_limit'];

/** Queries that may read the rows of a range of accounts, with the reason. */
const RANGES: Readonly<Record<string, string>> = {
  'accounts.list_all': 'a page of a list',
  'accounts.list_pending': 'a page of a list',
  'accounts.list_imported': 'a page of a list',
  ...Object.fromEntries(
    ['all', 'imported', 'pending', 'failed', 'in_progress', 'cause', 'unloaded', 'loaded', 'differing'].map(
      (source) => [`account_lists.from_${source}`, 'a page of a list'],
    ),
  ),
  'contents.page_end': 'a page of a list',
  'accounts.acquire_lease': 'the next chunk to import',
  'accounts.import': 'a leased chunk',
  'accounts.importing': 'the first of the pending accounts',
  'accounts.is_any_leased': 'the leased chunks',
  'accounts.next_failed': 'the next failed accounts to retry',
  'accounts.preview_retry_of_cause': 'the first failed accounts of a cause',
  'accounts.remove_staged_objects': 'the next ones to remove',
  'accounts.list_to_erase': 'the next accounts to erase',
  'accounts.replace_totals': 'the last request',
  'accounts.supplier_progress': 'the account that failed last',
  'accounts.totals': 'the leased chunks',
  'accounts.is_any_control': 'one of them',
  'accounts.take_changes': 'one account with control totals',
  'console.find_accounts': 'the first ones whose numbers begin with a text',
  'sent_requests.list': 'a page of the list, or of the requests that a page scans',
  'sent_requests.list_down_to': 'the requests that a page scans',
  'sent_requests.list_by_time': 'a page of a list',
  'conditions.facts': 'the first ones, up to those that are counted',
  'documents.counts': 'the first ones, up to those that are counted',
  'notes.documents_not_seen': 'the next documents to look up',
  'statements.documents_not_seen': 'the next documents to look up',
  'notes.list_documents_not_seen': 'a page of a list',
  'statements.list_documents_not_seen': 'a page of a list',
};

/** Queries that read everything of one supplier, with the reason; none belongs to an import request. */
const WHOLE_SUPPLIERS: Readonly<Record<string, string>> = {
  'contents.accounts': 'the next accounts of a list, or all of a supplier for its proof',
  'accounts.count_pending': 'counts what is left to import',
  'accounts.erase_refusals_of_supplier': 'removes them all, and there are at most about 100,000',
  'contents.control_differences': 'counts the rows of all accounts with control totals, for an operator',
  'contents.migration_counts': 'counts the rows of all accounts with control totals, for an operator',
  'contents.every_account': 'reads everything, for a certificate',
  'accounts.count_controls':
    'counts the accounts that differ, from an index of only these, at most every 20 seconds',
  'accounts.count_expected':
    'counts the accounts with control totals, at most every 20 seconds while accounts are staged',
  'accounts.count_misjudged': 'compares all accounts, for an operator who checks the totals',
  'accounts.judge_all_controls': 'compares all accounts, for an operator who found a wrong result',
  'accounts.replace_unloaded': 'as accounts.judge_all_controls',
  'accounts.compare_totals': 'counts everything, for an operator who checks the totals',
  'console.differing_accounts': 'a page of the accounts that differ, from an index of only these',
  'console.failure_groups': 'counts the failed accounts, from an index of only these',
  'sent_requests.find_by_item':
    'looks for an id in all refusals of a supplier, at most about 100,000, within a time limit',
  'sent_requests.refusals': 'the next refusals of a file, of at most about 100,000',
  'sent_requests.refusals_of_others': 'counts the refusals of other organisations, at most about 100,000',
  'sent_requests.refusal_causes': 'counts the refusals by cause, at most about 100,000',
  'sent_requests.refusal_examples': 'looks for the newest refusals of a cause, of at most about 100,000',
  'sent_requests.refused_account_states': 'the first accounts of a cause, of at most about 100,000 refusals',
  'sent_requests.refused_accounts': 'a page of the accounts of one cause',
  'console.find_items': 'searches some thousand accounts at a time, for at most ten seconds',
  'sent_requests.count_by_time': 'counts what an operator is about to undo',
  'sent_requests.runs_by_time': 'counts the requests of each run, for an operator',
  'imports.remove_refusals': 'finds the expired ones',
  'notes.count_documents_not_seen': 'counts what is left to look up',
  'statements.count_documents_not_seen': 'counts what is left to look up',
};

/** Queries that find rows across suppliers by another unique index, with the reason. */
const OF_ALL_SUPPLIERS: Readonly<Record<string, string>> = {
  'console.find_platform_accounts': 'the first ones whose platform numbers begin with a text',
};

/** Queries that find requests by id or by the beginning of an id, with the reason. */
const BY_REQUEST_ID: Readonly<Record<string, string>> = {
  'sent_requests.find': 'a search has only the id',
  'sent_requests.list_of_run': 'a run is known by the beginning of its ids',
  'sent_requests.list_by_request_id':
    'an operator has the id of a request, or the beginning of those of a run',
  'sent_requests.count_by_request_id': 'counts what an operator is about to undo',
  'sent_requests.runs_by_request_id': 'an operator has the id of a run',
};

/** Queries that read a supplier's change log other than by account, with the condition of their scan. */
const OF_FEED: Readonly<Record<string, RegExp>> = {
  // The first change that a reader has not processed.
  'feed.list_readers': /\(sequence > /,
  // The next changes, and the undo of a request in an index of undos only.
  'feed.read_batch': /\((sequence > |import_request_id = b\.import_request_id)/,
  // The times of the removed requests, in a BRIN index.
  'accounts.erase_import_requests': /\(at = ANY/,
};

/** Queries that may scan a table that every request reads, with the reason. */
const SCANS: Readonly<Record<string, string>> = {
  'console.find_api_keys': 'a search of the labels of a few hundred keys',
  'sent_requests.senders': 'the first few hundred keys, for the filter of a list',
  'sent_requests.senders_of_keys': 'the organisations of the keys of a page, of which there are a few',
  'auth.expiring_api_keys': 'those of a few hundred keys that expire within a week',
  'restored.is_used': 'one row of each, at a start',
  'restored.valid_api_keys': 'lists them all, after a restore',
  'restored.valid_platform_keys': 'lists them all, after a restore',
  'evidence.forget_readers': 'checks all platform keys, once an hour',
  'auth.rate_limit_purge': 'once a minute, in a table of the last minute’s callers',
};

/** Queries of a distributed database, whose plans test/citus/routing.spec.ts checks. */
const ON_SEVERAL_NODES = [
  'accounts.lock_pending',
  'accounts.import_with_numbers',
  'accounts.note_imported',
  'accounts.mark_closed_for_erasure',
  'accounts.release_erased_accounts',
];

/** Queries that EXPLAIN does not support. */
const UNPLANNED = ['accounts.analyze', 'evidence.lock'];

/** The service's queries, without those that other test files in the same Jest process define. */
function queries(): readonly Query<unknown>[] {
  return allQueries().filter(({ name }) => !name.startsWith('tests.'));
}

describe('the plan of every hand-written query, on a full database', () => {
  const database = setUp(createDatabase);
  let growing: string[];
  beforeAll(async () => {
    await fill(database);
    await analyzeTables(database);
    growing = await growingTables(database);
  });

  /** Why a scan would become slower on a larger table. */
  function faultOf(name: string, { table, kind, condition, isCutShort }: Scan): string | undefined {
    if (READ_BY_EVERY_REQUEST.includes(table))
      return condition === '' && !(name in SCANS) ? `${kind} of all` : undefined;
    if (!growing.includes(table)) return undefined;
    // A Tid Scan reads only rows that another part of the query has found.
    if (kind === 'Tid Scan') return undefined;
    if (name in OF_ALL_SUPPLIERS && /\(service_account_number (>?= )/.test(condition)) return undefined;
    if (table === 'feed_change' && OF_FEED[name]?.test(condition) === true) return undefined;
    if (!condition.includes('(import_supplier_id = ')) return `${kind} that is not of one supplier`;
    if (name in WHOLE_SUPPLIERS || condition.includes('(external_account_number = ')) return undefined;
    if (name in BY_REQUEST_ID && /\(request_id (=|~>=~) /.test(condition)) return undefined;
    if (!(name in RANGES)) return `${kind} that is not of one account: ${condition}`;
    const isClosed = ['>=', '<='].every((end) => condition.includes(`(external_account_number ${end} `));
    return isClosed || isCutShort ? undefined : `${kind} of a range without an end: ${condition}`;
  }

  /** Check the plans of the service's own connections, after a change that is then rolled back. */
  async function faults(
    mode: (typeof MODES)[number],
    names?: readonly string[],
    change?: string,
  ): Promise<string[]> {
    const settings = { DATABASE_POOL_MAX: 1, DATABASE_STATEMENTS: mode };
    const dataSource = new DataSource(dataSourceOptions(database.url, settings));
    await dataSource.initialize();
    const runner = dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      if (change !== undefined) await runner.query(change);
      const found: string[] = [];
      for (const one of queries()) {
        if ([...UNPLANNED, ...ON_SEVERAL_NODES].includes(one.name) || names?.includes(one.name) === false)
          continue;
        for (const scan of await plannedScans(runner, one)) {
          const fault = faultOf(one.name, scan);
          if (fault !== undefined) found.push(`${one.name}, ${scan.table}: ${fault}`);
        }
      }
      return found;
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
      await dataSource.destroy();
    }
  }

  it('is checked with many rows in every table that grows', async () => {
    for (const table of growing) {
      const [row] = await database.sql<{ count: number }>(`SELECT count(*)::integer FROM ${table}`);
      expect({ table, isFull: row!.count >= FULL.rowsMin }).toEqual({ table, isFull: true });
    }
  });

  it.each(MODES)(
    'finds its rows by an index that starts with the supplier and the account (%s)',
    async (mode) => {
      expect(await faults(mode)).toEqual([]);
    },
  );

  it('of whether a supplier has control totals does not depend on the statistics (engineering rule)', async () => {
    const change = `UPDATE pg_class SET relallvisible = 0 WHERE relname = 'account_control'`;
    expect(await faults('plain', ['accounts.take_changes', 'accounts.is_any_control'], change)).toEqual([]);
  });

  it('of a supplier’s activity reads a page of its runs, changes and views, whatever else exists (C2)', async () => {
    await database.sql(
      `INSERT INTO audit_entry (operator, action, subject, import_supplier, external_account_number, details, at)
       SELECT 'o', CASE WHEN n % 20 < 18 THEN 'account.retry' ELSE 'accounts.import' END, n::text, 'S' || n % 3,
              CASE WHEN n % 20 < 18 THEN n::text END,
              CASE n % 20 WHEN 18 THEN jsonb_build_object('run', n::text, 'event', 'started')
                          WHEN 19 THEN jsonb_build_object('run', (n - 1)::text, 'event', 'ended') ELSE '{}' END,
              now() - make_interval(secs => n)
         FROM generate_series(1, 20000) n`,
    );
    await database.sql(
      `INSERT INTO viewed (viewer, action, import_supplier, external_account_number, hour, at, last_at, count)
       SELECT 'v', 'account.view', 'S' || n % 3, n::text, date_trunc('hour', now()), now(), now(), 1
         FROM generate_series(1, 20000) n`,
    );
    await database.sql('ANALYZE audit_entry, viewed');
    const settings = { DATABASE_POOL_MAX: 1, DATABASE_STATEMENTS: 'prepared' } as const;
    const dataSource = new DataSource(dataSourceOptions(database.url, settings));
    await dataSource.initialize();
    const scans: Scan[] = [];
    for (const name of ['console.activity', 'console.activity_views']) {
      scans.push(
        ...(await plannedScans(
          dataSource,
          queries().find((one) => one.name === name)!,
        )),
      );
    }
    await dataSource.destroy();
    expect(scans.map(({ index, isCutShort }) => [index, isCutShort])).toEqual([
      ['audit_entry_supplier', true],
      ['audit_entry_run_ended', true],
      ['viewed_supplier', true],
    ]);
  });

  it('of a cause of failed imports computes the cause once for equal failures (C9)', async () => {
    const { text } = queries().find(({ name }) => name === 'console.failure_groups')!;
    const plan = await database.sql<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${text}`);
    const filters = plan.map((line) => line['QUERY PLAN']).filter((line) => line.includes('Filter: '));
    expect(filters.filter((filter) => filter.includes('regexp_replace'))).toEqual([]);
    expect(filters.join('\n')).toContain('u.cause');
  });

  it.each([
    ['accounts.status', 'account_import'],
    ['accounts.list_all', 'account_import'],
    ['sent_requests.list_of_account', 'import_request'],
    ['imports.mark_undone', 'import_request'],
    ['imports.remove_transactions', 'transaction'],
    ['transactions.book', 'transaction'],
    ['transactions.book_moved', 'transaction'],
    ['notes.attach', 'note'],
    ['statements.attach', 'statement'],
    ['payment_instructions.find', 'payment_instruction'],
    ['auth.api_key_status', 'api_key'],
    ['auth.platform_key_status', 'platform_key'],
  ])('is faulty for %s without the primary key of %s', async (name, table) => {
    const change = `ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey CASCADE`;
    for (const mode of MODES) {
      expect(await faults(mode, [name], change)).not.toEqual([]);
    }
  });

  it('is checked for every query in the sources', () => {
    const named = filesIn('src').flatMap(({ text }) =>
      [...text.matchAll(/= query<[^;]*?>\(\s*['`]([^'`$]+)['`]/g)].map(([, name]) => name!),
    );
    const names = new Set(queries().map(({ name }) => name));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });

  it('is checked on Citus with a value for each parameter', () => {
    for (const one of queries()) valuesOf(one, 1);
  });

  it('belongs to a query whose name is in snake case, prefixed with the module', () => {
    const names = queries().map(({ name }) => name);
    expect(names.filter((name) => !/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
  });

  it('has an exception only for queries that exist', () => {
    const names = queries().map(({ name }) => name);
    const excepted = [
      ...[RANGES, WHOLE_SUPPLIERS, OF_ALL_SUPPLIERS, BY_REQUEST_ID, SCANS].flatMap(Object.keys),
      ...UNPLANNED,
      ...ON_SEVERAL_NODES,
    ];
    expect(excepted.filter((name) => !names.includes(name))).toEqual([]);
  });
});
