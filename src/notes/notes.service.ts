import { Injectable } from '@nestjs/common';
import type { AccountRef } from '../ingest/account-ref.js';
import type { Caller } from '../auth/caller.js';
import { Clock } from '../infrastructure/clock/clock.js';
import { fieldError, validationError, type FieldError } from '../infrastructure/errors/errors.js';
import { AnsweredItems } from '../ingest/answered-items.js';
import { DocumentImports } from '../ingest/document-check.js';
import { NOTES_IMPORT } from './notes.repository.js';
import { keyed, repeatedNotes } from './same-notes.js';
import type { NewNote, NoteOutcome, NotesRequest, NotesRow } from './notes.types.js';

/** Notes on imported accounts. */
@Injectable()
export class NotesService {
  constructor(
    private readonly imports: DocumentImports,
    private readonly clock: Clock,
    private readonly counts: AnsweredItems,
  ) {}

  /**
   * Attach notes to an imported account. An existing note is left unchanged. Either all notes are stored or none.
   *
   * @param notes in the order of the payload
   * @param isDryRun give the same answer but store nothing
   * @returns one outcome for each note, in the same order
   * @throws AppError `account_not_found`; `validation_error` while the supplier is not ongoing, or when it requires every
   *   document to exist and one does not; `service_unavailable` when the documents cannot be looked up
   * Source: specification 4.1; choices N1, N4, S2, S8, F3, R1.
   */
  async attach(
    caller: Caller,
    account: AccountRef,
    notes: readonly NewNote[],
    isDryRun: boolean,
  ): Promise<NoteOutcome[]> {
    const now = new Date(Math.floor(this.clock.now().getTime() / 1_000) * 1_000);
    const hasDocuments = notes.some(({ documentPaths }) => documentPaths.length > 0);
    const places = repeatedNotes(notes);
    const distinct = notes.filter((_note, index) => places[index] === index);
    const items = keyed(distinct, now);
    const request = { caller, account, items, itemCount: notes.length, now, hasDocuments, checkedRoot: null };
    const { row, missing } = await this.imports.run(NOTES_IMPORT, request, isDryRun, pathsToCheck);
    const outcomes = outcomesOf(notes, places, row);
    if (missing.size > 0) throw validationError(missingDocuments(notes, outcomes, missing));
    this.counts.add('notes', isDryRun, notes.length, row.stored);
    return outcomes.map((outcome, index) =>
      places[index] === index ? outcome : { ...outcome, isNew: false },
    );
  }
}

/**
 * The outcome of each note. A note that repeats another has the other's outcome.
 *
 * @param places the indexes that {@link repeatedNotes} returns
 */
function outcomesOf(
  notes: readonly NewNote[],
  places: readonly number[],
  { is_new, created_at_ms }: NotesRow,
): NoteOutcome[] {
  const outcomes: NoteOutcome[] = [];
  let next = 0;
  for (const [index, { body }] of notes.entries()) {
    const place = places[index] ?? index;
    if (place < index) {
      outcomes.push(valueAt(outcomes, place));
      continue;
    }
    outcomes.push({
      body,
      createdAt: new Date(valueAt(created_at_ms, next)),
      isNew: valueAt(is_new, next),
    });
    next += 1;
  }
  return outcomes;
}

function pathsToCheck({ items }: NotesRequest, { is_new }: NotesRow): string[] {
  return items.flatMap(({ documentPaths }, index) => (is_new[index] === true ? documentPaths : []));
}

function valueAt<T>(list: readonly T[], index: number): T {
  const value = list[index];
  if (value === undefined) throw new Error('A note was stored without an outcome.');
  return value;
}

function missingDocuments(
  notes: readonly NewNote[],
  outcomes: readonly NoteOutcome[],
  missing: ReadonlySet<string>,
): FieldError[] {
  return notes.flatMap(({ documentPaths }, note) =>
    documentPaths.flatMap((path, index) =>
      outcomes[note]?.isNew === true && missing.has(path)
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
