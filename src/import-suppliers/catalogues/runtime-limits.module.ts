import { Global, Module } from '@nestjs/common';
import { RuntimeLimitsProvider } from '../../infrastructure/validation/rules/runtime-limits.js';
import { CataloguesModule } from './catalogues.module.js';
import { CataloguesService } from './catalogues.service.js';

/** Provides the limits that the validation of any request may need: the setting `ITEMS_MAX` and the catalogues. */
@Global()
@Module({
  imports: [CataloguesModule],
  providers: [{ provide: RuntimeLimitsProvider, useExisting: CataloguesService }],
  exports: [RuntimeLimitsProvider],
})
export class RuntimeLimitsModule {}
