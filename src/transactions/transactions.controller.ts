import { Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { toAccountRef } from '../accounts/account-ref.js';
import { toLoadMode } from '../accounts/load-query.js';
import { CurrentCaller, type Caller } from '../auth/caller.js';
import { Input, type ValidInput } from '../common/validation/input.decorator.js';
import {
  CreateTransactionsDto,
  toAnswer,
  toBookingRules,
  toTransactionDraft,
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
  @ApiOperation({ summary: 'Book transactions on an imported account' })
  @ApiCreatedResponse({ type: TransactionResultsDto })
  async create(
    @CurrentCaller() caller: Caller,
    @Input({ query: TransactionsQuery, body: CreateTransactionsDto })
    { query, body }: ValidInput<object, TransactionsQuery, CreateTransactionsDto>,
  ): Promise<TransactionResultsDto> {
    const drafts = body.transactions.map(toTransactionDraft);
    const rules = toBookingRules(query);
    const result = await this.transactions.book(caller, toAccountRef(body), drafts, rules, toLoadMode(query));
    return toAnswer(body.transactions, result);
  }
}
