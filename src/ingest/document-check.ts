import { Injectable } from '@nestjs/common';
import { AppError } from '../infrastructure/errors/errors.js';
import { DocumentLookup } from '../documents/document-lookup.js';
import { StorageError } from '../documents/document-store.js';
import { IS_OPEN, type AccountAccess } from './account-access.js';
import type { ImportRequest } from './import-request.js';
import { ImportRunner, type ImportRepository } from './import-runner.js';
import type { ColumnsOf } from './item-columns.js';

/** Timeout for looking up the documents of one request. */
const LOOKUP_TIMEOUT_MS = 60_000;

/** How many times one request looks up its documents when the supplier's document root keeps changing. */
const LOOKUPS_MAX = 3;

/** A request whose items may name documents. */
export interface DocumentRequest<Item = unknown> extends ImportRequest<Item> {
  readonly hasDocuments: boolean;
  /** The document root below which all documents were found; null before they are looked up. */
  readonly checkedRoot: string | null;
}

/** The request columns that {@link DOCUMENT_CHECK} needs. */
export const DOCUMENT_REQUEST_COLUMNS = {
  has_documents: { type: 'boolean', read: ({ hasDocuments }) => hasDocuments },
  checked_root: { type: 'text', read: ({ checkedRoot }) => checkedRoot },
} satisfies ColumnsOf<DocumentRequest>;

/**
 * Columns of the account access check that say whether a request's documents must be looked up first. They come with the
 * supplier's `document_root`:
 *
 * - `root_to_check`: the root below which the documents must still be looked up, because the supplier requires every document
 *   to exist. The query must then store nothing of the request. Null means that the request may be stored.
 * - `seen_at`: the current time if the documents have been looked up. If null, the request's record is flagged.
 *
 * The root used for the look-up is a parameter, so a root that has changed since is detected here.
 *
 * Source: choice F3.
 */
export const DOCUMENT_CHECK = `supplier.document_root,
           CASE WHEN ${IS_OPEN} AND supplier.document_check = 'reject' AND request.has_documents
                 AND request.checked_root IS DISTINCT FROM supplier.document_root
                THEN supplier.document_root END AS root_to_check,
           CASE WHEN request.checked_root = supplier.document_root THEN now() END AS seen_at`;

/** The column of {@link DOCUMENT_CHECK} that the query of an import with documents returns. */
export interface DocumentRow extends AccountAccess {
  readonly root_to_check: string | null;
}

/** The outcome of an import after the look-ups that the supplier requires. */
export interface CheckedImport<Row> {
  readonly row: Row;
  /** Paths of missing documents. If there are any, nothing was stored. */
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
   * Import a request, and look up its documents between two queries if the supplier requires it. No database connection is held
   * during the look-up. A supplier that does not require it causes no second query.
   *
   * @param request with `checkedRoot` null
   * @param pathsToCheck the documents of the items that the account does not have yet. Documents of existing items are not looked
   *   up again, so a repeated request is recognised even if its documents no longer exist
   * @throws AppError `service_unavailable` when the document store does not answer or the root keeps changing, and the errors
   *   of {@link ImportRunner.run}
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
