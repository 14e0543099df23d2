import { Controller, Get, Headers, Res } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '../../infrastructure/validation/openapi.js';
import type { FastifyReply } from 'fastify';
import { CurrentPlatform, type PlatformCaller } from '../../auth/caller.js';
import type { Holding } from '../../infrastructure/limits/budget.js';
import { CurrentHolding } from '../../infrastructure/limits/holds.js';
import { ForPlatform } from '../../infrastructure/routes/for-platform.js';
import { abortOnError, endOf } from '../../infrastructure/routes/stream-response.js';
import { Input, type ValidInput } from '../../infrastructure/validation/input.decorator.js';
import { ChangesQuery, FeedPathDto } from './changes.dto.js';
import { ChangesService, type PlatformSupplier } from './changes.service.js';

/** The feed of changes that the platform reads (choice E1). */
@ApiTags('feed')
@ForPlatform()
@Controller('v1/platform/import-suppliers')
export class ChangesController {
  constructor(private readonly changes: ChangesService) {}

  @Get()
  @ApiOperation({
    operationId: 'listImportSuppliers',
    summary: 'The suppliers whose changes the key can read',
    description: 'Ordered by code. `sequence` is the number of the newest change, 0 before the first.',
  })
  @ApiOkResponse({
    description: 'All of them.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/SupplierList' } } },
  })
  async list(
    @CurrentPlatform() platform: PlatformCaller,
    @Input({}) _nothing: unknown,
  ): Promise<{ suppliers: PlatformSupplier[] }> {
    return { suppliers: await this.changes.listSuppliers(platform) };
  }

  @Get(':code/changes/')
  @ApiOperation({
    operationId: 'listChanges',
    summary: 'The changes of a supplier after a cursor',
    description:
      'Oldest first. With `Accept: application/x-ndjson` a stream of all changes up to the newest, one a line; the cursor of a line is the header `Feed-Epoch`, a hyphen, and the `sequence` of the line. 404 when the supplier is unknown, or the key may not read it. 409 `feed_restarted` has the cursor from which to go on.',
  })
  @ApiOkResponse({
    description: 'A page, or a stream of lines.',
    headers: {
      'Feed-Epoch': { required: true, description: 'The epoch of the feed.', schema: { type: 'string' } },
    },
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/ChangesPage' } },
      'application/x-ndjson': { schema: { $ref: '#/components/schemas/Change' } },
    },
  })
  @ApiConflictResponse({
    description: '`feed_restarted`: the cursor is of another epoch.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/FeedRestarted' } } },
  })
  async read(
    @CurrentPlatform() caller: PlatformCaller,
    @CurrentHolding() holding: Holding,
    @Input({ params: FeedPathDto, query: ChangesQuery })
    { params: { code }, query }: ValidInput<FeedPathDto, ChangesQuery, object>,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | AsyncIterable<string>> {
    const wanted = {
      importSupplierId: await this.changes.supplierId(caller, code),
      ...{ keyId: caller.keyId, code, cursor: query.cursor },
      reader: reply.request.method === 'HEAD' ? undefined : query.reader,
      waitMs: (query.wait ?? 0) * 1_000,
      gone: endOf(reply),
      holding,
    };
    const { body, headers } = await this.changes.answer(wanted, accept, query.limit);
    reply.headers(headers);
    return typeof body === 'string' ? body : abortOnError(body, reply);
  }
}
