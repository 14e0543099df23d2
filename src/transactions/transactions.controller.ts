import { Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '../infrastructure/validation/openapi.js';
import { toAccountRef } from '../ingest/account-ref.js';
import { ImportRoute } from '../ingest/import-route.js';
import { CurrentCaller, type Caller } from '../auth/caller.js';
import { Input, type ValidInput } from '../infrastructure/validation/input.decorator.js';
import {
  CreateTransactionsDto,
  toAnswer,
  toBookingRules,
  toNewTransaction,
  TransactionResultsDto,
  TransactionsQuery,
} from './transactions.dto.js';
import { TransactionsService } from './transactions.service.js';

@ApiTags('transactions')
@Controller('v1/data-import/transactions')
export class TransactionsController {
  constructor(private readonly transactions: TransactionsService) {}

  /** Book transactions on an imported account (specification 4.2). */
  @Post('create/')
  @ImportRoute('transactions')
  @ApiOperation({
    operationId: 'createTransactions',
    summary: 'Book transactions on an imported account',
    description:
      "Safe to repeat unless `check_previously_added=false`: a transaction whose `transaction_id` the account already has is skipped, and its result is `TRANSACTION_ALREADY_EXISTS`. A `transaction_date` outside the account's open statement period is moved to the nearest day inside it; the answer has the new date, and a `note` that explains the change. With `force_add_to_current_statement=false` the whole request is rejected instead, with `transaction_import_error`.",
  })
  @ApiCreatedResponse({
    type: TransactionResultsDto,
    description: 'One result for each transaction, in the order of the request.',
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Input({ query: TransactionsQuery, body: CreateTransactionsDto })
    { query, body }: ValidInput<object, TransactionsQuery, CreateTransactionsDto>,
  ): Promise<TransactionResultsDto> {
    const transactions = body.transactions.map(toNewTransaction);
    const outcomes = await this.transactions.book(
      caller,
      toAccountRef(body),
      transactions,
      toBookingRules(query),
      query.dry_run === true,
    );
    return toAnswer(transactions, outcomes);
  }
}
