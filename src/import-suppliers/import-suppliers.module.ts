import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../infrastructure/audit/audit.module.js';
import { ChangesModule } from '../infrastructure/change-log/changes.module.js';
import { OrganisationsModule } from '../auth/organisations.module.js';
import { ImportSupplier, ImportSupplierGrant } from './import-supplier.entity.js';
import { ImportSuppliersService } from './import-suppliers.service.js';
import { SupplierIds } from './supplier-ids.js';

/** Import suppliers as operators manage them. */
@Module({
  imports: [
    AuditModule,
    ChangesModule,
    OrganisationsModule,
    TypeOrmModule.forFeature([ImportSupplier, ImportSupplierGrant]),
  ],
  providers: [ImportSuppliersService, SupplierIds],
  exports: [ImportSuppliersService, SupplierIds, TypeOrmModule],
})
export class ImportSuppliersModule {}
