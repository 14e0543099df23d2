import { Organisations1763700000000 } from './1763700000000-organisations.js';
import { ImportSuppliers1763700100000 } from './1763700100000-import-suppliers.js';
import { AccountImports1763700200000 } from './1763700200000-account-imports.js';
import { Notes1763700300000 } from './1763700300000-notes.js';
import { Catalogues1763700400000 } from './1763700400000-catalogues.js';
import { Statements1763700500000 } from './1763700500000-statements.js';
import { NoteDocumentsSeen1763700550000 } from './1763700550000-note-documents-seen.js';
import { PaymentInstructions1763700600000 } from './1763700600000-payment-instructions.js';
import { Transactions1763700700000 } from './1763700700000-transactions.js';

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
];
