import { ImportingService } from '../../../src/accounts/importing/importing.service.js';
import { RetryService } from '../../../src/accounts/importing/retry.service.js';
import type { FailedAccounts, RetryOutcome } from '../../../src/accounts/importing/retry.types.js';
import { startService } from '../../support/service.js';
import { setUp } from '../../support/set-up.js';

const SENTENCE =
  'The open statement period would begin on 2026-02-01 and end on 2026-01-31, before it begins.';
const OTHER = 'Something else went wrong.';

describe('retrying failed accounts', () => {
  const service = setUp(startService);

  const retry = (code: string, accounts: FailedAccounts): Promise<RetryOutcome> =>
    service.app.get(RetryService, { strict: false }).retry(code, accounts, { operator: 'test' });

  /** Create a supplier with the failed accounts 00001 to `count`. @returns the supplier's code */
  async function failedAccounts(count: number, failure = SENTENCE): Promise<string> {
    const { supplier } = await service.given.supplier();
    await service.database.sql(
      `INSERT INTO account_import (import_supplier_id, external_account_number, status, failure, failed_at)
       SELECT s.id, lpad(n::text, 5, '0'), 'failed', $3, now()
         FROM import_supplier s, generate_series(1, $2::integer) n WHERE s.code = $1`,
      [supplier, count, failure],
    );
    await service.database.sql(
      `INSERT INTO supplier_change (import_supplier_id, failed) SELECT s.id, $2 FROM import_supplier s WHERE s.code = $1`,
      [supplier, count],
    );
    return supplier;
  }

  async function statuses(code: string): Promise<Record<string, number>> {
    const rows = await service.database.sql<{ status: string; count: number }>(
      `SELECT a.status, count(*)::integer AS count
         FROM account_import a JOIN import_supplier s ON s.id = a.import_supplier_id
        WHERE s.code = $1 GROUP BY a.status ORDER BY a.status`,
      [code],
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  }

  /** The totals including pending changes. */
  async function totals(code: string): Promise<object> {
    const [row] = await service.database.sql(
      `SELECT sum(t.failed)::integer AS failed, sum(t.pending)::integer AS pending
         FROM (SELECT import_supplier_id, failed, pending FROM supplier_change
               UNION ALL SELECT import_supplier_id, failed, pending FROM supplier_total) AS t
         JOIN import_supplier s ON s.id = t.import_supplier_id
        WHERE s.code = $1`,
      [code],
    );
    return row!;
  }

  const entries = (code: string): Promise<{ action: string; count: number }[]> =>
    service.database.sql(
      `SELECT action, count(*)::integer AS count FROM audit_entry WHERE import_supplier = $1 GROUP BY action ORDER BY action`,
      [code],
    );

  it('sets every account to pending in batches, each with its totals and records in one transaction (C9, O6)', async () => {
    const code = await failedAccounts(2_500);
    expect(await retry(code, 'all')).toEqual({ pending: 2_500, notFailed: [] });
    expect(await statuses(code)).toEqual({ pending: 2_500 });
    expect(await totals(code)).toEqual({ failed: 0, pending: 2_500 });
    expect(await entries(code)).toEqual([
      { action: 'account.retry', count: 2_500 },
      { action: 'accounts.retry', count: 2 },
    ]);
    expect(await retry(code, 'all')).toEqual({ pending: 0, notFailed: [] });
    expect((await entries(code)).at(-1)).toEqual({ action: 'accounts.retry', count: 2 });
  });

  it('selects the accounts of one cause, whatever the days in its sentence (C9)', async () => {
    const code = await failedAccounts(3, SENTENCE);
    await service.database.sql(
      `UPDATE account_import a
          SET failure = CASE a.external_account_number WHEN '00002' THEN replace($2, '2026-01-31', '2025-12-31') ELSE $3 END
         FROM import_supplier s
        WHERE s.id = a.import_supplier_id AND s.code = $1 AND a.external_account_number <> '00001'`,
      [code, SENTENCE, OTHER],
    );
    const cause = SENTENCE.replaceAll(/\d{4}-\d\d-\d\d/g, '…');
    expect(await retry(code, { cause })).toEqual({ pending: 2, notFailed: [] });
    expect(await retry(code, { cause: 'none' })).toEqual({ pending: 0, notFailed: [] });
    expect(await statuses(code)).toEqual({ failed: 1, pending: 2 });
    expect(await retry(code, { cause: OTHER })).toEqual({ pending: 1, notFailed: [] });
  });

  it('changes an account once when two retries run concurrently (C9)', async () => {
    const code = await failedAccounts(1_200);
    const unlock = await service.database.lock('supplier_change');
    const both = Promise.all([retry(code, 'all'), retry(code, 'all')]);
    await service.database.blocked(2);
    await unlock();
    const outcomes = await both;
    expect(outcomes.reduce((sum, { pending }) => sum + pending, 0)).toBe(1_200);
    expect(await totals(code)).toEqual({ failed: 0, pending: 1_200 });
  });

  it('skips an account that is staged or imported concurrently (C9)', async () => {
    const code = await failedAccounts(3);
    const unlock = await lockedWith(
      `UPDATE account_import a SET status = 'pending', failure = NULL, failed_at = NULL
         FROM import_supplier s WHERE s.id = a.import_supplier_id AND s.code = $1 AND a.external_account_number = '00002'`,
      code,
    );
    const retrying = retry(code, { numbers: ['00003', '00002', '00001', '00009'] });
    await service.database.blocked(1);
    await unlock();
    expect(await retrying).toEqual({ pending: 2, notFailed: ['00002', '00009'] });
    expect(await totals(code)).toEqual({ failed: 1, pending: 2 });
    await service.app.get(ImportingService, { strict: false }).import(code, {
      ...{ operator: 'test', concurrency: 1, interrupted: new AbortController().signal },
      onProgress: () => undefined,
    });
    expect(await statuses(code)).toEqual({ imported: 3 });
    expect(await retry(code, 'all')).toEqual({ pending: 0, notFailed: [] });
  });

  /** Run a query in a transaction that stays open. @returns a function that commits it */
  async function lockedWith(text: string, code: string): Promise<() => Promise<void>> {
    const client = await service.database.connect();
    await client.query('BEGIN');
    await client.query(text, [code]);
    return async () => {
      await client.query('COMMIT');
      await client.end();
    };
  }
});
