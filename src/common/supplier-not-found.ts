import { CommandError } from './command-error.js';

/** For a command that names an import supplier that is not there. */
export function supplierNotFound(code: string): CommandError {
  return new CommandError('supplier_not_found', `There is no import supplier with the code ${code}.`);
}
