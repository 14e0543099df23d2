import { Global, Module, type DynamicModule, type Type } from '@nestjs/common';
import { Command, type CommandRunner } from 'nest-commander';
import { CommandContext } from '../../infrastructure/commands/command-line.js';
import { ClockModule } from '../../infrastructure/clock/clock.module.js';
import { OperatorCommandGroup } from '../../infrastructure/commands/operator-command.js';
import { ConfigModule } from '../../infrastructure/config/config.module.js';
import type { Environment } from '../../infrastructure/config/settings.js';
import type { CommandGroup } from './command-groups.js';
import { Program } from './program.js';

/** The program `data-import`. Commands and the database that they open know the current run by its {@link CommandContext}. */
@Global()
@Module({})
export class CliModule {
  /** @param wanted the groups of commands to load, with their names; none for the program's help */
  static async with(
    environment: Environment,
    context: CommandContext,
    wanted: readonly (readonly [name: string, group: CommandGroup])[],
  ): Promise<DynamicModule> {
    const groups = await Promise.all(wanted.map(([name, group]) => loadGroup(name, group)));
    return {
      module: CliModule,
      imports: [
        ConfigModule.with(environment),
        ClockModule,
        ...(groups.length > 0 ? [await databaseModule()] : []),
        ...groups.flatMap(({ modules }) => modules),
      ],
      providers: [
        Program,
        { provide: CommandContext, useValue: context },
        ...groups.flatMap(({ command }) => command.registerWithSubCommands()),
      ],
      exports: [CommandContext],
    };
  }
}

/** A group's command, which holds its subcommands, and the modules that they need. */
async function loadGroup(
  name: string,
  { description, load }: CommandGroup,
): Promise<{ readonly command: typeof CommandRunner; readonly modules: readonly Type[] }> {
  const loaded = (await load()).map(({ COMMANDS }) => COMMANDS);
  const subCommands = loaded.flatMap(({ commands }) => commands[name] ?? []);
  @Command({ name, description, subCommands })
  class GroupCommand extends OperatorCommandGroup {}
  return { command: GroupCommand, modules: loaded.flatMap(({ modules }) => modules) };
}

/** The database is opened and its entities are loaded only when a command needs them: both take longer than the help. */
async function databaseModule(): Promise<DynamicModule> {
  const { CommandDatabaseModule } = await import('../../infrastructure/database/command-database.module.js');
  return CommandDatabaseModule.with({
    entities: async () => (await import('../data-source.js')).ENTITIES,
    beforeUse: async (...opened) =>
      (await import('../../capabilities/restored/notice-move.js')).noticeMove(...opened),
  });
}
