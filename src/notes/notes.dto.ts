import { ApiProperty, ApiSchema } from '../infrastructure/validation/openapi.js';
import { AccountRefDto } from '../ingest/account-ref.js';
import { formatDateTime, parseDateTime } from '../infrastructure/clock/dates.js';
import { fieldError } from '../infrastructure/errors/errors.js';
import { CrossField } from '../infrastructure/validation/cross-field-rule.decorator.js';
import {
  BooleanField,
  DateTimeField,
  DocumentPathField,
  ListField,
  TextField,
} from '../infrastructure/validation/field.decorators.js';
import { Item } from '../infrastructure/validation/item-bytes.js';
import type { Described } from '../ingest/kinds/item-kind.js';
import type { NOTE } from '../ingest/kinds/note.item.js';
import type { NewNote, NoteOutcome } from './notes.types.js';

const BODY_MAX = 50_000;
const DOCUMENTS_MAX = 100;

@ApiSchema({ description: 'A document of a note.' })
export class DocumentPathDto {
  @DocumentPathField()
  document_path: string;
}

/** One note as it is sent (specification 2.3; choices N1 to N3). */
@CrossField<NoteDto>({
  needs: ['created_at', 'unpin_at'],
  errors: ({ created_at, unpin_at }) =>
    created_at !== undefined && unpin_at !== undefined && timeOf(unpin_at) < timeOf(created_at)
      ? [fieldError('note_unpin_at_earlier_than_creation_date', 'unpin_at')]
      : [],
})
@CrossField<NoteDto>({
  needs: ['body', 'document_paths'],
  errors: ({ body = '', document_paths = [] }) =>
    body === '' && document_paths.length === 0
      ? [fieldError('note_body_or_document_path_not_found', '')]
      : [],
})
@Item({ description: 'A note requires a `body` that is not empty, or at least one document path.' })
export class NoteDto {
  @TextField({
    max: BODY_MAX,
    blankAllowed: true,
    optional: true,
    description: 'Required when there are no documents. An empty text counts as omitted.',
  })
  body?: string;

  @ListField(() => DocumentPathDto, {
    max: DOCUMENTS_MAX,
    optional: true,
    description:
      'The documents of the note; required when there is no `body`. An empty list counts as omitted.',
  })
  document_paths?: DocumentPathDto[];

  @DateTimeField({
    optional: true,
    description:
      'When the note was written. Notes that differ in it are different notes. The default is the current time.',
  })
  created_at?: string;

  @BooleanField({
    optional: true,
    description: "Pins the note to the top of the account's support-site page.",
  })
  is_pinned?: boolean;

  @DateTimeField({
    optional: true,
    description:
      'When the note is unpinned; not before `created_at`, if that is sent. It has no effect without `is_pinned`.',
  })
  unpin_at?: string;
}

/** The payload of `POST notes/create/` (specification 4.1). */
@ApiSchema({ description: 'Notes for one account.' })
export class CreateNotesDto extends AccountRefDto {
  @ListField(() => NoteDto, { description: 'The answer has the same order.' })
  notes: NoteDto[];
}

/** One element of the answer (specification 2.3). */
@ApiSchema({ description: 'The result of one note.' })
export class NoteResultDto {
  @ApiProperty({
    format: 'date-time',
    description: 'In UTC and whole seconds. Of a note that already existed: its own.',
  })
  created_at: string;

  @ApiProperty({ description: 'Empty when the note has none.' })
  body: string;

  @ApiProperty({
    enum: ['NOTE_CREATION_SUCCESS', 'NOTE_ALREADY_EXISTS'],
    description: '`NOTE_ALREADY_EXISTS`: the account already has the same note, and nothing was added.',
  })
  status: 'NOTE_CREATION_SUCCESS' | 'NOTE_ALREADY_EXISTS';
}

function timeOf(text: string): number {
  // The field's own rule has already accepted the text.
  return parseDateTime(text) ?? NaN;
}

export function toNewNote(dto: NoteDto): NewNote {
  const sent: Described<typeof NOTE, NoteDto> = dto;
  return {
    body: dto.body ?? '',
    documentPaths: (dto.document_paths ?? []).map(({ document_path }) => document_path),
    sent,
  };
}

export function toNoteResult({ body, createdAt, isNew }: NoteOutcome): NoteResultDto {
  return {
    created_at: formatDateTime(createdAt),
    body,
    status: isNew ? 'NOTE_CREATION_SUCCESS' : 'NOTE_ALREADY_EXISTS',
  };
}
