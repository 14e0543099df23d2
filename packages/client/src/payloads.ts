import type { JsonText } from './body.js';
import type {
  CreateHistoricalStatements,
  CreateNotes,
  CreatePaymentInstruction,
  CreateTransactions,
  HistoricalStatement,
  Note,
  Transaction,
} from './contract.generated.js';

/** A number, or its decimal text such as `'12.50'`, which is sent unchanged as a JSON number. */
export type ExactNumber = number | string;

/** A contract type whose numbers may be given as text. */
type WithExactNumbers<T> = T extends number
  ? ExactNumber
  : T extends readonly (infer Element)[]
    ? readonly WithExactNumbers<Element>[]
    : T extends object
      ? { readonly [Name in keyof T]: WithExactNumbers<T[Name]> }
      : T;

/** A contract body whose items may be given as JSON text. */
type WithItems<Body, List extends keyof Body, Item> = Omit<Body, List> &
  Readonly<Record<List, readonly (Item | JsonText)[]>>;

export type NoteInput = Note;
export type TransactionInput = WithExactNumbers<Transaction>;
export type HistoricalStatementInput = WithExactNumbers<HistoricalStatement>;

export type NotesInput = WithItems<CreateNotes, 'notes', NoteInput>;
export type TransactionsInput = WithItems<CreateTransactions, 'transactions', TransactionInput>;
export type HistoricalStatementsInput = WithItems<
  CreateHistoricalStatements,
  'statements',
  HistoricalStatementInput
>;
export type PaymentInstructionInput = CreatePaymentInstruction;

/** The organisation that owns the API key, and its suppliers. */
export interface Viewer {
  readonly organisation: { readonly id: string; readonly name: string };
  readonly importSuppliers: readonly {
    readonly code: string;
    readonly name: string;
    /** `ongoing`, `paused` or `complete`. */
    readonly status: string;
  }[];
}
