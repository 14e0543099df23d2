import { Injectable } from '@nestjs/common';
import type { AccountRef } from '../accounts/account-ref.js';
import type { Caller } from '../auth/caller.js';
import { Clock } from '../common/clock.js';
import { fieldError, validationError, type FieldError } from '../common/errors.js';
import type { CheckedImport } from '../imports/document-check.js';
import type { ImportMode } from '../imports/import-request.js';
import { AnsweredItems } from '../imports/answered-items.js';
import { NotesBatcher } from './notes.batcher.js';
import type { NewNote, NoteOutcome, NotesRow } from './notes.types.js';

/** Notes on imported accounts. */
@Injectable()
export class NotesService {
  constructor(
    private readonly batcher: NotesBatcher,
    private readonly clock: Clock,
    private readonly counts: AnsweredItems,
  ) {}

  /**
   * Attach notes to an imported account; a note that is there already is left as it is. All of them are stored, or none.
   *
   * @param notes in the order of the payload
   * @param mode a dry run answers the same and stores nothing
   * @returns one outcome for each note, in the same order
   * @throws AppError `account_not_found`; `validation_error` while the supplier is not ongoing, or when it requires every
   *   document to exist and one does not; `service_unavailable` when that cannot be found out
   * Source: specification 4.1; choices N1, N4, S2, S8, F3, R1.
   */
  async attach(
    caller: Caller,
    account: AccountRef,
    notes: readonly NewNote[],
    mode: ImportMode,
  ): Promise<NoteOutcome[]> {
    const now = new Date(Math.floor(this.clock.now().getTime() / 1_000) * 1_000);
    const hasDocuments = notes.some(({ documentPaths }) => documentPaths.length > 0);
    const request = { caller, account, items: notes, now, hasDocuments, checkedRoot: null };
    const checked = await this.batcher.importWithDocuments(request, mode);
    if (checked.missing.size > 0) throw validationError(missingDocuments(notes, checked));
    const added = checked.row.is_new.filter((isNew) => isNew).length;
    this.counts.add('notes', mode, notes.length, added);
    return notes.map(({ body }, index) => ({
      body,
      createdAt: new Date(valueAt(checked.row.created_at_ms, index)),
      isNew: valueAt(checked.row.is_new, index),
    }));
  }
}

function valueAt<T>(list: readonly T[], index: number): T {
  const value = list[index];
  if (value === undefined) throw new Error('A note was stored without an outcome.');
  return value;
}

function missingDocuments(
  notes: readonly NewNote[],
  { row: { is_new }, missing }: CheckedImport<NotesRow>,
): FieldError[] {
  return notes.flatMap(({ documentPaths }, note) =>
    documentPaths.flatMap((path, index) =>
      is_new[note] === true && missing.has(path)
        ? [
            fieldError(
              'path_does_not_exist_in_file_store',
              `notes.${note}.document_paths.${index}.document_path`,
            ),
          ]
        : [],
    ),
  );
}
