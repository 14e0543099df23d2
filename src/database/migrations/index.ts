import { Organisations1763700000000 } from './1763700000000-organisations.js';
import { ImportSuppliers1763700100000 } from './1763700100000-import-suppliers.js';
import { AccountImports1763700200000 } from './1763700200000-account-imports.js';
import { Notes1763700300000 } from './1763700300000-notes.js';
import { Catalogues1763700400000 } from './1763700400000-catalogues.js';
import { Statements1763700500000 } from './1763700500000-statements.js';
import { NoteDocumentsSeen1763700550000 } from './1763700550000-note-documents-seen.js';
import { PaymentInstructions1763700600000 } from './1763700600000-payment-instructions.js';
import { Transactions1763700700000 } from './1763700700000-transactions.js';
import { ImportedAccountAtOnce1763700800000 } from './1763700800000-imported-account-at-once.js';
import { TransactionsWithoutLooking1763700900000 } from './1763700900000-transactions-without-looking.js';
import { HashesInPlpgsql1763701000000 } from './1763701000000-hashes-in-plpgsql.js';
import { NoteDocumentsOneByOne1763701100000 } from './1763701100000-note-documents-one-by-one.js';
import { ImportedAccountsInOrder1763701200000 } from './1763701200000-imported-accounts-in-order.js';

/** All migrations, oldest first. */
export const MIGRATIONS = [
  Organisations1763700000000,
  ImportSuppliers1763700100000,
  AccountImports1763700200000,
  Notes1763700300000,
  Catalogues1763700400000,
  Statements1763700500000,
  NoteDocumentsSeen1763700550000,
  PaymentInstructions1763700600000,
  Transactions1763700700000,
  ImportedAccountAtOnce1763700800000,
  TransactionsWithoutLooking1763700900000,
  HashesInPlpgsql1763701000000,
  NoteDocumentsOneByOne1763701100000,
  ImportedAccountsInOrder1763701200000,
];
