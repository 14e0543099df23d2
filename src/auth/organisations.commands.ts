import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import type { CommandResult } from '../infrastructure/commands/command-line.js';
import { moduleCommands, OperatorCommand } from '../infrastructure/commands/operator-command.js';
import { isName, NAME_RULE } from '../infrastructure/text/names.js';
import { OrganisationsService } from './organisations.service.js';
import { OrganisationsModule } from './organisations.module.js';

@SubCommand({
  name: 'create',
  description: 'create an organisation',
  arguments: '<name>',
  argsDescription: { name: '1 to 128 characters' },
})
export class CreateOrganisationCommand extends OperatorCommand<[name: string]> {
  @Inject(OrganisationsService) private readonly organisations: OrganisationsService;

  protected async execute([name]: [string]): Promise<CommandResult> {
    if (!isName(name)) this.refuseArgument('name', name, NAME_RULE);
    const created = await this.organisations.create(name, this.context.operator);
    return { json: created, text: `Created the organisation ${created.name} (${created.id}).` };
  }
}

@SubCommand({ name: 'list', description: 'list all organisations by name' })
export class ListOrganisationsCommand extends OperatorCommand {
  @Inject(OrganisationsService) private readonly organisations: OrganisationsService;

  protected async execute(): Promise<CommandResult> {
    const list = await this.organisations.list();
    const table = { head: ['Name', 'Id'], rows: list.map(({ id, name }) => [name, id]) };
    return { json: list, text: list.length > 0 ? table : 'There is no organisation yet.' };
  }
}

/** `organisation …` (choices, section 6). */
export const COMMANDS = moduleCommands([OrganisationsModule], {
  organisation: [CreateOrganisationCommand, ListOrganisationsCommand],
});
