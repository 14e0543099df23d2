import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { AccountRefDto } from '../accounts/account-ref.js';
import { formatDateTime, parseDateTime } from '../common/dates.js';
import { fieldError } from '../common/errors.js';
import {
  Check,
  Omittable,
  OmittableList,
  Required,
  RequiredList,
} from '../common/validation/field.decorators.js';
import { described, documentPath, moment, text, truth } from '../common/validation/rules.js';
import type { NewNote, NoteOutcome } from './notes.types.js';

const BODY_MAX = 50_000;

@ApiSchema({ description: 'Where a document of a note is.' })
export class DocumentPathDto {
  @Required(documentPath)
  document_path: string;
}

/** One note as it is sent (specification 2.3; contract N1 to N3). */
@Check<NoteDto>({
  needs: ['created_at', 'unpin_at'],
  errors: ({ created_at, unpin_at }) =>
    created_at !== undefined && unpin_at !== undefined && momentOf(unpin_at) < momentOf(created_at)
      ? [fieldError('note_unpin_at_earlier_than_creation_date', 'unpin_at')]
      : [],
})
@Check<NoteDto>({
  needs: ['body', 'document_paths'],
  errors: ({ body = '', document_paths = [] }) =>
    body === '' && document_paths.length === 0
      ? [fieldError('note_body_or_document_path_not_found', '')]
      : [],
})
@ApiSchema({ description: 'A note needs a `body` that is not empty, or at least one of `document_paths`.' })
export class NoteDto {
  @Omittable(
    described(
      text({ max: BODY_MAX, blankAllowed: true }),
      'Needed when there is no document. Empty, it counts as left out.',
    ),
  )
  body?: string;

  @OmittableList(() => DocumentPathDto, {
    description:
      'The documents of the note; needed when there is no `body`. An empty list counts as left out.',
  })
  document_paths?: DocumentPathDto[];

  @Omittable(
    described(
      moment,
      'When the note was written: part of what makes it the same as another. Without it: the present moment.',
    ),
  )
  created_at?: string;

  @Omittable(described(truth, "Pins the note to the top of the account's support-site page."))
  is_pinned?: boolean;

  @Omittable(
    described(
      moment,
      'When the pin ends: not before a `created_at` that is sent. Of no effect without `is_pinned`.',
    ),
  )
  unpin_at?: string;
}

/** The payload of `POST notes/create/` (specification 4.1). */
@ApiSchema({ description: 'Notes for one account.' })
export class CreateNotesDto extends AccountRefDto {
  @RequiredList(() => NoteDto, { description: 'Answered in this order.' })
  notes: NoteDto[];
}

/** One element of the answer (specification 2.3). */
@ApiSchema({ description: 'What became of a note.' })
export class NoteResultDto {
  @ApiProperty({
    format: 'date-time',
    description: 'In UTC and whole seconds; of the note that exists, its own.',
  })
  created_at: string;

  @ApiProperty({ description: 'Empty for a note without one.' })
  body: string;

  @ApiProperty({
    enum: ['NOTE_CREATION_SUCCESS', 'NOTE_ALREADY_EXISTS'],
    description: '`NOTE_ALREADY_EXISTS`: the account has the same note already; nothing was added.',
  })
  status: 'NOTE_CREATION_SUCCESS' | 'NOTE_ALREADY_EXISTS';
}

function momentOf(text: string): number {
  // The rule of the field has accepted the text before.
  return parseDateTime(text) ?? NaN;
}

export function toNewNote(dto: NoteDto): NewNote {
  return {
    body: dto.body ?? '',
    documentPaths: (dto.document_paths ?? []).map(({ document_path }) => document_path),
    createdAt: dto.created_at === undefined ? undefined : new Date(momentOf(dto.created_at)),
    isPinned: dto.is_pinned ?? false,
    unpinAt: dto.unpin_at === undefined ? undefined : new Date(momentOf(dto.unpin_at)),
  };
}

export function toNoteResult({ body, createdAt, isNew }: NoteOutcome): NoteResultDto {
  return {
    created_at: formatDateTime(createdAt),
    body,
    status: isNew ? 'NOTE_CREATION_SUCCESS' : 'NOTE_ALREADY_EXISTS',
  };
}
