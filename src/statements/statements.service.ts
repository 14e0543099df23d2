import { Injectable } from '@nestjs/common';
import { passDoor } from '../imports/account-access.js';
import type { AccountRef } from '../accounts/account-ref.js';
import { withDocuments } from '../imports/document-check.js';
import { ImportBatcher } from '../imports/import-batcher.js';
import type { DocumentReferrer, SeenDocuments, UnseenDocuments } from '../documents/document-references.js';
import type { Caller } from '../auth/caller.js';
import { fieldError, validationError, type FieldError } from '../common/errors.js';
import { UnitOfWork, type ImportMode } from '../database/unit-of-work.js';
import { DocumentLookup } from '../documents/document-lookup.js';
import { StatementsRepository } from './statements.repository.js';
import type { NewStatement, StatementsLoad, AttachAnswer } from './statements.types.js';

/** Historical statements of imported accounts. */
@Injectable()
export class StatementsService implements DocumentReferrer {
  private readonly queue: ImportBatcher<StatementsLoad, AttachAnswer>;

  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: StatementsRepository,
    private readonly lookup: DocumentLookup,
  ) {
    this.queue = new ImportBatcher(
      work,
      (tx, loads) => repository.attach(tx, loads),
      ({ drafts }) => drafts.length,
    );
  }

  /**
   * Attach historical statements to an imported account; one that is there already with the same content is left as it
   * is. All of them are stored, or none.
   *
   * @param drafts in the order of the payload
   * @param mode a dry run refuses the same and stores nothing
   * @throws AppError `account_not_found`; `validation_error` while the supplier is not ongoing, when the account has a
   *   statement of the same id and other content, or when the supplier wants every document to be there and one is not;
   *   `service_unavailable` when that cannot be found out
   * Source: specification 4.3; contract H2, H3, S2, S8, F3, R1.
   */
  async attach(
    caller: Caller,
    ref: AccountRef,
    drafts: readonly NewStatement[],
    mode: ImportMode,
  ): Promise<void> {
    const hasDocuments = drafts.some(({ statementPath }) => statementPath !== undefined);
    const load = { caller, ref, drafts, hasDocuments };
    const otherPaths = ({ unchanged }: AttachAnswer): string[] => {
      const known = new Set(unchanged);
      return drafts.flatMap(({ statementPath = [] }, index) => (known.has(index) ? [] : statementPath));
    };
    const { answer, missing } = await withDocuments(this.lookup, otherPaths, (checkedRoot) =>
      this.queue.do({ ...load, checkedRoot }, mode),
    );
    passDoor(answer);
    if (answer.changed === null && missing.size === 0) return;
    throw validationError(refusals(drafts, answer, missing));
  }

  countDocumentsNotSeen(importSupplierId: number): Promise<number> {
    return this.work.single((tx) => this.repository.countDocumentsNotSeen(tx, importSupplierId));
  }

  documentsNotSeen(
    importSupplierId: number,
    after: readonly string[] | undefined,
    countMax: number,
  ): Promise<UnseenDocuments[]> {
    return this.work.single((tx) =>
      this.repository.listDocumentsNotSeen(tx, importSupplierId, after, countMax),
    );
  }

  markDocumentsSeen(importSupplierId: number, seen: readonly SeenDocuments[]): Promise<void> {
    return this.work.single((tx) => this.repository.markDocumentsSeen(tx, importSupplierId, seen));
  }
}

/** What speaks against the drafts, in their order (contract T6). */
function refusals(
  drafts: readonly NewStatement[],
  answer: AttachAnswer,
  missing: ReadonlySet<string>,
): FieldError[] {
  const changed = new Set(answer.changed);
  const unchanged = new Set(answer.unchanged);
  return drafts.flatMap(({ statementPath }, index) => [
    ...(changed.has(index)
      ? [fieldError('historical_statement_already_exists', `statements.${index}.statement_id`)]
      : []),
    ...(statementPath !== undefined && !unchanged.has(index) && missing.has(statementPath)
      ? [fieldError('path_does_not_exist_in_file_store', `statements.${index}.statement_path`)]
      : []),
  ]);
}
