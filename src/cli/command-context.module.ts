import { Global, Module, type DynamicModule } from '@nestjs/common';
import { CommandContext } from '../common/command-line.js';

/** Gives every command, and the database they open, the context of this run of the program. */
@Global()
@Module({})
export class CommandContextModule {
  static with(context: CommandContext): DynamicModule {
    return {
      module: CommandContextModule,
      providers: [{ provide: CommandContext, useValue: context }],
      exports: [CommandContext],
    };
  }
}
