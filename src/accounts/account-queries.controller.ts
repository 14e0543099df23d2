import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentCaller, type Caller } from '../auth/caller.js';
import { untilOneFails } from '../common/error.filter.js';
import { Input, type ValidInput } from '../common/validation/input.decorator.js';
import {
  AccountImportProcessDto,
  AccountStatusDto,
  linkToNext,
  ListQuery,
  SupplierPathDto,
  toAccountStatusDto,
} from './account-queries.dto.js';
import type { AccountFilter } from './account-queries.repository.js';
import { AccountQueriesService } from './account-queries.service.js';
import { AccountRefDto, toAccountRef } from './account-ref.js';

type ListInput = ValidInput<SupplierPathDto, ListQuery, object>;

@ApiTags('account imports')
@Controller('v1/data-import')
export class AccountQueriesController {
  constructor(private readonly queries: AccountQueriesService) {}

  /** How far one account is (specification 4.5). */
  @Get('account-transfer-status/:import_supplier/:external_account_number/')
  @ApiOperation({ summary: 'Status of one account import' })
  @ApiOkResponse({ type: AccountStatusDto })
  async status(
    @CurrentCaller() caller: Caller,
    @Input({ params: AccountRefDto }) { params }: ValidInput<AccountRefDto, object, object>,
  ): Promise<AccountStatusDto> {
    return toAccountStatusDto(await this.queries.status(caller, toAccountRef(params)));
  }

  /** Every account of a supplier (specification 4.6). */
  @Get('all-account-import-processes/:import_supplier/')
  @ApiOperation({ summary: 'All account imports of a supplier' })
  @ApiOkResponse({ type: [AccountImportProcessDto] })
  all(
    @CurrentCaller() caller: Caller,
    @Input({ params: SupplierPathDto, query: ListQuery }) input: ListInput,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | AsyncIterable<string>> {
    return this.list('all', caller, input, reply);
  }

  /** Accounts without a platform account yet (specification 4.7). */
  @Get('pending-account-import-processes/:import_supplier/')
  @ApiOperation({ summary: 'Account imports of a supplier that have no platform account yet' })
  @ApiOkResponse({ type: [AccountImportProcessDto] })
  pending(
    @CurrentCaller() caller: Caller,
    @Input({ params: SupplierPathDto, query: ListQuery }) input: ListInput,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | AsyncIterable<string>> {
    return this.list('pending', caller, input, reply);
  }

  /** Accounts with a platform account (specification 4.8). */
  @Get('imported-account-import-processes/:import_supplier/')
  @ApiOperation({ summary: 'Account imports of a supplier that have a platform account' })
  @ApiOkResponse({ type: [AccountImportProcessDto] })
  imported(
    @CurrentCaller() caller: Caller,
    @Input({ params: SupplierPathDto, query: ListQuery }) input: ListInput,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | AsyncIterable<string>> {
    return this.list('imported', caller, input, reply);
  }

  private async list(
    filter: AccountFilter,
    caller: Caller,
    { params, query }: ListInput,
    reply: FastifyReply,
  ): Promise<string | AsyncIterable<string>> {
    const { limit, after } = query;
    const wanted = { importSupplier: params.import_supplier, filter, limit, after };
    const { body, nextAfter } = await this.queries.list(caller, wanted);
    reply.header('content-type', 'application/json; charset=utf-8');
    reply.headers(linkToNext(reply.request.url, query, nextAfter));
    return typeof body === 'string' ? body : untilOneFails(body, reply);
  }
}
