/** A difference that `verify` names (choice V9). */
export interface Difference {
  readonly external_account_number: string;
  readonly kind: string;
  readonly key: string;
  readonly file?: string | null;
  readonly line?: number | null;
  readonly problem: 'missing' | 'unexpected' | 'different';
  readonly fields?: readonly string[];
}

/** A change in the database that no request has made. */
export interface Damage {
  readonly what: string;
  /** SQL statements, each on its own. */
  readonly change: readonly string[];
  /** SQL statements after which everything is as it was before. */
  readonly repair: readonly string[];
  readonly expected: readonly Difference[];
}

/** The first account of a sample; the others follow. */
const FIRST_ACCOUNT = 10_000_001;
const account = (index: number): string => String(FIRST_ACCOUNT + index);
const transactionId = (index: number, bill: number, what: 'C' | 'P'): string =>
  `T-${account(index)}-${bill}-${what}`;

const SUPPLIER_ID = `(SELECT id FROM import_supplier WHERE code = 'PROOF')`;
const ofAccount = (index: number): string =>
  `import_supplier_id = ${SUPPLIER_ID} AND external_account_number = '${account(index)}'`;
const theTransaction = (index: number, bill: number, what: 'C' | 'P'): string =>
  `${ofAccount(index)} AND transaction_id = '${transactionId(index, bill, what)}'`;
const firstNote = (index: number): string => `${ofAccount(index)} AND body ILIKE 'meter reading%'`;

const setOf = (set: string, where: string, table = 'transaction'): string =>
  `UPDATE ${table} SET ${set} WHERE ${where}`;
const moveTo = (index: number, id: string): string =>
  setOf(
    `external_account_number = '${account(index)}'`,
    `import_supplier_id = ${SUPPLIER_ID} AND transaction_id = '${id}'`,
  );

const transaction = (
  index: number,
  key: string,
  problem: Difference['problem'],
  ...fields: string[]
): Difference => ({
  external_account_number: account(index),
  kind: 'transactions',
  key,
  problem,
  fields,
});

/** The sentence of the sample's first note, without the number that it names. */
function note(index: number, body: string, problem: Difference['problem'], ...fields: string[]): Difference {
  return { external_account_number: account(index), kind: 'notes', key: body, problem, fields };
}

/** Keys of notes are the beginnings of their bodies, which have a random number; they are compared up to it. */
export const NOTE_KEY_LENGTH = 'Meter reading '.length;

export const DAMAGES: readonly Damage[] = [
  {
    what: 'an amount changed by a penny',
    change: [setOf('amount = amount + 0.01', theTransaction(0, 1, 'P'))],
    repair: [setOf('amount = amount - 0.01', theTransaction(0, 1, 'P'))],
    expected: [transaction(0, transactionId(0, 1, 'P'), 'different', 'amount')],
  },
  {
    what: 'a tax rate changed in the tenth decimal',
    change: [
      setOf(`tax_items = jsonb_set(tax_items, '{0,rate}', '0.0500000001')`, theTransaction(1, 1, 'C')),
    ],
    repair: [setOf(`tax_items = jsonb_set(tax_items, '{0,rate}', '0.05')`, theTransaction(1, 1, 'C'))],
    expected: [transaction(1, transactionId(1, 1, 'C'), 'different', 'tax_items.0.rate')],
  },
  {
    what: 'a note pinned',
    change: [setOf('is_pinned = NOT is_pinned', firstNote(2), 'note')],
    repair: [setOf('is_pinned = NOT is_pinned', firstNote(2), 'note')],
    expected: [note(2, 'Meter reading ', 'different', 'is_pinned')],
  },
  {
    what: 'one character of a note changed',
    change: [setOf(`body = 'm' || substr(body, 2)`, firstNote(3), 'note')],
    repair: [setOf(`body = 'M' || substr(body, 2)`, firstNote(3), 'note')],
    expected: [note(3, 'Meter reading ', 'missing'), note(3, 'meter reading ', 'unexpected')],
  },
  {
    what: 'a transaction deleted',
    change: [
      `CREATE TABLE kept AS SELECT * FROM transaction WHERE ${theTransaction(4, 2, 'P')}`,
      `DELETE FROM transaction WHERE ${theTransaction(4, 2, 'P')}`,
    ],
    repair: ['INSERT INTO transaction SELECT * FROM kept', 'DROP TABLE kept'],
    expected: [transaction(4, transactionId(4, 2, 'P'), 'missing')],
  },
  {
    what: 'a transaction added',
    change: [
      `INSERT INTO transaction
       SELECT (jsonb_populate_record(t, '{"transaction_id":"T-ADDED"}')).* FROM transaction t WHERE ${theTransaction(5, 3, 'P')}`,
    ],
    repair: [`DELETE FROM transaction WHERE ${ofAccount(5)} AND transaction_id = 'T-ADDED'`],
    expected: [transaction(5, 'T-ADDED', 'unexpected')],
  },
  {
    what: 'rows of two accounts swapped',
    change: [moveTo(7, transactionId(6, 4, 'P')), moveTo(6, transactionId(7, 4, 'P'))],
    repair: [moveTo(6, transactionId(6, 4, 'P')), moveTo(7, transactionId(7, 4, 'P'))],
    expected: [
      transaction(6, transactionId(6, 4, 'P'), 'missing'),
      transaction(6, transactionId(7, 4, 'P'), 'unexpected'),
      transaction(7, transactionId(7, 4, 'P'), 'missing'),
      transaction(7, transactionId(6, 4, 'P'), 'unexpected'),
    ],
  },
];
