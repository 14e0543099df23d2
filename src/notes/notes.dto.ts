import { ApiProperty } from '@nestjs/swagger';
import { AccountRefDto } from '../accounts/account-ref.js';
import { formatMoment, parseMoment } from '../common/dates.js';
import { fieldError } from '../common/errors.js';
import {
  Check,
  Omittable,
  OmittableList,
  Required,
  RequiredList,
} from '../common/validation/field.decorators.js';
import { described, documentPath, moment, text, truth } from '../common/validation/rules.js';
import type { NoteDraft, NoteOutcome } from './notes.service.js';

const BODY_MAX = 50_000;

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
export class NoteDto {
  @Omittable(text({ max: BODY_MAX, blankAllowed: true }))
  body?: string;

  @OmittableList(() => DocumentPathDto)
  document_paths?: DocumentPathDto[];

  @Omittable(
    described(moment, 'Part of what makes a note the same as another. Without it: the present moment.'),
  )
  created_at?: string;

  @Omittable(truth)
  is_pinned?: boolean;

  @Omittable(described(moment, 'When the pin ends; of no effect without is_pinned.'))
  unpin_at?: string;
}

/** The payload of `POST notes/create/` (specification 4.1). */
export class CreateNotesDto extends AccountRefDto {
  @RequiredList(() => NoteDto)
  notes: NoteDto[];
}

/** One element of the answer (specification 2.3). */
export class NoteResultDto {
  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty()
  body: string;

  @ApiProperty({ enum: ['NOTE_CREATION_SUCCESS', 'NOTE_ALREADY_EXISTS'] })
  status: 'NOTE_CREATION_SUCCESS' | 'NOTE_ALREADY_EXISTS';
}

function momentOf(text: string): number {
  // The rule of the field has accepted the text before.
  return parseMoment(text) ?? NaN;
}

export function toNoteDraft(dto: NoteDto): NoteDraft {
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
    created_at: formatMoment(createdAt),
    body,
    status: isNew ? 'NOTE_CREATION_SUCCESS' : 'NOTE_ALREADY_EXISTS',
  };
}
