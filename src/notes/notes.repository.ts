import { Inject, Injectable } from '@nestjs/common';
import {
  accountDoor,
  DOCUMENT_COLUMNS,
  DOCUMENT_DEMAND,
  documentParameters,
  loadNumbers,
  loadRecord,
  runLoads,
  type DoorAnswer,
} from '../imports/account-access.js';
import type { DocumentDemand } from '../imports/document-check.js';
import type { SeenDocuments, UnseenDocuments } from '../documents/document-references.js';
import { run, runForOne, query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import { DOCUMENT_BUCKET } from '../documents/document-location.js';
import type { NotesLoad, AttachAnswer } from './notes.types.js';

interface AttachRow extends DoorAnswer, DocumentDemand {
  /** One for each note sent, in their order; null when the door is closed. */
  is_new: boolean[] | null;
  /** Milliseconds since 1970 of the note that stands on the account now. */
  created_at_ms: number[] | null;
}

/**
 * Attach the notes of one load or of several in one statement; no two of a load have the same content and the same moment
 * sent, and at most one of each content came without a moment.
 *
 * A note is there already when the account has one of the same content and, if a moment was sent with it, of the same
 * moment. The look-up finds it and its moment; what another request stored since this statement began, the two unique
 * indexes see. The moment of that one is not known here when none was sent, so everything is then undone and tried again.
 *
 * Rows are added in the order of their keys, whatever the order of the payload, so that two requests with the same notes
 * do not wait for each other in a circle.
 *
 * Paths travel as one text a note, joined with line feeds, which a path cannot hold.
 */
const ATTACH = query<AttachRow>(
  'notes.attach',
  `WITH ${accountDoor(DOCUMENT_COLUMNS)},
  ${DOCUMENT_DEMAND},
  judged AS MATERIALIZED (
    SELECT n.load, n.position, n.body, paths.list AS document_paths, n.created_at, n.created_at_sent, n.is_pinned,
           n.unpin_at, content.hash AS content_hash, documents.import_request_id, documents.import_supplier_id,
           documents.external_account_number, documents.document_root, documents.root_to_check, documents.seen_at,
           ( SELECT note.created_at
               FROM note
              WHERE note.import_supplier_id = documents.import_supplier_id
                AND note.external_account_number = documents.external_account_number
                AND note.content_hash = content.hash
                AND (NOT n.created_at_sent OR note.created_at = n.created_at)
              ORDER BY note.created_at
              LIMIT 1
           ) AS existing_created_at
      FROM unnest($8::integer[], $9::text[], $10::text[], $11::timestamptz[], $12::boolean[], $13::boolean[],
                  $14::timestamptz[])
             WITH ORDINALITY
             AS n (load, body, joined_paths, created_at, created_at_sent, is_pinned, unpin_at, position)
      JOIN documents ON documents.load = n.load AND documents.is_open,
           LATERAL (SELECT coalesce(string_to_array(nullif(n.joined_paths, ''), E'\n'), '{}')) AS paths (list),
           LATERAL (SELECT note_content_hash(n.body, paths.list) OFFSET 0) AS content (hash)
  ),
  added AS (
    INSERT INTO note (import_supplier_id, external_account_number, import_request_id, body, document_paths, document_locations,
                      documents_seen_at, created_at, created_at_sent, is_pinned, unpin_at)
    SELECT judged.import_supplier_id, judged.external_account_number, judged.import_request_id, judged.body,
           judged.document_paths,
           ARRAY(SELECT concat_ws('/', $15::text, judged.document_root, p.path)
                   FROM unnest(judged.document_paths) WITH ORDINALITY AS p (path, position)
                  ORDER BY p.position),
           CASE WHEN cardinality(judged.document_paths) > 0 THEN judged.seen_at END,
           judged.created_at, judged.created_at_sent, judged.is_pinned, judged.unpin_at
      FROM judged
     WHERE judged.root_to_check IS NULL AND judged.existing_created_at IS NULL
     ORDER BY judged.load, judged.content_hash, judged.created_at_sent, judged.created_at
        ON CONFLICT DO NOTHING
    RETURNING note.import_request_id, note.content_hash, note.created_at_sent, note.created_at
  ),
  outcome AS MATERIALIZED (
    SELECT documents.*, results.is_new, results.created_at_ms, results.stored, results.is_lost
      FROM documents
      LEFT JOIN (
        SELECT judged.load,
               array_agg(CASE WHEN judged.root_to_check IS NULL THEN added.created_at IS NOT NULL
                              ELSE judged.existing_created_at IS NULL END ORDER BY judged.position) AS is_new,
               array_agg((extract(epoch FROM coalesce(judged.existing_created_at, judged.created_at)) * 1000)::float8
                         ORDER BY judged.position) AS created_at_ms,
               count(added.created_at) AS stored,
               bool_or(judged.root_to_check IS NULL AND judged.existing_created_at IS NULL
                       AND NOT judged.created_at_sent AND added.created_at IS NULL) AS is_lost
          FROM judged
          LEFT JOIN added
            ON added.import_request_id = judged.import_request_id
           AND added.content_hash = judged.content_hash
           AND added.created_at_sent = judged.created_at_sent
           AND added.created_at = judged.created_at
         GROUP BY judged.load
      ) AS results USING (load)
  ),
  ${loadRecord('notes', 'outcome')}
  SELECT load, supplier_status, is_open, root_to_check, is_new, created_at_ms,
         CASE WHEN is_lost THEN raise_serialization_failure() END AS is_lost
    FROM outcome`,
);

const COUNT_NOT_SEEN = query<{ count: number }>(
  'notes.count_documents_not_seen',
  `SELECT coalesce(sum(cardinality(coalesce(unseen_document_paths, document_paths))), 0)::float8 AS count
     FROM note
    WHERE import_supplier_id = $1 AND cardinality(document_locations) > 0 AND documents_seen_at IS NULL`,
);

interface NotSeenRow {
  external_account_number: string;
  content_hash: string;
  created_at: string;
  document_paths: string[];
  document_locations: string[];
  unseen_document_paths: string[] | null;
}

const LIST_NOT_SEEN = query<NotSeenRow>(
  'notes.documents_not_seen',
  `SELECT external_account_number, encode(content_hash, 'hex') AS content_hash, created_at::text AS created_at,
          document_paths, document_locations, unseen_document_paths
     FROM note
    WHERE import_supplier_id = $1 AND cardinality(document_locations) > 0 AND documents_seen_at IS NULL
      AND (external_account_number, content_hash, created_at) > ($2, decode($3, 'hex'), $4::timestamptz)
    ORDER BY note.external_account_number, note.content_hash, note.created_at
    LIMIT $5`,
);

/** Before every note. */
const START: readonly string[] = ['', '', '-infinity'];

/** The last parameter has what was not seen of each note, joined by line feeds, which no path holds; null for nothing. */
const MARK_SEEN = query<never>(
  'notes.mark_documents_seen',
  `UPDATE note
      SET documents_seen_at = CASE WHEN seen.unseen IS NULL THEN now() END,
          unseen_document_paths = string_to_array(seen.unseen, E'\\n')
     FROM unnest($2::text[], $3::text[], $4::timestamptz[], $5::text[])
            AS seen (account_number, content_hash, created_at, unseen)
    WHERE note.import_supplier_id = $1
      AND note.external_account_number = seen.account_number
      AND note.content_hash = decode(seen.content_hash, 'hex')
      AND note.created_at = seen.created_at
      AND note.documents_seen_at IS NULL`,
);

@Injectable()
export class NotesRepository {
  constructor(@Inject(DOCUMENT_BUCKET) private readonly bucket: string) {}

  /**
   * Store the notes of each load that are not on its account yet, if the door is open.
   *
   * @param loads onto different accounts
   * @returns one answer for each load, in their order
   */
  async attach(tx: Tx, loads: readonly NotesLoad[]): Promise<AttachAnswer[]> {
    const sent = loads.flatMap(({ drafts, now }) => drafts.map((draft) => ({ ...draft, now })));
    const answers = await runLoads(tx, ATTACH, loads, [
      ...documentParameters(loads),
      loadNumbers(loads, ({ drafts }) => drafts),
      sent.map(({ body }) => body),
      sent.map(({ documentPaths }) => documentPaths.join('\n')),
      sent.map(({ createdAt, now }) => (createdAt ?? now).toISOString()),
      sent.map(({ createdAt }) => createdAt !== undefined),
      sent.map(({ isPinned }) => isPinned),
      sent.map(({ unpinAt }) => unpinAt?.toISOString()),
      this.bucket,
    ]);
    return answers.map(({ load: { drafts, now }, row: { is_new, created_at_ms, ...answer } }) => {
      const outcomes = drafts.map(({ body }, index) => ({
        body,
        isNew: is_new?.[index] ?? false,
        createdAt: new Date(created_at_ms?.[index] ?? now),
      }));
      return { ...answer, outcomes };
    });
  }

  async countDocumentsNotSeen(tx: Tx, importSupplierId: number): Promise<number> {
    return (await runForOne(tx, COUNT_NOT_SEEN, [importSupplierId])).count;
  }

  /** @param after account number, content hash and moment of the note behind which to go on */
  async listDocumentsNotSeen(
    tx: Tx,
    importSupplierId: number,
    after: readonly string[] = START,
    countMax: number,
  ): Promise<UnseenDocuments[]> {
    const rows = await run(tx, LIST_NOT_SEEN, [importSupplierId, ...after, countMax]);
    return rows.map((row) => ({
      key: [row.external_account_number, row.content_hash, row.created_at],
      externalAccountNumber: row.external_account_number,
      documents: row.document_paths
        .map((path, index) => ({ path, location: row.document_locations[index] ?? '' }))
        .filter(({ path }) => row.unseen_document_paths?.includes(path) ?? true),
    }));
  }

  async markDocumentsSeen(tx: Tx, importSupplierId: number, seen: readonly SeenDocuments[]): Promise<void> {
    const columns = START.map((_start, column) => seen.map(({ key }) => key[column]));
    const unseen = seen.map(({ unseenPaths }) => (unseenPaths.length > 0 ? unseenPaths.join('\n') : null));
    await run(tx, MARK_SEEN, [importSupplierId, ...columns, unseen]);
  }
}
