import { Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '../infrastructure/validation/openapi.js';
import { toAccountRef } from '../ingest/account-ref.js';
import { ImportRoute } from '../ingest/import-route.js';
import { STATEMENT } from '../ingest/kinds/statement.item.js';
import { sameInWords } from '../ingest/same-items.js';
import { ImportQuery } from '../ingest/import-query.js';
import { CurrentCaller, type Caller } from '../auth/caller.js';
import { Input, type ValidInput } from '../infrastructure/validation/input.decorator.js';
import { CreateHistoricalStatementsDto, toNewStatement } from './statements.dto.js';
import { StatementsService } from './statements.service.js';

@ApiTags('historical statements')
@Controller('v1/data-import/historical-statements')
export class StatementsController {
  constructor(private readonly statements: StatementsService) {}

  /** Attach historical statements to an imported account; the payload is the answer (specification 4.3). */
  @Post('create/')
  @ImportRoute('statements')
  @ApiOperation({
    operationId: 'createHistoricalStatements',
    summary: 'Attach historical statements to an imported account',
    description:
      `Safe to repeat: a statement that the account already has, with ${sameInWords(STATEMENT)} and content, is not stored again, and the answer is the same. ` +
      `Other content under ${sameInWords(STATEMENT)} is rejected (\`historical_statement_already_exists\`).`,
  })
  @ApiCreatedResponse({
    type: CreateHistoricalStatementsDto,
    description: 'The statements are attached to the account. The answer is the payload as sent.',
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Input({ query: ImportQuery, body: CreateHistoricalStatementsDto })
    { query, body }: ValidInput<object, ImportQuery, CreateHistoricalStatementsDto>,
  ): Promise<CreateHistoricalStatementsDto> {
    const statements = body.statements.map(toNewStatement);
    await this.statements.attach(caller, toAccountRef(body), statements, query.dry_run === true);
    return body;
  }
}
