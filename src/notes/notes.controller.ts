import { Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { toAccountRef } from '../accounts/account-ref.js';
import { ImportQuery, toImportMode } from '../imports/import-query.js';
import { CurrentCaller, type Caller } from '../auth/caller.js';
import { Input, type ValidInput } from '../common/validation/input.decorator.js';
import { CreateNotesDto, NoteResultDto, toNewNote, toNoteResult } from './notes.dto.js';
import { NotesService } from './notes.service.js';

@ApiTags('notes')
@Controller('v1/data-import/notes')
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  /** Attach notes to an imported account (specification 4.1). */
  @Post('create/')
  @ApiOperation({
    operationId: 'createNotes',
    summary: 'Attach notes to an imported account',
    description:
      'Safe to repeat: a note is the same as one that the account has when its `body` is the same (without one, its list of paths) and, if `created_at` is sent, that too. It is then answered `NOTE_ALREADY_EXISTS`, and so is the second of two in one request. Send `created_at`, so that two notes of the same text are two.',
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
    const outcomes = await this.notes.attach(caller, toAccountRef(body), notes, toImportMode(query));
    return outcomes.map(toNoteResult);
  }
}
