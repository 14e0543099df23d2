import { dataOf, resultOf } from './answers.js';
import { SHAPES, serialise, type JsonText } from './body.js';
import { Caller } from './caller.js';
import type {
  AccountImportProcess,
  AccountImportStatus,
  CreateHistoricalStatements,
  ImportedAccountImportProcess,
  NoteResult,
  PaymentInstructionResult,
  TransactionResult,
  TransactionResults,
} from './contract.js';
import { InvalidInputError } from './errors.js';
import { readList } from './lists.js';
import type {
  CallOptions,
  ClientOptions,
  CreateOptions,
  CreateTransactionsOptions,
  ListOptions,
} from './options.js';
import type {
  HistoricalStatementsInput,
  NotesInput,
  PaymentInstructionInput,
  TransactionsInput,
  Viewer,
} from './payloads.js';

const BASE = '/v1/data-import/';
const VIEWER = '{ viewer { organisation { id name } importSuppliers { code name status } } }';

/**
 * The service, for an import supplier's programs. One client is enough for a program: it keeps connections open and renews
 * its token by itself.
 *
 * Every method throws a `DataImportError`, or the reason of its signal. A call that may succeed later is repeated (see
 * `retry`): that is safe, because the service recognises what it has stored.
 */
export class DataImportClient {
  readonly #caller: Caller;

  /** @throws TypeError for options that cannot be */
  constructor(options: ClientOptions) {
    this.#caller = new Caller(options);
  }

  /** Add notes to an account. @returns one result for each note, in their order */
  async createNotes(
    payload: NotesInput | JsonText,
    options: CreateOptions = {},
  ): Promise<readonly NoteResult[]> {
    const body = serialise(payload, SHAPES.CreateNotes);
    return (await this.#create('notes/create/', body, options)) as NoteResult[];
  }

  /**
   * Add transactions to an account.
   *
   * @returns one result for each transaction, in their order
   * @throws TransactionImportError with `forceAddToCurrentStatement: false`
   */
  async createTransactions(
    payload: TransactionsInput | JsonText,
    options: CreateTransactionsOptions = {},
  ): Promise<readonly TransactionResult[]> {
    const body = serialise(payload, SHAPES.CreateTransactions);
    const answer = await this.#create('transactions/create/', body, options);
    return (answer as TransactionResults).results;
  }

  /** Add historical statements to an account. @returns what was sent */
  async createHistoricalStatements(
    payload: HistoricalStatementsInput | JsonText,
    options: CreateOptions = {},
  ): Promise<CreateHistoricalStatements> {
    const body = serialise(payload, SHAPES.CreateHistoricalStatements);
    return (await this.#create('historical-statements/create/', body, options)) as CreateHistoricalStatements;
  }

  /** Attach a payment instruction to an account. The payment vendor is asked about it, in a dry run too. */
  async createPaymentInstruction(
    payload: PaymentInstructionInput | JsonText,
    options: CreateOptions = {},
  ): Promise<PaymentInstructionResult> {
    const body = serialise(payload, SHAPES.CreatePaymentInstruction);
    return (await this.#create('payment-instruction/create/', body, options)) as PaymentInstructionResult;
  }

  /** How far the import of one account has come. @throws NotFoundError for one that was never staged */
  async getAccountTransferStatus(
    importSupplier: string,
    externalAccountNumber: string,
    options: CallOptions = {},
  ): Promise<AccountImportStatus> {
    const account = `${segment(importSupplier, 'importSupplier')}${segment(externalAccountNumber, 'externalAccountNumber')}`;
    const path = `${BASE}account-transfer-status/${account}`;
    const answer = await this.#caller.send({ method: 'GET', path, isRepeatable: true }, options, (got) =>
      resultOf(got, true),
    );
    return answer as AccountImportStatus;
  }

  /** All accounts of a supplier, by account number. Streams a list of any length; one that breaks off is continued. */
  listAllAccountImportProcesses(
    importSupplier: string,
    options: ListOptions = {},
  ): AsyncIterable<AccountImportProcess> {
    return this.#list('all', importSupplier, options);
  }

  /** As {@link listAllAccountImportProcesses}, only accounts that are not imported yet. */
  listPendingAccountImportProcesses(
    importSupplier: string,
    options: ListOptions = {},
  ): AsyncIterable<AccountImportProcess> {
    return this.#list('pending', importSupplier, options);
  }

  /** As {@link listAllAccountImportProcesses}, only accounts that are imported. */
  listImportedAccountImportProcesses(
    importSupplier: string,
    options: ListOptions = {},
  ): AsyncIterable<ImportedAccountImportProcess> {
    return this.#list('imported', importSupplier, options);
  }

  /** Who the API key belongs to, and which suppliers it may use. */
  async viewer(options: CallOptions = {}): Promise<Viewer> {
    const body = JSON.stringify({ query: VIEWER });
    const call = { method: 'POST', path: '/v1/graphql/', body, isRepeatable: true } as const;
    const data = await this.#caller.send(call, options, dataOf);
    return (data as { viewer: Viewer }).viewer;
  }

  /** Close all connections. Calls that are under way fail. Without it the process ends too, once no call is under way. */
  close(): void {
    this.#caller.close();
  }

  #create(path: string, body: string, options: CreateTransactionsOptions): Promise<unknown> {
    const { dryRun, checkPreviouslyAdded, forceAddToCurrentStatement } = options;
    const query = queryOf({
      dry_run: dryRun,
      check_previously_added: checkPreviouslyAdded,
      force_add_to_current_statement: forceAddToCurrentStatement,
    });
    // Sent again it would add the transactions again.
    const isRepeatable = checkPreviouslyAdded !== false || dryRun === true;
    return this.#caller.send(
      { method: 'POST', path: BASE + path + query, body, isRepeatable },
      options,
      (answer) => resultOf(answer, isRepeatable),
    );
  }

  #list<Account extends AccountImportProcess>(
    which: string,
    importSupplier: string,
    options: ListOptions,
  ): AsyncIterable<Account> {
    const path = `${BASE}${which}-account-import-processes/${segment(importSupplier, 'importSupplier')}`;
    return { [Symbol.asyncIterator]: () => readList<Account>(this.#caller, path, options) };
  }
}

/** A segment of a path, with the slash after it. */
function segment(value: string, attr: string): string {
  if (value === '') throw new InvalidInputError(attr, 'it is empty');
  if (!value.isWellFormed()) throw new InvalidInputError(attr, 'it is not Unicode text');
  return `${encodeURIComponent(value)}/`;
}

function queryOf(parameters: Readonly<Record<string, boolean | undefined>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return given.length === 0 ? '' : `?${given.map(([name, value]) => `${name}=${String(value)}`).join('&')}`;
}
