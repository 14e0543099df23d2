import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { allowedChoices, type CommandResult } from '../../infrastructure/commands/command-line.js';
import { moduleCommands, OperatorCommand } from '../../infrastructure/commands/operator-command.js';
import { identifier } from '../../infrastructure/validation/rules/text.js';
import { CATALOGUE_FIELDS, type CatalogueField } from './catalogue-value.entity.js';
import { CataloguesService } from './catalogues.service.js';
import { CataloguesModule } from './catalogues.module.js';

const FIELD = `one of ${CATALOGUE_FIELDS.join(', ')}`;

@SubCommand({
  name: 'list',
  description: 'list the allowed values of one field, or of all',
  arguments: '[field]',
  argsDescription: { field: FIELD },
})
export class ListCatalogueCommand extends OperatorCommand<string[]> {
  @Inject(CataloguesService) private readonly catalogues: CataloguesService;

  protected async execute([field]: string[]): Promise<CommandResult> {
    if (field !== undefined && !isField(field)) {
      this.refuseArgument('field', field, allowedChoices(CATALOGUE_FIELDS));
    }
    const values = await this.catalogues.list(field);
    return { json: values, text: values.map((one) => `${one.field}  ${one.value}`).join('\n') };
  }
}

@SubCommand({
  name: 'add',
  description: 'allow one more value; every instance allows it within five seconds',
  arguments: '<field> <value>',
  argsDescription: { field: FIELD, value: '1 to 128 characters' },
})
export class AddCatalogueValueCommand extends OperatorCommand<[field: string, value: string]> {
  @Inject(CataloguesService) private readonly catalogues: CataloguesService;

  protected async execute([field, value]: [string, string]): Promise<CommandResult> {
    if (!isField(field)) this.refuseArgument('field', field, allowedChoices(CATALOGUE_FIELDS));
    // A catalogue must not contain a value that no payload can hold.
    if (identifier.violation(value)) {
      this.refuseArgument('value', value, 'A value has 1 to 128 characters.');
    }
    const { isNew, ...added } = await this.catalogues.add(field, value, this.context.operator);
    return { json: added, text: `${value} ${isNew ? 'is now' : 'was already'} allowed for ${field}.` };
  }
}

/** `catalogue …` (choices, section 6). */
export const COMMANDS = moduleCommands([CataloguesModule], {
  catalogue: [ListCatalogueCommand, AddCatalogueValueCommand],
});

function isField(name: string): name is CatalogueField {
  return CATALOGUE_FIELDS.some((field) => field === name);
}
