import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '../../infrastructure/validation/openapi.js';
import type { FastifyReply } from 'fastify';
import { CurrentCaller, type Caller } from '../../auth/caller.js';
import { abortOnError } from '../../infrastructure/routes/stream-response.js';
import { Input, type ValidInput } from '../../infrastructure/validation/input.decorator.js';
import {
  AccountImportProcessDto,
  AccountImportStatusDto,
  ImportedAccountImportProcessDto,
  linkToNext,
  ListQuery,
  toAccountImportStatusDto,
} from './accounts.dto.js';
import { AccountRefDto, SupplierPathDto, toAccountRef } from '../../ingest/account-ref.js';
import { AccountsService } from './accounts.service.js';
import type { AccountFilter } from './accounts.types.js';

const LIST_RULES =
  'Ordered by `external_account_number`, byte by byte; `[]` when there are none; 404 when the import supplier is unknown or not granted to you. Without `limit` the whole list is streamed, whatever its length; if the answer breaks off, the list is incomplete: send the request again. With `limit` the list comes in pages: follow the `Link` header until an answer has none.';
const LIST_OR_PAGE = 'The whole list, or one page of it.';

type ListInput = ValidInput<SupplierPathDto, ListQuery, object>;

@ApiTags('account imports')
@Controller('v1/data-import')
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  /** The import status of one account (specification 4.5). */
  @Get('account-transfer-status/:import_supplier/:external_account_number/')
  @ApiOperation({
    operationId: 'getAccountTransferStatus',
    summary: 'Status of one account import',
    description:
      'The import status of one account. 404 when the account was never staged, or the import supplier is not granted to you. The status of the import supplier makes no difference.',
  })
  @ApiOkResponse({
    type: AccountImportStatusDto,
    description: 'The account was staged; `status` is the status of its import.',
  })
  async status(
    @CurrentCaller() caller: Caller,
    @Input({ params: AccountRefDto }) { params }: ValidInput<AccountRefDto, object, object>,
  ): Promise<AccountImportStatusDto> {
    return toAccountImportStatusDto(await this.accounts.status(caller, toAccountRef(params)));
  }

  /** Every account of a supplier (specification 4.6). */
  @Get('all-account-import-processes/:import_supplier/')
  @ApiOperation({
    operationId: 'listAllAccountImportProcesses',
    summary: 'All account imports of a supplier',
    description: `Every staged account, imported or not. ${LIST_RULES}`,
  })
  @ApiOkResponse({ type: [AccountImportProcessDto], description: LIST_OR_PAGE })
  all(
    @CurrentCaller() caller: Caller,
    @Input({ params: SupplierPathDto, query: ListQuery }) input: ListInput,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | AsyncIterable<string>> {
    return this.list('all', caller, input, reply);
  }

  /** Accounts without a platform account yet (specification 4.7). */
  @Get('pending-account-import-processes/:import_supplier/')
  @ApiOperation({
    operationId: 'listPendingAccountImportProcesses',
    summary: 'Account imports of a supplier that have no platform account yet',
    description: `Accounts that are not imported yet, are being imported, or whose import failed: \`service_account_number\` and \`account_created_at\` are null. ${LIST_RULES}`,
  })
  @ApiOkResponse({ type: [AccountImportProcessDto], description: LIST_OR_PAGE })
  pending(
    @CurrentCaller() caller: Caller,
    @Input({ params: SupplierPathDto, query: ListQuery }) input: ListInput,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | AsyncIterable<string>> {
    return this.list('pending', caller, input, reply);
  }

  /** Accounts with a platform account (specification 4.8). */
  @Get('imported-account-import-processes/:import_supplier/')
  @ApiOperation({
    operationId: 'listImportedAccountImportProcesses',
    summary: 'Account imports of a supplier that have a platform account',
    description: `Accounts that are imported; data can be added to them. ${LIST_RULES}`,
  })
  @ApiOkResponse({ type: [ImportedAccountImportProcessDto], description: LIST_OR_PAGE })
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
    const { body, nextAfter } = await this.accounts.list(caller, wanted);
    reply.header('content-type', 'application/json; charset=utf-8');
    reply.headers(linkToNext(reply.request.url, nextAfter));
    return typeof body === 'string' ? body : abortOnError(body, reply);
  }
}
