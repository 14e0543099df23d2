import { Injectable } from '@nestjs/common';
import type { AccountRef } from '../ingest/account-ref.js';
import type { Caller } from '../auth/caller.js';
import { fieldError, validationError, type FieldError } from '../infrastructure/errors/errors.js';
import { AnsweredItems } from '../ingest/answered-items.js';
import { DocumentImports, type CheckedImport } from '../ingest/document-check.js';
import { STATEMENTS_IMPORT } from './statements.repository.js';
import type { NewStatement, StatementsRequest, StatementsRow } from './statements.types.js';

/** Historical statements of imported accounts. */
@Injectable()
export class StatementsService {
  constructor(
    private readonly imports: DocumentImports,
    private readonly counts: AnsweredItems,
  ) {}

  /**
   * Attach historical statements to an imported account. An existing statement with the same content is left unchanged. Either
   * all statements are stored or none.
   *
   * @param statements in the order of the payload, each id once
   * @param isDryRun refuse the same requests but store nothing
   * @throws AppError `account_not_found`; `validation_error` while the supplier is not ongoing, when the account has a
   *   statement with the same id and different content, or when the supplier requires every document to exist and one does not;
   *   `service_unavailable` when the documents cannot be looked up
   * Source: specification 4.3; choices H2, H3, S2, S8, F3, R1.
   */
  async attach(
    caller: Caller,
    account: AccountRef,
    statements: readonly NewStatement[],
    isDryRun: boolean,
  ): Promise<void> {
    const hasDocuments = statements.some(({ statementPath }) => statementPath !== undefined);
    const request = { caller, account, items: statements, hasDocuments, checkedRoot: null };
    const checked = await this.imports.run(STATEMENTS_IMPORT, request, isDryRun, pathsToCheck);
    const { row, missing } = checked;
    if (row.changed !== null || missing.size > 0) throw validationError(errorsOf(statements, checked));
    this.counts.add('statements', isDryRun, statements.length, row.stored);
  }
}

function pathsToCheck({ items }: StatementsRequest, { unchanged }: StatementsRow): string[] {
  const onAccount = new Set(unchanged);
  return items.flatMap(({ statementPath = [] }, index) => (onAccount.has(index) ? [] : statementPath));
}

/** The errors of the statements, in the order of the payload (choice T6). */
function errorsOf(
  statements: readonly NewStatement[],
  { row, missing }: CheckedImport<StatementsRow>,
): FieldError[] {
  const changed = new Set(row.changed);
  const unchanged = new Set(row.unchanged);
  return statements.flatMap(({ statementPath }, index) => [
    ...(changed.has(index)
      ? [fieldError('historical_statement_already_exists', `statements.${index}.statement_id`)]
      : []),
    ...(statementPath !== undefined && !unchanged.has(index) && missing.has(statementPath)
      ? [fieldError('path_does_not_exist_in_file_store', `statements.${index}.statement_path`)]
      : []),
  ]);
}
