import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '../common/openapi.js';
import { CurrentPlatform, type PlatformCaller } from '../auth/caller.js';
import { Input } from '../common/validation/input.decorator.js';
import { ForPlatform } from '../common/for-platform.js';
import { PlatformSuppliersService, type PlatformSupplier } from './platform-suppliers.service.js';

/** The suppliers whose changes the platform can read (choice E1). */
@ApiTags('feed')
@ForPlatform()
@Controller('v1/platform/import-suppliers')
export class PlatformSuppliersController {
  constructor(private readonly suppliers: PlatformSuppliersService) {}

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
    return { suppliers: await this.suppliers.list(platform) };
  }
}
