import { Module } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../infrastructure/config/settings.js';
import { registerMetrics } from '../infrastructure/metrics/metrics.registry.js';
import { ImportsModule } from '../ingest/imports.module.js';
import { PaymentInstructionsController } from './payment-instructions.controller.js';
import { PaymentInstructionsService } from './payment-instructions.service.js';
import { connectVendors } from './vendors/connect-vendors.js';
import { VendorGateway } from './vendors/vendor-gateway.js';
import { vendorMetrics } from './vendors/vendor-metrics.js';

@Module({
  imports: [ImportsModule],
  controllers: [PaymentInstructionsController],
  providers: [
    PaymentInstructionsService,
    {
      provide: VendorGateway,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) =>
        new VendorGateway(connectVendors(environment), {
          requestTimeoutMs: environment.PAYMENT_VENDOR_TIMEOUT_MS,
          requestsMax: environment.PAYMENT_VENDOR_REQUESTS_MAX,
        }),
    },
    registerMetrics(vendorMetrics, VendorGateway),
  ],
})
export class PaymentInstructionsModule {}
