import { Injectable } from '@nestjs/common';
import { AppError } from '../infrastructure/errors/errors.js';
import { DocumentLookup } from '../documents/document-lookup.js';
import { StorageError } from '../documents/document-store.js';
import { IS_OPEN, type AccountAccess } from './account-access.js';
import type { ImportRequest } from './import-request.js';
import { ImportRunner, type ImportRepository } from './import-runner.js';
import type { ColumnsOf } from './item-columns.js';

/** Looking up the documents of one request takes this long at most. */
const LOOKUP_TIMEOUT_MS = 60_000;

/** A supplier's document root may change this often while one request looks up its documents. */
const LOOKUPS_MAX = 3;

/** A request whose items may name documents. */
export interface DocumentRequest<Item = unknown> extends ImportRequest<Item> {
  readonly hasDocuments: boolean;
  /** The document root below which all of them were found; null before they are looked up. */
  readonly checkedRoot: string | null;
}

/** The columns of {@link DocumentRequest} that {@link DOCUMENT_CHECK} needs; for the columns of a request. */
export const DOCUMENT_REQUEST_COLUMNS = {
  has_documents: { type: 'boolean', read: ({ hasDocuments }) => hasDocuments },
  checked_root: { type: 'text', read: ({ checkedRoot }) => checkedRoot },
} satisfies ColumnsOf<DocumentRequest>;

/**
 * Whether the documents of a request must be looked up first, as columns of the account access check beside the supplier's
 * `document_root`:
 *
 * - `root_to_check`: the supplier requires every document to exist, and those below this root have not been looked up; the
 *   query must not store anything of the request. Null: store.
 * - `seen_at`: the present time when the documents have been looked up, else null. Then the record of the request has a flag.
 *
 * The root below which they were looked up is a parameter, so a root that was changed meanwhile is noticed here.
 *
 * Source: choice F3.
 */
export const DOCUMENT_CHECK = `supplier.document_root,
           CASE WHEN ${IS_OPEN} AND supplier.document_check = 'reject' AND request.has_documents
                 AND request.checked_root IS DISTINCT FROM supplier.document_root
                THEN supplier.document_root END AS root_to_check,
           CASE WHEN request.checked_root = supplier.document_root THEN now() END AS seen_at`;

/** What the query of an import with documents returns of {@link DOCUMENT_CHECK}. */
export interface DocumentRow extends AccountAccess {
  readonly root_to_check: string | null;
}

/** The outcome of an import whose documents were looked up as far as the supplier requires. */
export interface CheckedImport<Row> {
  readonly row: Row;
  /** Paths without a document. When there are any, nothing was stored. */
  readonly missing: ReadonlySet<string>;
}

const NOTHING_MISSING: ReadonlySet<string> = new Set();

/** Runs imports whose items may name documents. */
@Injectable()
export class DocumentImports {
  constructor(
    private readonly runner: ImportRunner,
    private readonly lookup: DocumentLookup,
  ) {}

  /**
   * Import, and look up the documents between two queries when the supplier requires it. No database connection is held
   * meanwhile; a supplier that does not require it costs no second query.
   *
   * @param request with `checkedRoot` null
   * @param pathsToCheck the documents of what the account does not have. What it has is not looked up again: a repeated
   *   request is recognised, even if its documents no longer exist
   * @throws AppError `service_unavailable` when the document store does not answer; and as {@link ImportRunner.run}
   * Source: choices F3, R1.
   */
  async run<Item, Request extends DocumentRequest<Item>, Row extends DocumentRow>(
    repository: ImportRepository<Item, Request, Row>,
    request: Request,
    isDryRun: boolean,
    pathsToCheck: (request: Request, row: Row) => readonly string[],
  ): Promise<CheckedImport<Row>> {
    let row = await this.runner.run(repository, request, isDryRun);
    for (let lookups = 0; row.root_to_check !== null; lookups += 1) {
      if (lookups === LOOKUPS_MAX) throw new AppError('service_unavailable');
      const checkedRoot = row.root_to_check;
      const missing = await this.missingBelow(checkedRoot, pathsToCheck(request, row));
      if (missing.size > 0) return { row, missing };
      row = await this.runner.run(repository, { ...request, checkedRoot }, isDryRun);
    }
    return { row, missing: NOTHING_MISSING };
  }

  private async missingBelow(root: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
    const stop = AbortSignal.timeout(LOOKUP_TIMEOUT_MS);
    try {
      return await this.lookup.missing(root, paths, stop);
    } catch (cause) {
      if (cause instanceof StorageError || stop.aborted) throw new AppError('service_unavailable', { cause });
      throw cause;
    }
  }
}
