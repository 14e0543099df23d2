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

/** A number, or its decimal text, such as `'12.50'`, which is sent as a number exactly as it is written. */
export type ExactNumber = number | string;

/** A type of the contract whose numbers may be given as text. */
type WithExactNumbers<T> = T extends number
  ? ExactNumber
  : T extends readonly (infer Element)[]
    ? readonly WithExactNumbers<Element>[]
    : T extends object
      ? { readonly [Name in keyof T]: WithExactNumbers<T[Name]> }
      : T;

/** A body of the contract whose items may be given as JSON. */
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

/** Who the API key belongs to. */
export interface Viewer {
  readonly organisation: { readonly id: string; readonly name: string };
  readonly importSuppliers: readonly {
    readonly code: string;
    readonly name: string;
    /** `ongoing`, `paused` or `complete`. */
    readonly status: string;
  }[];
}
