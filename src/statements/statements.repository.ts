import { Inject, Injectable } from '@nestjs/common';
import {
  ACCOUNT_DOOR,
  documentDemand,
  doorParameters,
  loadRecord,
  type DoorAnswer,
} from '../accounts/account-door.js';
import type { AccountRef } from '../accounts/account-ref.js';
import type { DocumentDemand } from '../accounts/load-documents.js';
import type { UnseenDocuments } from '../accounts/unseen-documents.js';
import type { Caller } from '../auth/caller.js';
import { run, runForOne, statement } from '../database/statement.js';
import type { Tx } from '../database/unit-of-work.js';
import { DOCUMENT_BUCKET } from '../import-suppliers/document-location.js';
import type { StatementDraft } from './statements.service.js';

interface AttachRow extends DoorAnswer, DocumentDemand {
  /** Positions, from 0, of those that are on the account with other content; null when there are none. */
  changed: number[] | null;
}

/**
 * Attach statements in one SQL statement, all of them or none.
 *
 * One that is on the account already must be the same in every field that was sent and in none that was not. A request
 * that stores one of them between our look and our insert is met by the primary key: the row is then neither added nor
 * known to be the same, so everything is undone and tried again. Rows are added in the order of their ids, so that two
 * requests never wait for each other.
 */
const ATTACH = statement<AttachRow>(
  'statements.attach',
  `WITH ${ACCOUNT_DOOR},
  ${documentDemand('$12', '$14')},
  sent AS (
    SELECT s.*
      FROM unnest($6::text[], $7::date[], $8::date[], $9::date[], $10::text[], $11::numeric[], $12::text[])
             WITH ORDINALITY AS s (statement_id, bill_period_from_date, bill_period_to_date, issued_date, number,
                                   gross_amount, statement_path, position)
  ),
  judged AS MATERIALIZED (
    SELECT sent.*, known.is_same
      FROM door
     CROSS JOIN sent
      LEFT JOIN LATERAL (
        SELECT (k.bill_period_from_date, k.bill_period_to_date, k.issued_date, k.number, k.gross_amount,
                k.statement_path)
               IS NOT DISTINCT FROM
               (sent.bill_period_from_date, sent.bill_period_to_date, sent.issued_date, sent.number,
                sent.gross_amount, sent.statement_path) AS is_same
          FROM statement k
         WHERE k.import_supplier_id = door.import_supplier_id
           AND k.external_account_number = door.external_account_number
           AND k.statement_id = sent.statement_id
         LIMIT 1
      ) AS known ON true
     WHERE door.is_open
  ),
  verdict AS MATERIALIZED (
    SELECT array_agg((position - 1)::integer ORDER BY position) FILTER (WHERE NOT is_same) AS changed,
           count(*) FILTER (WHERE is_same IS NULL) AS new_count
      FROM judged
  ),
  added AS (
    INSERT INTO statement (import_supplier_id, external_account_number, load_id, statement_id, bill_period_from_date,
                           bill_period_to_date, issued_date, number, gross_amount, statement_path,
                           document_location, document_seen_at)
    SELECT door.import_supplier_id, door.external_account_number, door.load_id, judged.statement_id,
           judged.bill_period_from_date, judged.bill_period_to_date, judged.issued_date, judged.number,
           judged.gross_amount, judged.statement_path,
           CASE WHEN judged.statement_path IS NOT NULL
                THEN concat_ws('/', $13::text, door.document_root, judged.statement_path) END,
           CASE WHEN judged.statement_path IS NOT NULL THEN documents.seen_at END
      FROM door, documents, verdict, judged
     WHERE documents.root_to_check IS NULL AND verdict.changed IS NULL AND judged.is_same IS NULL
     ORDER BY judged.statement_id
        ON CONFLICT DO NOTHING
    RETURNING statement.statement_id
  ),
  ${loadRecord('statements', 'SELECT count(*) FROM added')}
  SELECT door.supplier_status, door.is_open, documents.root_to_check, verdict.changed,
         CASE WHEN documents.root_to_check IS NULL AND verdict.changed IS NULL
                   AND (SELECT count(*) FROM added) < verdict.new_count
              THEN lost_race() END AS is_lost
    FROM verdict
    LEFT JOIN door ON true
    LEFT JOIN documents ON true`,
);

