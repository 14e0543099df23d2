import { Module, type DynamicModule } from '@nestjs/common';
import { CommandContext } from '../common/command-line.js';
import { CommonModule } from '../common/common.module.js';
import { ConfigModule } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';
import { CommandDatabaseModule } from '../database/command-database.module.js';
import { CommandContextModule } from './command-context.module.js';
import { GROUPS } from './command-groups.js';
import { Program } from './program.js';

/** The operator commands with the services they call, on a database that is opened when one of them needs it. */
@Module({})
export class CliModule {
  /** @param names of the groups of commands that are loaded, keys of {@link GROUPS} */
  static async with(
    environment: Environment,
    context: CommandContext,
    names: readonly string[],
  ): Promise<DynamicModule> {
    const groups = await Promise.all(names.flatMap((name) => GROUPS[name]?.() ?? []));
    return {
      module: CliModule,
      imports: [
        ConfigModule.with(environment),
        CommandContextModule.with(context),
        // Loaded with the database, because they take longer than the help.
        CommandDatabaseModule.with(async () => (await import('../database/data-source.js')).ENTITIES),
        CommonModule,
        ...new Set(groups.flatMap(({ modules }) => modules)),
      ],
      providers: [Program, ...groups.flatMap(({ commands }) => commands.registerWithSubCommands())],
    };
  }
}
