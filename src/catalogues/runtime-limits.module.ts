import { Global, Inject, Injectable, Module } from '@nestjs/common';
import { RuntimeLimitsProvider } from '../common/validation/rules/runtime-limits.js';
import { ENVIRONMENT } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';
import { CataloguesModule } from './catalogues.module.js';
import { CataloguesService, type CatalogueSnapshot } from './catalogues.service.js';

@Injectable()
class ConfiguredLimits extends RuntimeLimitsProvider {
  readonly itemsMax: number;

  constructor(
    @Inject(ENVIRONMENT) environment: Environment,
    private readonly service: CataloguesService,
  ) {
    super();
    this.itemsMax = environment.ITEMS_MAX;
  }

  catalogues(): CatalogueSnapshot | Promise<CatalogueSnapshot> {
    return this.service.current();
  }
}

/** What the validation of every request may depend on: the setting `ITEMS_MAX`, and the catalogues. */
@Global()
@Module({
  imports: [CataloguesModule],
  providers: [{ provide: RuntimeLimitsProvider, useClass: ConfiguredLimits }],
  exports: [RuntimeLimitsProvider],
})
export class RuntimeLimitsModule {}
