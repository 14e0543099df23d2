import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '../../infrastructure/validation/openapi.js';
import type { FastifyReply } from 'fastify';
import { AccountRefDto, SupplierPathDto, toAccountRef } from '../../ingest/account-ref.js';
import { linkToNext } from '../../accounts/status/accounts.dto.js';
import { CurrentCaller, type Caller } from '../../auth/caller.js';
import type { Holding } from '../../infrastructure/limits/budget.js';
import { CurrentHolding } from '../../infrastructure/limits/holds.js';
import { abortOnError, atEnd } from '../../infrastructure/routes/stream-response.js';
import { Input, type ValidInput } from '../../infrastructure/validation/input.decorator.js';
import { AccountContentsService } from './account-contents.service.js';
import { AccountContentDto, ContentQuery, ContentsQuery } from './proof.dto.js';

@ApiTags('account contents')
@Controller('v1/data-import')
export class ProofController {
  constructor(private readonly contents: AccountContentsService) {}

  /** The content of one account (choice V1). */
  @Get('account-content/:import_supplier/:external_account_number/')
  @ApiOperation({
    operationId: 'getAccountContent',
    summary: 'What one account holds, as digests',
    description:
      'Counts, sums and digests of everything that an imported account holds, at one point in time. An addition to the specification: the digests can be computed from what was sent, without the service. A `content` is the item as it was sent, in the form of RFC 8785: `transaction_date` and `note` of a moved transaction are those that were sent. With `rows=true` each row is on a line of its own, as `{"digest":"…","content":{…}}`, so that line tools can cut it out. With `row_digests=true` each section has the digests of its rows, without their content. 404 when the account is not imported, or the import supplier is not granted to you.',
  })
  @ApiOkResponse({ type: AccountContentDto, description: 'The account is imported.' })
  async account(
    @CurrentCaller() caller: Caller,
    @CurrentHolding() holding: Holding,
    @Input({ params: AccountRefDto, query: ContentQuery })
    { params, query }: ValidInput<AccountRefDto, ContentQuery, object>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | AsyncIterable<string>> {
    const { body, dispose } = await this.contents.account(caller, toAccountRef(params), {
      hasRows: query.rows,
      hasRowDigests: query.row_digests,
      holding,
    });
    atEnd(reply, dispose);
    reply.header('content-type', 'application/json; charset=utf-8');
    return typeof body === 'string' ? body : abortOnError(body, reply);
  }

  /** The content of every imported account of a supplier (choice V2). */
  @Get('account-contents/:import_supplier/')
  @ApiOperation({
    operationId: 'listAccountContents',
    summary: 'What the imported accounts of a supplier hold, as digests',
    description:
      'As the answer for one account, for every imported account. An addition to the specification. Each account is from one point in time, the list is not. Ordered by `external_account_number`, byte by byte; `[]` when there are none; 404 when the import supplier is unknown or not granted to you. Without `limit` the whole list is streamed, whatever its length; if the answer breaks off, the list is incomplete: continue it with `after`. With `limit` the list comes in pages: follow the `Link` header until an answer has none. With `row_digests=true` each section has the digests of its rows.',
  })
  @ApiOkResponse({ type: [AccountContentDto], description: 'The whole list, or one page of it.' })
  async list(
    @CurrentCaller() caller: Caller,
    @CurrentHolding() holding: Holding,
    @Input({ params: SupplierPathDto, query: ContentsQuery })
    { params, query }: ValidInput<SupplierPathDto, ContentsQuery, object>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | AsyncIterable<string>> {
    const { limit, after, row_digests: hasRowDigests } = query;
    const wanted = { importSupplier: params.import_supplier, limit, after, hasRowDigests, holding };
    const { body, nextAfter, dispose } = await this.contents.list(caller, wanted);
    atEnd(reply, dispose);
    reply.header('content-type', 'application/json; charset=utf-8');
    reply.headers(linkToNext(reply.request.url, nextAfter));
    return typeof body === 'string' ? body : abortOnError(body, reply);
  }
}
