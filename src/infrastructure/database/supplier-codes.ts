import { CommandError } from '../errors/command-error.js';
import { didYouMean } from '../text/near-matches.js';
import { shellWord } from '../text/shell-word.js';
import { query, run } from './query.js';
import type { Tx } from './unit-of-work.js';

/** Hand-written, because modules below the one of the suppliers also look up suppliers by code. */
const FIND_ID = query<{ id: number }>(
  'import_suppliers.find_id',
  `SELECT s.id FROM import_supplier s WHERE s.code = :code`,
);

const CODES = query<{ code: string }>('import_suppliers.codes', `SELECT s.code FROM import_supplier s`);

/** @returns undefined if no supplier has the code */
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

/** The error for a command whose supplier does not exist, with the codes that may have been meant. */
export async function supplierNotFound(tx: Tx, code: string): Promise<CommandError> {
  const hint = didYouMean(
    code,
    (await run(tx, CODES, {})).map((supplier) => supplier.code),
    shellWord,
  );
  return new CommandError('supplier_not_found', `There is no import supplier with the code ${code}.${hint}`);
}
