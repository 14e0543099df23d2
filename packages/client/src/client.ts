import { queryOf, segment } from './address.js';
import { dataOf, resultOf } from './answers.js';
import { serialise, type JsonText, type Shape } from './body.js';
import { Caller } from './caller.js';
import { checkOptions, OPTIONS } from './check-options.js';
import {
  REQUESTS,
  type AccountContent,
  type AccountImportProcess,
  type AccountImportStatus,
  type CreateHistoricalStatements,
  type ImportedAccountImportProcess,
  type NoteResult,
  type PaymentInstructionResult,
  type TransactionResult,
  type TransactionResults,
} from './contract.generated.js';
import { InvalidInputError } from './errors.js';
import { readList, type ListAddress, type Numbered } from './lists.js';
import type {
  CallOptions,
  ContentOptions,
  ClientOptions,
  CreateOptions,
  CreateTransactionsOptions,
  ListContentsOptions,
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
/** Maximum size of an account in a list: enough for the digests of 950,000 rows. */
const CONTENT_BYTES_MAX = 67_108_864;
const VIEWER = '{ viewer { organisation { id name } importSuppliers { code name status } } }';

/**
 * The client for an import supplier's programs. A program needs only one: it keeps connections open and renews its token
 * automatically.
 *
 * Every method throws a `DataImportError`, or the reason of its signal. A call that may succeed later is retried (see `retry`).
 * That is safe, because the service recognises items that it has already stored.
 */
export class DataImportClient {
  readonly #caller: Caller;

  /** @throws InvalidInputError for invalid options */
  constructor(options: ClientOptions) {
    this.#caller = new Caller(options);
  }

  /** Version of the service, such as `1.4.0`; undefined before its first answer. */
  get serviceVersion(): string | undefined {
    return this.#caller.serviceVersion;
  }

  /** Add notes to an account. @returns one result for each note, in order */
  async createNotes(
    payload: NotesInput | JsonText,
    options: CreateOptions = {},
  ): Promise<readonly NoteResult[]> {
    return (await this.#create('createNotes', payload, options)) as NoteResult[];
  }

  /**
   * Add transactions to an account.
   *
   * @returns one result for each transaction, in order
   * @throws TransactionImportError with `forceAddToCurrentStatement: false`
   */
  async createTransactions(
    payload: TransactionsInput | JsonText,
    options: CreateTransactionsOptions = {},
  ): Promise<readonly TransactionResult[]> {
    return ((await this.#create('createTransactions', payload, options)) as TransactionResults).results;
  }

  /** Add historical statements to an account. @returns the statements as sent */
  async createHistoricalStatements(
    payload: HistoricalStatementsInput | JsonText,
    options: CreateOptions = {},
  ): Promise<CreateHistoricalStatements> {
    return (await this.#create('createHistoricalStatements', payload, options)) as CreateHistoricalStatements;
  }

  /** Attach a payment instruction to an account. The service verifies it with the payment vendor, even in a dry run. */
  async createPaymentInstruction(
    payload: PaymentInstructionInput | JsonText,
    options: CreateOptions = {},
  ): Promise<PaymentInstructionResult> {
    return (await this.#create('createPaymentInstruction', payload, options)) as PaymentInstructionResult;
  }

  /** The import status of one account. @throws NotFoundError for an account that was never staged */
  async getAccountTransferStatus(
    importSupplier: string,
    externalAccountNumber: string,
    options: CallOptions = {},
  ): Promise<AccountImportStatus> {
    checkOptions(options, OPTIONS.call);
    const path = `account-transfer-status/${accountPath(importSupplier, externalAccountNumber)}`;
    return (await this.#get(path, options)) as AccountImportStatus;
  }

  /** The content of one account at one point in time, as digests. @throws NotFoundError for an account that is not imported */
  async getAccountContent(
    importSupplier: string,
    externalAccountNumber: string,
    options: ContentOptions = {},
  ): Promise<AccountContent> {
    checkOptions(options, OPTIONS.content);
    const path = `account-content/${accountPath(importSupplier, externalAccountNumber)}`;
    const query = queryOf({ rows: options.rows, row_digests: options.rowDigests });
    return (await this.#get(path + query, options)) as AccountContent;
  }

  /**
   * The content of each imported account of a supplier, by account number. Streams a list of any length, and resumes it if the
   * answer breaks off. Each account is from one point in time; the list as a whole is not.
   */
  listAccountContents(
    importSupplier: string,
    options: ListContentsOptions = {},
  ): AsyncIterable<AccountContent> {
    checkOptions(options, OPTIONS.listContents);
    const { rowDigests, ...pages } = options;
    return this.#list('account-contents', importSupplier, pages, {
      parameters: { row_digests: rowDigests },
      accountBytesMax: CONTENT_BYTES_MAX,
    });
  }

  /** All accounts of a supplier, by account number. Streams a list of any length, and resumes it if the answer breaks off. */
  listAllAccountImportProcesses(
    importSupplier: string,
    options: ListOptions = {},
  ): AsyncIterable<AccountImportProcess> {
    return this.#list('all-account-import-processes', importSupplier, options);
  }

  /** Like {@link listAllAccountImportProcesses}, but only accounts that are not imported yet. */
  listPendingAccountImportProcesses(
    importSupplier: string,
    options: ListOptions = {},
  ): AsyncIterable<AccountImportProcess> {
    return this.#list('pending-account-import-processes', importSupplier, options);
  }

  /** Like {@link listAllAccountImportProcesses}, but only imported accounts. */
  listImportedAccountImportProcesses(
    importSupplier: string,
    options: ListOptions = {},
  ): AsyncIterable<ImportedAccountImportProcess> {
    return this.#list('imported-account-import-processes', importSupplier, options);
  }

  /** The organisation that owns the API key, and the suppliers that it may use. */
  async viewer(options: CallOptions = {}): Promise<Viewer> {
    checkOptions(options, OPTIONS.call);
    const body = JSON.stringify({ query: VIEWER });
    const call = { method: 'POST', path: '/v1/graphql/', body, isRepeatable: true } as const;
    const data = await this.#caller.send(call, options, dataOf);
    return (data as { viewer: Viewer }).viewer;
  }

  /** Close all connections. Calls in progress fail. Closing is optional: open connections do not keep the process alive. */
  close(): void {
    this.#caller.close();
  }

  async #create(
    operation: keyof typeof REQUESTS,
    payload: unknown,
    options: CreateTransactionsOptions,
  ): Promise<unknown> {
    checkOptions(options, operation === 'createTransactions' ? OPTIONS.createTransactions : OPTIONS.create);
    const { path, shape } = REQUESTS[operation];
    const body = bodyOf(payload, shape);
    const { dryRun, checkPreviouslyAdded, forceAddToCurrentStatement } = options;
    const query = queryOf({
      dry_run: dryRun,
      check_previously_added: checkPreviouslyAdded,
      force_add_to_current_statement: forceAddToCurrentStatement,
    });
    // Without the check, a retry would add the transactions again.
    const isRepeatable = checkPreviouslyAdded !== false || dryRun === true;
    return this.#caller.send({ method: 'POST', path: path + query, body, isRepeatable }, options, (answer) =>
      resultOf(answer, isRepeatable),
    );
  }

  #get(path: string, options: CallOptions): Promise<unknown> {
    const call = { method: 'GET', path: BASE + path, isRepeatable: true } as const;
    return this.#caller.send(call, options, (answer) => resultOf(answer, true));
  }

  #list<Account extends Numbered>(
    list: string,
    importSupplier: string,
    options: ListOptions,
    more: Omit<ListAddress, 'path'> = {},
  ): AsyncIterable<Account> {
    checkOptions(options, OPTIONS.list);
    const path = `${BASE}${list}/${segment(importSupplier, 'importSupplier')}`;
    return { [Symbol.asyncIterator]: () => readList<Account>(this.#caller, { path, ...more }, options) };
  }
}

/** @throws InvalidInputError also for values that JSON cannot represent: a BigInt, a circular object */
function bodyOf(payload: unknown, shape: Shape): string {
  try {
    return serialise(payload, shape);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new InvalidInputError('payload', 'it has something that JSON cannot have');
  }
}

function accountPath(importSupplier: string, externalAccountNumber: string): string {
  return segment(importSupplier, 'importSupplier') + segment(externalAccountNumber, 'externalAccountNumber');
}
