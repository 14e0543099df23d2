import { Module } from '@nestjs/common';
import { PlatformSuppliersController } from './platform-suppliers.controller.js';
import { PlatformSuppliersRepository } from './platform-suppliers.repository.js';
import { PlatformSuppliersService } from './platform-suppliers.service.js';

/** The list of suppliers for the platform. */
@Module({
  controllers: [PlatformSuppliersController],
  providers: [PlatformSuppliersService, PlatformSuppliersRepository],
})
export class PlatformSuppliersModule {}
