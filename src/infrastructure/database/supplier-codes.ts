import { CommandError } from '../errors/command-error.js';
import { didYouMean } from '../text/near-matches.js';
import { shellWord } from '../text/shell-word.js';
import { query, run } from './query.js';
import type { Tx } from './unit-of-work.js';

/** By queries of their own, because modules below that of the suppliers know them by their codes too. */
const FIND_ID = query<{ id: number }>(
  'import_suppliers.find_id',
  `SELECT s.id FROM import_supplier s WHERE s.code = :code`,
);

const CODES = query<{ code: string }>('import_suppliers.codes', `SELECT s.code FROM import_supplier s`);

/** @returns nothing when there is no supplier with the code */
export async function findSupplierId(tx: Tx, code: string): Promise<number | undefined> {
  return (await run(tx, FIND_ID, { code }))[0]?.id;
}

/**
 * The id of the supplier that an operator names.
 *
 * @throws CommandError `supplier_not_found`
 */
export async function namedSupplierId(tx: Tx, code: string): Promise<number> {
  const id = await findSupplierId(tx, code);
  if (id === undefined) throw await supplierNotFound(tx, code);
  return id;
}

/** For a command that names a supplier that is not there: with the codes that may have been meant. */
export async function supplierNotFound(tx: Tx, code: string): Promise<CommandError> {
  const hint = didYouMean(
    code,
    (await run(tx, CODES, {})).map((supplier) => supplier.code),
    shellWord,
  );
  return new CommandError('supplier_not_found', `There is no import supplier with the code ${code}.${hint}`);
}
