import { Module } from '@nestjs/common';
import { OverviewController } from './overview/overview.controller.js';
import { ViewedSuppliersRepository } from './viewers/viewed-suppliers.repository.js';
import { ViewedSuppliersService } from './viewers/viewed-suppliers.service.js';

/** The pages for people below `/console/`. */
@Module({
  controllers: [OverviewController],
  providers: [ViewedSuppliersService, ViewedSuppliersRepository],
})
export class ConsoleModule {}
