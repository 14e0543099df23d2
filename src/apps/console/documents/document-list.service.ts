import { Injectable } from '@nestjs/common';
import type { Cell } from '../common/csv.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import type { DocumentCounts } from '../../../ingest/documents/document-counts.types.js';
import { DocumentLookup } from '../../../documents/document-lookup.js';
import {
  DOCUMENT_REFERRERS,
  FIRST_REQUEST,
  LAST_REQUEST,
  type DocumentReferrer,
  type RequestRange,
} from '../../../ingest/documents/document-referrers.js';
import { DocumentsService } from '../../../ingest/documents/documents.service.js';
import { EvidenceService } from '../../../infrastructure/audit/evidence/evidence.service.js';
import { pageOf } from '../common/cursor.js';
import { csvFile, type CsvFile } from '../common/csv-answer.js';
import type { DocumentState } from '../progress/progress.types.js';
import { documentSigns } from '../../../capabilities/conditions/bounded-counts.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import { documentCursorOf, documentStateOf } from './document-list-query.js';
import type { DocumentCursor, DocumentsView, ListedDocument } from './document-list.types.js';

const PAGE_ROWS = 100;
/** Documents are counted up to this number. */
const COUNTED_MAX = 10_000;

/** Selects documents of a supplier. */
interface DocumentFilter {
  readonly importSupplierId: number;
  readonly range: RequestRange;
}

/** The documents of a supplier that are missing in the store or were not looked up yet. */
@Injectable()
export class DocumentListService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly documents: DocumentsService,
    private readonly lookup: DocumentLookup,
    private readonly evidence: EvidenceService,
  ) {}

  /**
   * How many documents are missing and how many were not looked up yet, and a page of one of these lists: by kind, each in
   * the order in which the documents were referred to.
   *
   * @throws PageNotFound when the address has another state
   * Source: choices C3, F5.
   */
  async page(request: SupplierRequest): Promise<DocumentsView> {
    const { user, supplier, query } = request;
    const state = documentStateOf(query);
    const after = documentCursorOf(query);
    const counts = await this.countsOf(supplier);
    const found = await this.list(filterOf(supplier, counts, state), after, PAGE_ROWS + 1);
    return {
      ...{ ...request, state, lookedUpAt: counts.lookedUpAt },
      ...documentSigns(counts, COUNTED_MAX),
      documents: pageOf(found, PAGE_ROWS, after, (last) => last),
      run: user.kind === 'operator' ? await this.documents.findRun(supplier.code) : undefined,
    };
  }

  /**
   * All documents of one state as a CSV file in constant memory. The download is recorded first.
   *
   * @throws PageNotFound as {@link page}
   * Source: choices C3, F5.
   */
  async download({ user, supplier, query }: SupplierRequest): Promise<CsvFile> {
    const state = documentStateOf(query);
    await this.evidence.recordDownload('documents.download', user, supplier.code);
    const filter = filterOf(supplier, await this.countsOf(supplier), state);
    return csvFile<ListedDocument>(
      'documents.csv',
      ['state', ...Object.keys(COLUMNS)],
      (document) => [state, ...Object.values(COLUMNS).map((cellOf) => cellOf(document))],
      (last, countMax) => this.list(filter, last, countMax),
    );
  }

  private countsOf({ id }: ViewedSupplier): Promise<DocumentCounts> {
    return this.work.atSupplier(id, (node) =>
      node.query((tx) => this.documents.countsOf(tx, id, COUNTED_MAX + 1)),
    );
  }

  /** The documents after a given one, one kind after the other. */
  private async list(
    { importSupplierId, range }: DocumentFilter,
    after: DocumentCursor | undefined,
    countMax: number,
  ): Promise<ListedDocument[]> {
    const found: ListedDocument[] = [];
    for (const referrer of startingWith(after?.kind)) {
      const rest = countMax - found.length;
      if (rest === 0) break;
      const { kind } = referrer;
      const key = kind === after?.kind ? after.key : undefined;
      const rows = await this.work.atSupplier(importSupplierId, (node) =>
        node.query((tx) => referrer.listDocumentsNotSeen(tx, importSupplierId, range, key, rest)),
      );
      for (const { location, ...row } of rows)
        found.push({ ...row, kind, isElsewhere: this.lookup.rootOf(location, row.path) === undefined });
    }
    return found;
  }
}

function startingWith(kind: DocumentReferrer['kind'] | undefined): readonly DocumentReferrer[] {
  return DOCUMENT_REFERRERS.slice(
    Math.max(
      DOCUMENT_REFERRERS.findIndex((one) => one.kind === kind),
      0,
    ),
  );
}

function filterOf(
  { id }: ViewedSupplier,
  { lookedUpBefore }: DocumentCounts,
  state: DocumentState,
): DocumentFilter {
  const range =
    state === 'missing'
      ? { from: FIRST_REQUEST, before: lookedUpBefore }
      : { from: lookedUpBefore, before: LAST_REQUEST };
  return { importSupplierId: id, range };
}

const COLUMNS: Readonly<Record<string, (document: ListedDocument) => Cell>> = {
  external_account_number: (document) => document.externalAccountNumber,
  kind: (document) => document.kind,
  path: (document) => document.path,
  named_at: (document) => document.namedAt,
};
