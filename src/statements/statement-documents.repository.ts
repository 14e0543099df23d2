import { Injectable } from '@nestjs/common';
import { isNotBeingErased } from '../erasure/not-being-erased.js';
import { query, run, runForOne } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import {
  DocumentReferrers,
  type DocumentReferrer,
  type SeenDocuments,
  type UnseenDocuments,
} from '../documents/document-referrers.js';

const COUNT_NOT_SEEN = query<{ count: number }>(
  'statements.count_documents_not_seen',
  `SELECT count(*)::float8 AS count
     FROM statement
    WHERE import_supplier_id = :import_supplier_id AND document_location IS NOT NULL AND document_seen_at IS NULL
      AND ${isNotBeingErased('statement')}`,
);

interface NotSeenRow {
  external_account_number: string;
  statement_id: string;
  statement_path: string;
  document_location: string;
}

const LIST_NOT_SEEN = query<NotSeenRow>(
  'statements.documents_not_seen',
  `SELECT external_account_number, statement_id, statement_path, document_location
     FROM statement
    WHERE import_supplier_id = :import_supplier_id AND document_location IS NOT NULL AND document_seen_at IS NULL
      AND ${isNotBeingErased('statement')}
      AND (external_account_number, statement_id) > (:account_number, :statement_id)
    ORDER BY external_account_number, statement_id
    LIMIT :count_max`,
);

/** Sorts before the key of every statement. */
const START: readonly string[] = ['', ''];

const MARK_SEEN = query<never>(
  'statements.mark_documents_seen',
  `UPDATE statement
      SET document_seen_at = now()
     FROM unnest(:account_numbers::text[], :statement_ids::text[]) AS seen (account_number, statement_id)
    WHERE statement.import_supplier_id = :import_supplier_id
      AND statement.external_account_number = seen.account_number
      AND statement.statement_id = seen.statement_id
      AND statement.document_seen_at IS NULL`,
);

@Injectable()
export class StatementDocumentsRepository implements DocumentReferrer {
  readonly kind = 'statement';

  constructor(referrers: DocumentReferrers) {
    referrers.add(this);
  }

  async countNotSeen(tx: Tx, importSupplierId: number): Promise<number> {
    return (await runForOne(tx, COUNT_NOT_SEEN, { import_supplier_id: importSupplierId })).count;
  }

  /** @param after account number and id of the statement after which to continue */
  async listNotSeen(
    tx: Tx,
    importSupplierId: number,
    after: readonly string[] = START,
    countMax: number,
  ): Promise<UnseenDocuments[]> {
    const [account_number, statement_id] = after;
    const rows = await run(tx, LIST_NOT_SEEN, {
      import_supplier_id: importSupplierId,
      account_number,
      statement_id,
      count_max: countMax,
    });
    return rows.map((row) => ({
      key: [row.external_account_number, row.statement_id],
      externalAccountNumber: row.external_account_number,
      documents: [{ path: row.statement_path, location: row.document_location }],
    }));
  }

  async markSeen(tx: Tx, importSupplierId: number, seen: readonly SeenDocuments[]): Promise<void> {
    await run(tx, MARK_SEEN, {
      import_supplier_id: importSupplierId,
      account_numbers: seen.map(({ key }) => key[0]),
      statement_ids: seen.map(({ key }) => key[1]),
    });
  }
}
