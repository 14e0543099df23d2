import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import {
  DocumentReferrers,
  type DocumentReferrer,
  type SeenDocuments,
  type UnseenDocuments,
} from '../documents/document-referrers.js';
import { StatementDocumentsRepository } from './statement-documents.repository.js';

/** The PDFs of historical statements, for `documents check` (choice F3). */
@Injectable()
export class StatementDocumentsService implements DocumentReferrer {
  readonly kind = 'statement';

  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: StatementDocumentsRepository,
    referrers: DocumentReferrers,
  ) {
    referrers.add(this);
  }

  /** Source: choice F3. */
  countDocumentsNotSeen(importSupplierId: number): Promise<number> {
    return this.work.single((tx) => this.repository.countNotSeen(tx, importSupplierId));
  }

  /** Source: choice F3. */
  documentsNotSeen(
    importSupplierId: number,
    after: readonly string[] | undefined,
    countMax: number,
  ): Promise<UnseenDocuments[]> {
    return this.work.single((tx) => this.repository.listNotSeen(tx, importSupplierId, after, countMax));
  }

  /** Source: choice F3. */
  markDocumentsSeen(importSupplierId: number, seen: readonly SeenDocuments[]): Promise<void> {
    return this.work.single((tx) => this.repository.markSeen(tx, importSupplierId, seen));
  }
}
