import { Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '../infrastructure/validation/openapi.js';
import { toAccountRef } from '../ingest/account-ref.js';
import { ImportRoute } from '../ingest/import-route.js';
import { NOTE } from '../ingest/kinds/note.item.js';
import { sameInWords } from '../ingest/same-items.js';
import { ImportQuery } from '../ingest/import-query.js';
import { CurrentCaller, type Caller } from '../auth/caller.js';
import { Input, type ValidInput } from '../infrastructure/validation/input.decorator.js';
import { CreateNotesDto, NoteResultDto, toNewNote, toNoteResult } from './notes.dto.js';
import { NotesService } from './notes.service.js';

@ApiTags('notes')
@Controller('v1/data-import/notes')
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  /** Attach notes to an imported account (specification 4.1). */
  @Post('create/')
  @ImportRoute('notes')
  @ApiOperation({
    operationId: 'createNotes',
    summary: 'Attach notes to an imported account',
    description:
      `Safe to repeat. A note already exists when the account has one with ${sameInWords(NOTE)}. ` +
      'The result is then `NOTE_ALREADY_EXISTS`; this also applies to the second of two same notes in one request. Send `created_at` to store two notes with the same text.',
  })
  @ApiCreatedResponse({
    type: [NoteResultDto],
    description: 'One result for each note, in the order of the request.',
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Input({ query: ImportQuery, body: CreateNotesDto })
    { query, body }: ValidInput<object, ImportQuery, CreateNotesDto>,
  ): Promise<NoteResultDto[]> {
    const notes = body.notes.map(toNewNote);
    const outcomes = await this.notes.attach(caller, toAccountRef(body), notes, query.dry_run === true);
    return outcomes.map(toNoteResult);
  }
}
