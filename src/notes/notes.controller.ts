import { Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { toAccountRef } from '../accounts/account-ref.js';
import { LoadQuery, toLoadMode } from '../accounts/load-query.js';
import { CurrentCaller, type Caller } from '../auth/caller.js';
import { Input, type ValidInput } from '../common/validation/input.decorator.js';
import { CreateNotesDto, NoteResultDto, toNoteDraft, toNoteResult } from './notes.dto.js';
import { NotesService } from './notes.service.js';

@ApiTags('notes')
@Controller('v1/data-import/notes')
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  /** Attach notes to an imported account (specification 4.1). */
  @Post('create/')
  @ApiOperation({ summary: 'Attach notes to an imported account' })
  @ApiCreatedResponse({ type: [NoteResultDto] })
  async create(
    @CurrentCaller() caller: Caller,
    @Input({ query: LoadQuery, body: CreateNotesDto })
    { query, body }: ValidInput<object, LoadQuery, CreateNotesDto>,
  ): Promise<NoteResultDto[]> {
    const drafts = body.notes.map(toNoteDraft);
    const outcomes = await this.notes.attach(caller, toAccountRef(body), drafts, toLoadMode(query));
    return outcomes.map(toNoteResult);
  }
}
