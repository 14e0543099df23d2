import { Organisations1763700000000 } from './1763700000000-organisations.js';
import { ImportSuppliers1763700100000 } from './1763700100000-import-suppliers.js';
import { AccountImports1763700200000 } from './1763700200000-account-imports.js';
import { Notes1763700300000 } from './1763700300000-notes.js';
import { Statements1763700500000 } from './1763700500000-statements.js';
import { NoteDocumentsSeen1763700600000 } from './1763700600000-note-documents-seen.js';

/** All migrations, oldest first. */
export const MIGRATIONS = [
  Organisations1763700000000,
  ImportSuppliers1763700100000,
  AccountImports1763700200000,
  Notes1763700300000,
  Statements1763700500000,
  NoteDocumentsSeen1763700600000,
];
