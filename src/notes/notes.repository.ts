import { query } from '../infrastructure/database/query.js';
import { accountAccess } from '../ingest/account-access.js';
import { DOCUMENT_CHECK, DOCUMENT_REQUEST_COLUMNS } from '../ingest/document-check.js';
import { expressQuery, insertNewItems, type StoredKind } from '../ingest/express-query.js';
import { ImportRepository } from '../ingest/import-runner.js';
import { Columns, itemColumns, sentItems } from '../ingest/item-columns.js';
import { hashSql } from '../ingest/kinds/item-kind.js';
import { NOTE } from '../ingest/kinds/note.item.js';
import { timeOf } from './same-notes.js';
import type { KeyedNote, NotesRequest, NotesRow } from './notes.types.js';

/** The values that a note sends to the database. */
const NOTE_COLUMNS = new Columns<KeyedNote>(
  'item',
  itemColumns(NOTE, { key_time: ({ keyTime }) => keyTime }),
);

const PATHS = `coalesce(string_to_array(item.document_paths, E'\\n'), '{}')`;
const CONTENT_HASH = hashSql(NOTE, (name) => (name === 'document_paths' ? PATHS : `item.${name}`));

const NOTES: StoredKind<NotesRequest> = {
  kind: 'notes',
  access: DOCUMENT_CHECK,
  request: new Columns<NotesRequest>('request', {
    ...DOCUMENT_REQUEST_COLUMNS,
    now: { type: 'timestamptz', read: ({ now }) => now.toISOString() },
  }),
  items: NOTE_COLUMNS,
  stored: {
    created_at_sent: 'item.created_at IS NOT NULL',
    document_locations: `ARRAY(SELECT concat_ws('/', :bucket::text, access.document_root, p.path)
                   FROM unnest(string_to_array(item.document_paths, E'\\n')) WITH ORDINALITY AS p (path, position)
                  ORDER BY p.position)`,
    documents_seen_at: 'CASE WHEN item.document_paths IS NOT NULL THEN access.seen_at END',
    document_paths: PATHS,
    created_at: 'coalesce(item.created_at, access.now)',
  },
  // Notes are distinguished by their bodies, or by their paths if they have no body.
  order: `item.body COLLATE "C", CASE WHEN item.body = '' THEN item.document_paths END COLLATE "C", item.key_time`,
};

/**
 * Each note with the date-time of the account's same note, if there is one. If the account already has the first note of a content, a
 * new note with this content is a later one and gets its own key. If a request has a note without a date-time and the same note with
 * the current date-time, only the first is stored.
 */
const CANDIDATES = `looked AS MATERIALIZED (
    SELECT ${NOTE_COLUMNS.selectFrom('item', { key_time: `CASE WHEN same.is_there THEN item.created_at ELSE item.key_time END` })},
           item.request_number, item.position, access.now, content.hash AS content_hash, same.created_at AS existing_created_at
      FROM ${sentItems(NOTE_COLUMNS)}
      JOIN access ON access.request_number = item.request_number AND access.is_open,
           LATERAL (SELECT ${CONTENT_HASH} OFFSET 0) AS content (hash),
           LATERAL (
             SELECT min(note.created_at) FILTER (WHERE item.created_at IS NULL OR note.created_at = item.created_at) AS created_at,
                    count(*) > 0 AS is_there
               FROM {note}
              WHERE note.import_supplier_id = :import_supplier_id
                AND note.external_account_number = access.external_account_number
                AND note.content_hash = content.hash
                AND note.key_time = ANY (ARRAY['-infinity', item.created_at])
           ) AS same
  ),
  candidates AS MATERIALIZED (
    SELECT looked.*,
           looked.existing_created_at IS NULL AND (looked.created_at IS DISTINCT FROM looked.now OR (
             SELECT 1
               FROM looked same
              WHERE same.request_number = looked.request_number AND same.content_hash = looked.content_hash
                AND same.created_at IS NULL AND same.existing_created_at IS NULL
              LIMIT 1
           ) IS NULL) AS is_new
      FROM looked
  )`;

/**
 * Attach the notes of one or more requests. No note repeats another note of its request.
 *
 * A note without a date-time is the same as any note of the account with the same content. A note with a date-time is the same as
 * a note with the same content and date-time (choices N1, N4). A note sent without a date-time is stored with the current one.
 *
 * The primary key detects a note that another request has stored since the query began. The query then fails and is retried.
 */
const ATTACH = query<NotesRow>(
  'notes.attach',
  `WITH ${accountAccess(NOTES.access, NOTES.request)},
  ${CANDIDATES},
  outcome AS MATERIALIZED (
    SELECT access.*, results.is_new, results.created_at_ms,
           CASE WHEN access.root_to_check IS NULL THEN results.new_count ELSE 0 END AS stored
      FROM access
      LEFT JOIN (
        SELECT candidates.request_number,
               array_agg(candidates.is_new ORDER BY candidates.position) AS is_new,
               array_agg((extract(epoch FROM coalesce(candidates.existing_created_at, candidates.created_at, candidates.now)) * 1000)::float8
                         ORDER BY candidates.position) AS created_at_ms,
               (count(*) FILTER (WHERE candidates.is_new))::integer AS new_count
          FROM candidates
         GROUP BY candidates.request_number
      ) AS results USING (request_number)
  ),
  ${insertNewItems(NOTES, 'item.is_new')}
  SELECT supplier_status, is_open, root_to_check, is_new, created_at_ms, stored
    FROM outcome
   WHERE {held}
   ORDER BY request_number`,
);

const EXPRESS = expressQuery<NotesRequest, NotesRow>('notes.attach_express', NOTES, {
  condition: 'access.root_to_check IS NULL',
  answer: ({ items, now }) => ({
    root_to_check: null,
    is_new: items.map(() => true),
    created_at_ms: items.map((note) => timeOf(note) ?? now.getTime()),
    stored: items.length,
  }),
});

/** Stores the notes of each request that its account does not have yet, if the account is open. */
export const NOTES_IMPORT = new ImportRepository('notes', ATTACH, NOTES, EXPRESS);
