import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CurrentPlatform, type PlatformCaller } from '../auth/platform-caller.js';
import { ForPlatform } from '../common/for-platform.js';
import { PlatformSuppliersService, type PlatformSupplier } from './platform-suppliers.service.js';

/** The suppliers whose changes the platform can read (choice E1). Suppliers' clients have a document without it. */
@ApiExcludeController()
@ForPlatform()
@Controller('v1/platform')
export class PlatformSuppliersController {
  constructor(private readonly suppliers: PlatformSuppliersService) {}

  @Get('import-suppliers')
  async list(@CurrentPlatform() platform: PlatformCaller): Promise<{ suppliers: PlatformSupplier[] }> {
    return { suppliers: await this.suppliers.list(platform) };
  }
}
