// The public exports for suppliers' programs.
export { DataImportClient } from './client.js';
export { jsonText, type JsonText } from './body.js';
export type { Clock } from './clock.js';
export {
  ApiKeyRefusedError,
  AuthenticationError,
  ConnectionError,
  DataImportError,
  InvalidInputError,
  NotFoundError,
  ServiceError,
  TimeoutError,
  TransactionImportError,
  ValidationError,
  type LocalErrorCode,
} from './errors.js';
export type {
  CallOptions,
  ClientOptions,
  ContentOptions,
  CreateOptions,
  CreateTransactionsOptions,
  ListContentsOptions,
  ListOptions,
} from './options.js';
export type {
  ExactNumber,
  HistoricalStatementInput,
  HistoricalStatementsInput,
  NoteInput,
  NotesInput,
  PaymentInstructionInput,
  TransactionInput,
  TransactionsInput,
  Viewer,
} from './payloads.js';
export type { RetryEvent, RetryOptions, RetryReason } from './retry.js';
export type { ApiKey } from './tokens.js';
export type {
  AccountContent,
  AccountImportProcess,
  AccountImportStatus,
  CreateHistoricalStatements,
  ErrorCode,
  FieldError,
  FieldErrorCode,
  ImportedAccountImportProcess,
  NoteResult,
  PaymentInstructionResult,
  RefusedTransactionData,
  TransactionData,
  TransactionResult,
  TransactionType,
} from './contract.generated.js';
