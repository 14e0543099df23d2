import { Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { toAccountRef } from '../accounts/account-ref.js';
import { LoadQuery, toLoadMode } from '../accounts/load-query.js';
import { CurrentCaller, type Caller } from '../auth/caller.js';
import { Input, type ValidInput } from '../common/validation/input.decorator.js';
import { CreateStatementsDto, toStatementDraft } from './statements.dto.js';
import { StatementsService } from './statements.service.js';

@ApiTags('historical statements')
@Controller('v1/data-import/historical-statements')
export class StatementsController {
  constructor(private readonly statements: StatementsService) {}

  /** Attach historical statements to an imported account; the payload is the answer (specification 4.3). */
  @Post('create/')
  @ApiOperation({ summary: 'Attach historical statements to an imported account' })
  @ApiCreatedResponse({ type: CreateStatementsDto })
  async create(
    @CurrentCaller() caller: Caller,
    @Input({ query: LoadQuery, body: CreateStatementsDto })
    { query, body }: ValidInput<object, LoadQuery, CreateStatementsDto>,
  ): Promise<CreateStatementsDto> {
    const drafts = body.statements.map(toStatementDraft);
    await this.statements.attach(caller, toAccountRef(body), drafts, toLoadMode(query));
    return body;
  }
}
