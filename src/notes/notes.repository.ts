import { Inject, Injectable } from '@nestjs/common';
import { ACCOUNT_DOOR, doorParameters, loadRecord, type DoorAnswer } from '../accounts/account-door.js';
import type { AccountRef } from '../accounts/account-ref.js';
import type { Caller } from '../auth/caller.js';
import { runForOne, statement } from '../database/statement.js';
import type { Tx } from '../database/unit-of-work.js';
import { DOCUMENT_BUCKET } from '../import-suppliers/document-location.js';
import type { NoteDraft, NoteOutcome } from './notes.service.js';

interface AttachRow extends DoorAnswer {
  /** One for each note sent, in their order; null when the door is closed. */
  is_new: boolean[] | null;
  /** Milliseconds since 1970 of the note that stands on the account now. */
  created_at_ms: number[] | null;
}

/**
 * Attach notes in one statement.
 *
 * A note is the same as another when it has the same content and, if a moment was sent with it, the same moment. Three
 * looks decide it: at the notes before it in the payload, at the notes on the account, and at last the two unique
 * indexes, which also see what another request stored since this statement began.
 *
 * Paths travel as one text a note, joined with line feeds, which a path cannot hold.
 */
const ATTACH = statement<AttachRow>(
  'notes.attach',
  `WITH ${ACCOUNT_DOOR},
  sent AS (
    SELECT n.position, n.body, paths.list AS document_paths, n.created_at, n.created_at_sent, n.is_pinned, n.unpin_at,
           note_content_hash(n.body, paths.list) AS content_hash
      FROM unnest($6::text[], $7::text[], $8::timestamptz[], $9::boolean[], $10::boolean[], $11::timestamptz[])
             WITH ORDINALITY AS n (body, joined_paths, created_at, created_at_sent, is_pinned, unpin_at, position),
           LATERAL (SELECT string_to_array(nullif(n.joined_paths, ''), E'\\n')) AS sent_paths (list),
           LATERAL (SELECT coalesce(sent_paths.list, '{}')) AS paths (list)
  ),
  judged AS (
    SELECT sent.*,
           EXISTS (
             SELECT FROM sent earlier
              WHERE earlier.position < sent.position
                AND earlier.content_hash = sent.content_hash
                AND (NOT sent.created_at_sent OR earlier.created_at = sent.created_at)
           ) AS is_repeated,
           ( SELECT note.created_at
               FROM note
              WHERE note.import_supplier_id = door.import_supplier_id
                AND note.external_account_number = door.external_account_number
                AND note.content_hash = sent.content_hash
                AND (NOT sent.created_at_sent OR note.created_at = sent.created_at)
              ORDER BY note.created_at
              LIMIT 1
           ) AS existing_created_at
      FROM door, sent
     WHERE door.is_open
  ),
  added AS (
    INSERT INTO note (import_supplier_id, external_account_number, load_id, body, document_paths, document_locations,
                      created_at, created_at_sent, is_pinned, unpin_at)
    SELECT door.import_supplier_id, door.external_account_number, door.load_id, judged.body, judged.document_paths,
           ARRAY(SELECT concat_ws('/', $12::text, door.document_root, p.path)
                   FROM unnest(judged.document_paths) WITH ORDINALITY AS p (path, position)
                  ORDER BY p.position),
           judged.created_at, judged.created_at_sent, judged.is_pinned, judged.unpin_at
      FROM door, judged
     WHERE NOT judged.is_repeated AND judged.existing_created_at IS NULL
     ORDER BY judged.position
        ON CONFLICT DO NOTHING
    RETURNING note.content_hash, note.created_at
  ),
  ${loadRecord('notes', 'SELECT count(*) FROM added')}
  SELECT door.supplier_status, door.is_open, results.is_new, results.created_at_ms
    FROM (VALUES (1)) AS always (one)
    LEFT JOIN door ON true
    LEFT JOIN LATERAL (
      SELECT array_agg(added.created_at IS NOT NULL AND NOT judged.is_repeated ORDER BY judged.position) AS is_new,
             array_agg((extract(epoch FROM coalesce(judged.existing_created_at, judged.created_at)) * 1000)::float8
                       ORDER BY judged.position) AS created_at_ms
        FROM judged
        LEFT JOIN added ON added.content_hash = judged.content_hash AND added.created_at = judged.created_at
    ) AS results ON true`,
);

@Injectable()
export class NotesRepository {
  constructor(@Inject(DOCUMENT_BUCKET) private readonly bucket: string) {}

  /**
   * Store the notes that are not on the account yet, if the door is open.
   *
   * @param now moment of the notes that came without one
   */
  async attach(
    tx: Tx,
    caller: Caller,
    ref: AccountRef,
    drafts: readonly NoteDraft[],
    now: Date,
  ): Promise<DoorAnswer & { outcomes: NoteOutcome[] }> {
    const { supplier_status, is_open, is_new, created_at_ms } = await runForOne(tx, ATTACH, [
      ...doorParameters(caller, ref),
      drafts.map(({ body }) => body),
      drafts.map(({ documentPaths }) => documentPaths.join('\n')),
      drafts.map(({ createdAt }) => createdAt ?? now),
      drafts.map(({ createdAt }) => createdAt !== undefined),
      drafts.map(({ isPinned }) => isPinned),
      drafts.map(({ unpinAt }) => unpinAt ?? null),
      this.bucket,
    ]);
    const outcomes = drafts.map(({ body }, index) => ({
      body,
      isNew: is_new?.[index] ?? false,
      createdAt: new Date(created_at_ms?.[index] ?? now),
    }));
    return { supplier_status, is_open, outcomes };
  }
}
