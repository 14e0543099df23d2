import { Injectable } from '@nestjs/common';
import { query, run, runForOne } from '../../infrastructure/database/query.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import { COUNTS } from './document-counts.queries.js';
import type { DocumentCounts } from './document-counts.types.js';

const NEXT_REQUEST_ID = query<{ id: string }>('documents.next_request_id', 'SELECT uuidv7() AS id');

/** When two look-ups run concurrently, the one that began later counts. */
const SET_LOOKED_UP = query<never>(
  'documents.set_looked_up',
  `INSERT INTO {supplier_total t} (import_supplier_id, documents_looked_up_before)
   SELECT :import_supplier_id, :id::uuid WHERE {held}
       ON CONFLICT (import_supplier_id) DO UPDATE
      SET documents_looked_up_before = greatest(t.documents_looked_up_before, excluded.documents_looked_up_before)`,
);

/** Missing documents and those not looked up yet are two ranges of the same index, split by the time when requests named them. */
@Injectable()
export class DocumentCountsRepository {
  /** @param countMax the most rows with documents that each count reads */
  counts(tx: Tx, importSupplierId: number, countMax: number): Promise<DocumentCounts> {
    return runForOne(tx, COUNTS, { import_supplier_id: importSupplierId, count_max: countMax });
  }

  /** An id after those of all requests so far, and before those of later requests. */
  async nextRequestId(tx: Tx): Promise<string> {
    return (await runForOne(tx, NEXT_REQUEST_ID, {})).id;
  }

  /** Record that the documents of all requests before this id were looked up. */
  async setLookedUp(tx: Tx, importSupplierId: number, id: string): Promise<void> {
    await run(tx, SET_LOOKED_UP, { import_supplier_id: importSupplierId, id });
  }
}
