import { Inject, Injectable } from '@nestjs/common';
import {
  accountDoor,
  DOCUMENT_COLUMNS,
  DOCUMENT_DEMAND,
  documentParameters,
  firstPositions,
  loadNumbers,
  loadRecord,
  runLoads,
} from '../imports/account-access.js';
import type { SeenDocuments, UnseenDocuments } from '../documents/document-references.js';
import { run, runForOne, query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import { DOCUMENT_BUCKET } from '../documents/document-location.js';
import type { NewStatement, StatementsLoad, AttachAnswer } from './statements.types.js';

/**
 * Attach the statements of one load or of several in one SQL statement, of each load all or none.
 *
 * One that is on the account already must be the same in every field that was sent and in none that was not. A request
 * that stores one of them between our look and our insert is met by the primary key: the row is then neither added nor
 * known to be the same, so everything is undone and tried again. Rows are added in the order of their keys, so that two
 * requests never wait for each other.
 */
const ATTACH = query<AttachAnswer>(
  'statements.attach',
  `WITH ${accountDoor({ ...DOCUMENT_COLUMNS, first_position: 'integer' })},
  ${DOCUMENT_DEMAND},
  judged AS MATERIALIZED (
    SELECT sent.*, documents.import_request_id, documents.import_supplier_id, documents.external_account_number,
           documents.document_root, documents.seen_at, documents.first_position, known.is_same
      FROM unnest($9::integer[], $10::text[], $11::date[], $12::date[], $13::date[], $14::text[], $15::numeric[],
                  $16::text[])
             WITH ORDINALITY
             AS sent (load, statement_id, bill_period_from_date, bill_period_to_date, issued_date, number, gross_amount,
                      statement_path, position)
      JOIN documents ON documents.load = sent.load AND documents.is_open
      LEFT JOIN LATERAL (
        SELECT (k.bill_period_from_date, k.bill_period_to_date, k.issued_date, k.number, k.gross_amount,
                k.statement_path)
               IS NOT DISTINCT FROM
               (sent.bill_period_from_date, sent.bill_period_to_date, sent.issued_date, sent.number,
                sent.gross_amount, sent.statement_path) AS is_same
          FROM statement k
         WHERE k.import_supplier_id = documents.import_supplier_id
           AND k.external_account_number = documents.external_account_number
           AND k.statement_id = sent.statement_id
         LIMIT 1
      ) AS known ON true
  ),
  verdict AS MATERIALIZED (
    SELECT documents.*, found.changed,
           CASE WHEN documents.root_to_check IS NULL AND found.changed IS NULL THEN found.new_count END AS wanted_count
      FROM documents
      LEFT JOIN (
        SELECT judged.load,
               array_agg((judged.position - judged.first_position)::integer ORDER BY judged.position)
                 FILTER (WHERE NOT judged.is_same) AS changed,
               count(*) FILTER (WHERE judged.is_same IS NULL) AS new_count
          FROM judged
         GROUP BY judged.load
      ) AS found USING (load)
  ),
  added AS (
    INSERT INTO statement (import_supplier_id, external_account_number, import_request_id, statement_id, bill_period_from_date,
                           bill_period_to_date, issued_date, number, gross_amount, statement_path,
                           document_location, document_seen_at)
    SELECT judged.import_supplier_id, judged.external_account_number, judged.import_request_id, judged.statement_id,
           judged.bill_period_from_date, judged.bill_period_to_date, judged.issued_date, judged.number,
           judged.gross_amount, judged.statement_path,
           CASE WHEN judged.statement_path IS NOT NULL
                THEN concat_ws('/', $17::text, judged.document_root, judged.statement_path) END,
           CASE WHEN judged.statement_path IS NOT NULL THEN judged.seen_at END
      FROM verdict
      JOIN judged USING (load)
     WHERE verdict.wanted_count > 0 AND judged.is_same IS NULL
     ORDER BY judged.load, judged.statement_id COLLATE "C"
        ON CONFLICT DO NOTHING
    RETURNING statement.import_request_id
  ),
  outcome AS MATERIALIZED (
    SELECT verdict.*, coalesce(counted.stored, 0) AS stored
      FROM verdict
      LEFT JOIN (SELECT import_request_id, count(*) AS stored FROM added GROUP BY import_request_id) AS counted USING (import_request_id)
  ),
  ${loadRecord('statements', 'outcome')}
  SELECT o.load, o.supplier_status, o.is_open, o.root_to_check, o.changed,
         CASE WHEN o.root_to_check IS NOT NULL
              THEN (SELECT array_agg((judged.position - judged.first_position)::integer)
                      FROM judged
                     WHERE judged.load = o.load AND judged.is_same) END AS unchanged,
         CASE WHEN o.stored < o.wanted_count THEN raise_serialization_failure() END AS is_lost
    FROM outcome o`,
);

const COUNT_NOT_SEEN = query<{ count: number }>(
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

const LIST_NOT_SEEN = query<NotSeenRow>(
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

const MARK_SEEN = query<never>(
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
   * Store the statements of each load that are not on its account yet, if the door is open and none of them has changed.
   *
   * @param loads onto different accounts
   * @returns one answer for each load, in their order
   */
  async attach(tx: Tx, loads: readonly StatementsLoad[]): Promise<AttachAnswer[]> {
    const draftsOf = ({ drafts }: StatementsLoad): readonly NewStatement[] => drafts;
    const sent = loads.flatMap(draftsOf);
    const answers = await runLoads(tx, ATTACH, loads, [
      ...documentParameters(loads),
      firstPositions(loads, draftsOf),
      loadNumbers(loads, draftsOf),
      sent.map(({ statementId }) => statementId),
      sent.map(({ billPeriodFromDate }) => billPeriodFromDate),
      sent.map(({ billPeriodToDate }) => billPeriodToDate),
      sent.map(({ issuedDate }) => issuedDate),
      sent.map(({ number }) => number),
      sent.map(({ grossAmount }) => grossAmount),
      sent.map(({ statementPath }) => statementPath),
      this.bucket,
    ]);
    return answers.map(({ row }) => row);
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

  async markDocumentsSeen(tx: Tx, importSupplierId: number, seen: readonly SeenDocuments[]): Promise<void> {
    const columns = START.map((_start, column) => seen.map(({ key }) => key[column]));
    await run(tx, MARK_SEEN, [importSupplierId, ...columns]);
  }
}