const COUNT_NOT_SEEN = statement<{ count: number }>(
  'statements.count_documents_not_seen',
  `SELECT count(*)::float8 AS count
     FROM statement
    WHERE import_supplier_id = $1 AND document_location IS NOT NULL AND document_seen_at IS NULL`,
);

interface NotSeenRow {
  external_account_number: string;
  statement_id: string;
  statement_path: string;
  document_location: string;
}

const LIST_NOT_SEEN = statement<NotSeenRow>(
  'statements.documents_not_seen',
  `SELECT external_account_number, statement_id, statement_path, document_location
     FROM statement
    WHERE import_supplier_id = $1 AND document_location IS NOT NULL AND document_seen_at IS NULL
      AND (external_account_number, statement_id) > ($2, $3)
    ORDER BY external_account_number, statement_id
    LIMIT $4`,
);

/** Before every statement. */
const START: readonly string[] = ['', ''];

const MARK_SEEN = statement<never>(
  'statements.mark_documents_seen',
  `UPDATE statement
      SET document_seen_at = now()
     FROM unnest($2::text[], $3::text[]) AS seen (account_number, statement_id)
    WHERE statement.import_supplier_id = $1
      AND statement.external_account_number = seen.account_number
      AND statement.statement_id = seen.statement_id
      AND statement.document_seen_at IS NULL`,
);

@Injectable()
export class StatementsRepository {
  constructor(@Inject(DOCUMENT_BUCKET) private readonly bucket: string) {}

  /**
   * Store the statements that are not on the account yet, if the door is open and none of them has changed.
   *
   * @param drafts no two with the same id
   * @param checkedRoot document root below which all their documents were found, null while they were not looked up
   */
  attach(
    tx: Tx,
    caller: Caller,
    ref: AccountRef,
    drafts: readonly StatementDraft[],
    checkedRoot: string | null,
  ): Promise<AttachRow> {
    return runForOne(tx, ATTACH, [
      ...doorParameters(caller, ref),
      drafts.map(({ statementId }) => statementId),
      drafts.map(({ billPeriodFromDate }) => billPeriodFromDate),
      drafts.map(({ billPeriodToDate }) => billPeriodToDate),
      drafts.map(({ issuedDate }) => issuedDate),
      drafts.map(({ number }) => number),
      drafts.map(({ grossAmount }) => grossAmount),
      drafts.map(({ statementPath }) => statementPath),
      this.bucket,
      checkedRoot,
    ]);
  }

  async countDocumentsNotSeen(tx: Tx, importSupplierId: number): Promise<number> {
    return (await runForOne(tx, COUNT_NOT_SEEN, [importSupplierId])).count;
  }

  /** @param after account number and statement id of the statement behind which to go on */
  async listDocumentsNotSeen(
    tx: Tx,
    importSupplierId: number,
    after: readonly string[] = START,
    countMax: number,
  ): Promise<UnseenDocuments[]> {
    const rows = await run(tx, LIST_NOT_SEEN, [importSupplierId, ...after, countMax]);
    return rows.map((row) => ({
      key: [row.external_account_number, row.statement_id],
      externalAccountNumber: row.external_account_number,
      documents: [{ path: row.statement_path, location: row.document_location }],
    }));
  }

  async markDocumentsSeen(
    tx: Tx,
    importSupplierId: number,
    keys: readonly (readonly string[])[],
  ): Promise<void> {
    const columns = START.map((_start, column) => keys.map((key) => key[column]));
    await run(tx, MARK_SEEN, [importSupplierId, ...columns]);
  }
}
