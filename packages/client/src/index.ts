// What a program imports from this package.
export type {
  AccountImportProcess,
  AccountImportStatus,
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
} from './contract.js';
