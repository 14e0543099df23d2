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
  'notes.count_documents_not_seen',
  `SELECT coalesce(sum(cardinality(coalesce(unseen_document_paths, document_paths))), 0)::float8 AS count
     FROM note
    WHERE import_supplier_id = :import_supplier_id AND cardinality(document_locations) > 0 AND documents_seen_at IS NULL
      AND ${isNotBeingErased('note')}`,
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
    WHERE import_supplier_id = :import_supplier_id AND cardinality(document_locations) > 0 AND documents_seen_at IS NULL
      AND ${isNotBeingErased('note')}
      AND (external_account_number, content_hash, created_at)
          > (:account_number, decode(:content_hash, 'hex'), :created_at::timestamptz)
    ORDER BY note.external_account_number, note.content_hash, note.created_at
    LIMIT :count_max`,
);

/** Sorts before the key of every note. */
const START: readonly string[] = ['', '', '-infinity'];

/** `unseen` has the paths of each note that were not seen, joined with line feeds, which no path holds; null for none. */
const MARK_SEEN = query<never>(
  'notes.mark_documents_seen',
  `UPDATE note
      SET documents_seen_at = CASE WHEN seen.unseen IS NULL THEN present.moment END,
          unseen_document_paths = string_to_array(seen.unseen, E'\\n')
     FROM unnest(:account_numbers::text[], :content_hashes::text[], :created_ats::timestamptz[], :unseen::text[])
            AS seen (account_number, content_hash, created_at, unseen), (SELECT now()) AS present (moment)
    WHERE note.import_supplier_id = :import_supplier_id
      AND note.external_account_number = seen.account_number
      AND note.content_hash = decode(seen.content_hash, 'hex')
      AND note.created_at = seen.created_at
      AND note.documents_seen_at IS NULL`,
);

@Injectable()
export class NoteDocumentsRepository implements DocumentReferrer {
  readonly kind = 'note';

  constructor(referrers: DocumentReferrers) {
    referrers.add(this);
  }

  async countNotSeen(tx: Tx, importSupplierId: number): Promise<number> {
    return (await runForOne(tx, COUNT_NOT_SEEN, { import_supplier_id: importSupplierId })).count;
  }

  /** @param after account number, content hash and date-time of the note after which to continue */
  async listNotSeen(
    tx: Tx,
    importSupplierId: number,
    after: readonly string[] = START,
    countMax: number,
  ): Promise<UnseenDocuments[]> {
    const [account_number, content_hash, created_at] = after;
    const rows = await run(tx, LIST_NOT_SEEN, {
      import_supplier_id: importSupplierId,
      account_number,
      content_hash,
      created_at,
      count_max: countMax,
    });
    return rows.map((row) => ({
      key: [row.external_account_number, row.content_hash, row.created_at],
      externalAccountNumber: row.external_account_number,
      documents: row.document_paths
        .map((path, index) => ({ path, location: row.document_locations[index] ?? '' }))
        .filter(({ path }) => row.unseen_document_paths?.includes(path) ?? true),
    }));
  }

  async markSeen(tx: Tx, importSupplierId: number, seen: readonly SeenDocuments[]): Promise<void> {
    await run(tx, MARK_SEEN, {
      import_supplier_id: importSupplierId,
      account_numbers: seen.map(({ key }) => key[0]),
      content_hashes: seen.map(({ key }) => key[1]),
      created_ats: seen.map(({ key }) => key[2]),
      unseen: seen.map(({ unseenPaths }) => (unseenPaths.length > 0 ? unseenPaths.join('\n') : null)),
    });
  }
}
