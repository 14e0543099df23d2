import { Argument, InvalidArgumentError } from 'commander';
import type { RegisterCommands } from '../common/operator-command.js';
import { identifier, NO_CONTEXT } from '../common/validation/rules.js';
import { CATALOGUE_FIELDS } from './catalogue-value.entity.js';
import { CataloguesService } from './catalogues.service.js';

/** `catalogue list` and `catalogue add` (contract, section 6). */
export const registerCatalogueCommands: RegisterCommands = (program, action) => {
  const catalogue = program.command('catalogue').description('allowed values of fields');

  catalogue
    .command('list')
    .description('list the allowed values of one field, or of all')
    .addArgument(new Argument('[field]').choices(CATALOGUE_FIELDS))
    .action(
      action(async (session, field?: string) => {
        const catalogues = (await session.services()).get(CataloguesService, { strict: false });
        const values = await catalogues.list(field);
        return { json: values, text: values.map((one) => `${one.field}  ${one.value}`).join('\n') };
      }),
    );

  catalogue
    .command('add')
    .description('allow one more value; every instance knows it within five seconds')
    .addArgument(new Argument('<field>').choices(CATALOGUE_FIELDS))
    .argument('<value>', '1 to 128 characters', valueArgument)
    .action(
      action(async (session, field: string, value: string) => {
        const catalogues = (await session.services()).get(CataloguesService, { strict: false });
        const { isNew, ...added } = await catalogues.add(field, value);
        return { json: added, text: `${value} ${isNew ? 'is now' : 'was already'} allowed for ${field}.` };
      }),
    );
};

/** What no payload could hold is no value of a catalogue. */
function valueArgument(text: string): string {
  if (identifier.violation(text, NO_CONTEXT)) {
    throw new InvalidArgumentError('A value has 1 to 128 characters.');
  }
  return text;
}
