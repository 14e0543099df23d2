import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import type { CommandResult } from '../infrastructure/commands/command-line.js';
import { listed } from '../infrastructure/commands/listing.js';
import { moduleCommands, OperatorCommand } from '../infrastructure/commands/operator-command.js';
import { isName, NAME_RULE } from '../infrastructure/text/names.js';
import { OrganisationsService } from './organisations.service.js';
import { OrganisationsModule } from './organisations.module.js';

const NEW_NAME = '1 to 128 characters, without spaces at the ends';

@SubCommand({
  name: 'create',
  description: 'create an organisation',
  arguments: '<name>',
  argsDescription: { name: NEW_NAME },
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
    return listed(await this.organisations.list(), {
      json: (organisation) => organisation,
      head: ['Name', 'Id'],
      row: ({ id, name }) => [name, id],
      none: 'There is no organisation yet.',
    });
  }
}

@SubCommand({
  name: 'rename',
  description: 'give an organisation another name; its keys, grants and sessions stay',
  arguments: '<organisation> <name>',
  argsDescription: { organisation: 'name or id', name: NEW_NAME },
})
export class RenameOrganisationCommand extends OperatorCommand<[organisation: string, name: string]> {
  @Inject(OrganisationsService) private readonly organisations: OrganisationsService;

  protected async execute([nameOrId, name]: [string, string]): Promise<CommandResult> {
    if (!isName(name)) this.refuseArgument('name', name, NAME_RULE);
    const renamed = await this.organisations.rename(nameOrId, name, this.context.operator);
    return { json: renamed, text: `The organisation ${renamed.id} is named ${name}.` };
  }
}

/** `organisation …` (choices, section 6). */
export const COMMANDS = moduleCommands([OrganisationsModule], {
  organisation: [CreateOrganisationCommand, ListOrganisationsCommand, RenameOrganisationCommand],
});
