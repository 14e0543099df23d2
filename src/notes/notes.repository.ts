import { query } from '../database/query.js';
import { accountAccess } from '../imports/account-access.js';
import { DOCUMENT_CHECK, DOCUMENT_REQUEST_COLUMNS } from '../imports/document-check.js';
import { importRecord } from '../imports/import-record.js';
import { ImportRepository } from '../imports/import-runner.js';
import { Columns, sentItems } from '../imports/item-columns.js';
import { NOTE_COLUMNS } from './note.columns.js';
import type { NotesRequest, NotesRow } from './notes.types.js';

const REQUEST_COLUMNS = new Columns<NotesRequest>('request', {
  ...DOCUMENT_REQUEST_COLUMNS,
  now: { type: 'timestamptz', read: ({ now }) => now.toISOString() },
});

/** Each note with the date-time of the same note of the account, if there is one. */
const JUDGED = `judged AS MATERIALIZED (
    SELECT ${NOTE_COLUMNS.selectFrom('sent', { document_paths: 'paths.list' })},
           coalesce(sent.created_at, access.now) AS stored_created_at, sent.position, content.hash AS content_hash,
           access.request_number, access.import_request_id, access.external_account_number, access.document_root,
           access.root_to_check, access.seen_at,
           ( SELECT note.created_at
               FROM {note}
              WHERE note.import_supplier_id = :import_supplier_id
                AND note.external_account_number = access.external_account_number
                AND note.content_hash = content.hash
                AND (sent.created_at IS NULL OR note.created_at = sent.created_at)
              ORDER BY note.created_at
              LIMIT 1
           ) AS existing_created_at
      FROM ${sentItems(NOTE_COLUMNS)}
      JOIN access ON access.request_number = sent.request_number AND access.is_open,
           LATERAL (SELECT coalesce(string_to_array(sent.document_paths, E'\\n'), '{}')) AS paths (list),
           LATERAL (SELECT note_content_hash(sent.body, paths.list) OFFSET 0) AS content (hash)
  )`;

/**
 * Attach the notes of one or several requests. None of them repeats another one of its request.
 *
 * A note without a date-time is the same as any of the account with the same content, a note with a date-time as one with the
 * same content and the same date-time (choices N1, N4). A note that is sent without a date-time is stored with the present one;
 * of such a note and one that was sent with the present date-time only the first is stored, which is why those come first.
 *
 * What another request stored since the query began is detected by the two unique indexes. The date-time of such a note is
 * unknown here when none was sent, so the query then fails with a serialization failure and is tried again.
 *
 * Rows are inserted in the order of their keys, whatever the order of the payload, so that two requests with the same notes
 * cannot deadlock.
 */
const ATTACH = query<NotesRow>(
  'notes.attach',
  `WITH ${accountAccess(DOCUMENT_CHECK, REQUEST_COLUMNS)},
  ${JUDGED},
  added AS (
    INSERT INTO {note} (import_supplier_id, external_account_number, import_request_id, created_at_sent, document_locations,
                      documents_seen_at, ${NOTE_COLUMNS.list})
    SELECT :import_supplier_id, judged.external_account_number, judged.import_request_id, judged.created_at IS NOT NULL,
           ARRAY(SELECT concat_ws('/', :bucket::text, judged.document_root, p.path)
                   FROM unnest(judged.document_paths) WITH ORDINALITY AS p (path, position)
                  ORDER BY p.position),
           CASE WHEN cardinality(judged.document_paths) > 0 THEN judged.seen_at END,
           ${NOTE_COLUMNS.selectFrom('judged', { created_at: 'judged.stored_created_at' })}
      FROM judged
     WHERE judged.root_to_check IS NULL AND judged.existing_created_at IS NULL
     ORDER BY judged.request_number, judged.content_hash, judged.created_at IS NOT NULL, judged.stored_created_at
        ON CONFLICT DO NOTHING
    RETURNING note.import_request_id, note.content_hash, note.created_at_sent, note.created_at
  ),
  outcome AS MATERIALIZED (
    SELECT access.*, results.is_new, results.created_at_ms, results.stored, results.is_lost
      FROM access
      LEFT JOIN (
        SELECT judged.request_number,
               array_agg(CASE WHEN judged.root_to_check IS NULL THEN added.created_at IS NOT NULL
                              ELSE judged.existing_created_at IS NULL END ORDER BY judged.position) AS is_new,
               array_agg((extract(epoch FROM coalesce(judged.existing_created_at, judged.stored_created_at)) * 1000)::float8
                         ORDER BY judged.position) AS created_at_ms,
               count(added.created_at) AS stored,
               bool_or(judged.root_to_check IS NULL AND judged.existing_created_at IS NULL
                       AND judged.created_at IS NULL AND added.created_at IS NULL) AS is_lost
          FROM judged
          LEFT JOIN added
            ON added.import_request_id = judged.import_request_id
           AND added.content_hash = judged.content_hash
           AND added.created_at_sent = (judged.created_at IS NOT NULL)
           AND added.created_at = judged.stored_created_at
         GROUP BY judged.request_number
      ) AS results USING (request_number)
  ),
  ${importRecord('notes', 'outcome')}
  SELECT supplier_status, is_open, root_to_check, is_new, created_at_ms, CASE WHEN is_lost THEN raise_serialization_failure() END AS is_lost
    FROM outcome
   WHERE {held}
   ORDER BY request_number`,
);

/** Stores the notes of each request that its account does not have, where the account is open. */
export const NOTES_IMPORT = new ImportRepository('notes', ATTACH, NOTE_COLUMNS, REQUEST_COLUMNS);
