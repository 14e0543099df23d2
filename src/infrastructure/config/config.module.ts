import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { Environment } from './settings.js';

/** Injection token of the settings, which are read once when the process starts. */
export const ENVIRONMENT = Symbol('ENVIRONMENT');

@Global()
@Module({})
export class ConfigModule {
  static with(environment: Environment): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: ENVIRONMENT, useValue: environment }],
      exports: [ENVIRONMENT],
    };
  }
}
