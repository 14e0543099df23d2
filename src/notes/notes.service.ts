import { Injectable } from '@nestjs/common';
import { passDoor } from '../imports/account-access.js';
import type { AccountRef } from '../accounts/account-ref.js';
import { withDocuments } from '../imports/document-check.js';
import { ImportBatcher } from '../imports/import-batcher.js';
import type { DocumentReferrer, SeenDocuments, UnseenDocuments } from '../documents/document-references.js';
import type { Caller } from '../auth/caller.js';
import { Clock } from '../common/clock.js';
import { fieldError, validationError, type FieldError } from '../common/errors.js';
import { UnitOfWork, type ImportMode } from '../database/unit-of-work.js';
import { DocumentLookup } from '../documents/document-lookup.js';
import { NotesRepository } from './notes.repository.js';
import { distinctNotes } from './same-notes.js';
import type { NewNote, NoteOutcome, NotesLoad, AttachAnswer } from './notes.types.js';

/** Notes on imported accounts. */
@Injectable()
export class NotesService implements DocumentReferrer {
  private readonly queue: ImportBatcher<NotesLoad, AttachAnswer>;

  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: NotesRepository,
    private readonly lookup: DocumentLookup,
    private readonly clock: Clock,
  ) {
    this.queue = new ImportBatcher(
      work,
      (tx, loads) => repository.attach(tx, loads),
      ({ drafts }) => drafts.length,
    );
  }

  /**
   * Attach notes to an imported account; a note that is there already is left as it is. All of them are stored, or none.
   *
   * @param drafts in the order of the payload
   * @param mode a dry run answers the same and stores nothing
   * @returns one outcome for each draft, in the same order
   * @throws AppError `account_not_found`; `validation_error` while the supplier is not ongoing, or when it wants every
   *   document to be there and one is not; `service_unavailable` when that cannot be found out
   * Source: specification 4.1; contract N1, N4, S2, S8, F3, R1.
   */
  async attach(
    caller: Caller,
    ref: AccountRef,
    drafts: readonly NewNote[],
    mode: ImportMode,
  ): Promise<NoteOutcome[]> {
    const now = new Date(Math.floor(this.clock.now().getTime() / 1_000) * 1_000);
    const { distinct, places } = distinctNotes(drafts);
    const hasDocuments = distinct.some(({ documentPaths }) => documentPaths.length > 0);
    const load = { caller, ref, drafts: distinct, now, hasDocuments };
    const newPaths = ({ outcomes }: AttachAnswer): string[] =>
      distinct.flatMap(({ documentPaths }, index) => (outcomes[index]?.isNew ? documentPaths : []));
    const { answer, missing } = await withDocuments(this.lookup, newPaths, (checkedRoot) =>
      this.queue.do({ ...load, checkedRoot }, mode),
    );
    passDoor(answer);
    if (missing.size > 0) {
      const isNew = places.map(({ index }) => answer.outcomes[index]?.isNew ?? false);
      throw validationError(missingDocuments(drafts, isNew, missing));
    }
    return places.map(({ index, isRepeat }) => {
      const outcome = answer.outcomes[index];
      if (!outcome) throw new Error('A note was stored without an outcome.');
      return isRepeat ? { ...outcome, isNew: false } : outcome;
    });
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

function missingDocuments(
  drafts: readonly NewNote[],
  isNew: readonly boolean[],
  missing: ReadonlySet<string>,
): FieldError[] {
  return drafts.flatMap(({ documentPaths }, note) =>
    documentPaths.flatMap((path, index) =>
      isNew[note] === true && missing.has(path)
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
