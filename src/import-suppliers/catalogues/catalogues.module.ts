import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../infrastructure/audit/audit.module.js';
import { CatalogueValue } from './catalogue-value.entity.js';
import { CataloguesService } from './catalogues.service.js';

/** The allowed values of fields that an operator may extend. */
@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([CatalogueValue])],
  providers: [CataloguesService],
  exports: [CataloguesService],
})
export class CataloguesModule {}
