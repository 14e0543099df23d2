import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { DocumentLookup } from '../documents/document-lookup.js';
import { SupplierIds } from '../import-suppliers/supplier-ids.js';
import { DocumentImportBatcher } from '../imports/document-check.js';
import { NotesRepository } from './notes.repository.js';
import type { NotesRequest, NotesRow } from './notes.types.js';

/** Runs the imports of notes. */
@Injectable()
export class NotesBatcher extends DocumentImportBatcher<NotesRequest, NotesRow> {
  constructor(
    work: UnitOfWork,
    supplierIds: SupplierIds,
    lookup: DocumentLookup,
    private readonly repository: NotesRepository,
  ) {
    super(work, supplierIds, lookup);
  }

  protected override execute(
    tx: Tx,
    importSupplierId: number,
    requests: readonly NotesRequest[],
  ): Promise<NotesRow[]> {
    return this.repository.attach(tx, importSupplierId, requests);
  }

  protected override pathsToCheck({ items }: NotesRequest, { is_new }: NotesRow): string[] {
    return items.flatMap(({ documentPaths }, index) => (is_new[index] === true ? documentPaths : []));
  }
}
