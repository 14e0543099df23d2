import { Global, Module, type DynamicModule } from '@nestjs/common';
import { CommandContext } from '../common/command-line.js';
import { CommonModule } from '../common/common.module.js';
import { ConfigModule } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';
import { GROUPS } from './command-groups.js';
import { Program } from './program.js';

/** The program `data-import`. Commands, and the database that they open, know its run by its {@link CommandContext}. */
@Global()
@Module({})
export class CliModule {
  /** @param names of the groups of commands that are loaded, keys of {@link GROUPS}; none for the help of the program */
  static async with(
    environment: Environment,
    context: CommandContext,
    names: readonly string[],
  ): Promise<DynamicModule> {
    const groups = await Promise.all(names.flatMap((name) => GROUPS[name]?.load() ?? []));
    return {
      module: CliModule,
      imports: [
        ConfigModule.with(environment),
        CommonModule,
        ...(groups.length > 0 ? [await databaseModule()] : []),
        ...groups.flatMap(({ modules }) => modules),
      ],
      providers: [
        Program,
        { provide: CommandContext, useValue: context },
        ...groups.flatMap(({ commands }) => commands.registerWithSubCommands()),
      ],
      exports: [CommandContext],
    };
  }
}

/** The database is opened when a command needs it, and the entities are loaded with it: they take longer than the help. */
async function databaseModule(): Promise<DynamicModule> {
  const { CommandDatabaseModule } = await import('../database/command-database.module.js');
  return CommandDatabaseModule.with({
    entities: async () => (await import('../database/data-source.js')).ENTITIES,
    beforeUse: async (...opened) => (await import('../restored/notice-move.js')).noticeMove(...opened),
  });
}
