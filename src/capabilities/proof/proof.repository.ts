import { Injectable } from '@nestjs/common';
import { AppError } from '../../infrastructure/errors/errors.js';
import { runArriving } from '../../infrastructure/database/arriving-rows.js';
import { query, runForOne, type Query } from '../../infrastructure/database/query.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import { contentRows } from './content.js';
import { readAccounts, type ReadRow } from './account-reading.js';
import type { AccountContent, AccountRange, ContentRow, PageEnd, RowAccount } from './proof.types.js';

/** SQL for the condition that a row `item` belongs to the account. */
const OF_ACCOUNT = `item.import_supplier_id = :import_supplier_id
           AND item.external_account_number = account.external_account_number`;

const OF_ITS_OWN = `
        SELECT 'account' AS section, row_to_json(account) AS content
        UNION ALL`;

/** The items of an account, as they were sent. */
const ITEMS_OF_ACCOUNT = contentRows(OF_ACCOUNT);

/**
 * The rows of imported accounts, from a single query and so from one snapshot. The accounts come in the order of their
 * index, and the rows of each together, because the accounts are on the outer side of the only possible join. The reader
 * checks this order. An account without rows has one row whose section is null. Without accounts there is one row, which
 * only says whether the supplier is granted.
 *
 * @param condition selects accounts by the columns of `a`
 * @param besides columns of the accounts for an additional row, whose section is `account`; all accounts are then read,
 *   imported or not
 */
export function contentsQuery<Row extends RowAccount = ContentRow>(
  name: string,
  condition: string,
  besides?: string,
): Query<Row> {
  const number =
    besides === undefined ? 'a.service_account_number' : `coalesce(a.service_account_number, '')`;
  return query<Row>(
    name,
    `WITH supplier AS MATERIALIZED (
      SELECT :organisation_id::uuid IS NULL OR EXISTS (
               SELECT FROM {import_supplier_grant g}
                WHERE g.import_supplier_id = :import_supplier_id AND g.organisation_id = :organisation_id::uuid
             ) AS is_granted
    )
    SELECT supplier.is_granted, account.external_account_number, account.service_account_number, item.section, item.content
      FROM supplier
      LEFT JOIN LATERAL (
        SELECT a.external_account_number, ${number} AS service_account_number${besides === undefined ? '' : `, ${besides}`}
          FROM {account_import a}
         WHERE a.import_supplier_id = :import_supplier_id
           AND ${besides === undefined ? 'a.account_created_at IS NOT NULL' : 'true'}
           AND supplier.is_granted
           AND ${condition}
         ORDER BY a.external_account_number
         LIMIT :count_max::bigint
      ) AS account ON true
      LEFT JOIN LATERAL (${besides === undefined ? '' : OF_ITS_OWN}${ITEMS_OF_ACCOUNT}
        OFFSET 0
      ) AS item ON true`,
  );
}

const ACCOUNT = contentsQuery('contents.account', 'a.external_account_number = :only');
const ACCOUNTS = contentsQuery(
  'contents.accounts',
  'a.external_account_number > :after AND (:through::text IS NULL OR a.external_account_number <= :through)',
);

const PAGE_END = query<PageEnd>(
  'contents.page_end',
  `SELECT EXISTS (
            SELECT FROM {import_supplier_grant g}
             WHERE g.import_supplier_id = :import_supplier_id AND g.organisation_id = :organisation_id::uuid
          ) AS is_granted,
          page.last_number,
          (SELECT 1
             FROM {account_import a}
            WHERE a.import_supplier_id = :import_supplier_id
              AND a.external_account_number > page.last_number
              AND a.account_created_at IS NOT NULL
            ORDER BY a.external_account_number
            LIMIT 1) IS NOT NULL AS has_more
     FROM (SELECT max(listed.external_account_number) AS last_number
             FROM (SELECT a.external_account_number
                     FROM {account_import a}
                    WHERE a.import_supplier_id = :import_supplier_id
                      AND a.external_account_number > :after
                      AND a.account_created_at IS NOT NULL
                    ORDER BY a.external_account_number
                    LIMIT :count_max::integer) AS listed) AS page`,
);

@Injectable()
export class ProofRepository {
  /**
   * The content of accounts, in the order of the lists (choice S5). A single query reads them, so all are from one
   * snapshot, in constant memory whatever their number and size. An account that is being erased is not among them.
   *
   * @param onRow called with each row of an account before the account is yielded
   * @returns the accounts one after the other. If the caller stops early, the connection is closed, which ends its
   *   transaction
   * @throws AppError when the supplier is not granted to the organisation of the range: `account_not_found` for a single
   *   account, otherwise `not_found`
   * Source: choices V3, V4, S5.
   */
  accounts(
    tx: Tx,
    importSupplierId: number,
    range: AccountRange = {},
    onRow?: (row: ReadRow) => void,
  ): AsyncGenerator<AccountContent, void, undefined> {
    return readAccounts(
      this.rows(tx, importSupplierId, range),
      (account, row) => {
        account.add(row, onRow);
      },
      range.beforeFile,
    );
  }

  /** The rows of accounts, account by account, in lists as they arrive; see {@link contentsQuery}. */
  async *rows(tx: Tx, importSupplierId: number, range: AccountRange): AsyncGenerator<ContentRow[]> {
    const { only, after = '', through = null, countMax = null, organisationId = null } = range;
    const lists = runArriving(tx, only === undefined ? ACCOUNTS : ACCOUNT, {
      import_supplier_id: importSupplierId,
      organisation_id: organisationId,
      count_max: countMax,
      only,
      after,
      through,
    });
    for await (const rows of lists) {
      // This is then the only row.
      if (rows[0]?.is_granted === false)
        throw new AppError(only === undefined ? 'not_found' : 'account_not_found');
      yield rows;
    }
  }

  /** Where the page ends that begins after an account. */
  pageEnd(
    tx: Tx,
    importSupplierId: number,
    organisationId: string,
    after: string,
    limit: number,
  ): Promise<PageEnd> {
    return runForOne(tx, PAGE_END, {
      import_supplier_id: importSupplierId,
      organisation_id: organisationId,
      after,
      count_max: limit,
    });
  }
}
