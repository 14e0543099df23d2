import type { ErrorCode, FieldErrorCode } from './errors.js';

/** The response codes of an import request that was rejected as a whole, or because of an element of `errors`. */
type RefusalAnswerCode = Extract<
  ErrorCode,
  'validation_error' | 'transaction_import_error' | 'parse_error' | 'not_found' | 'account_not_found'
>;

/**
 * Advice for the sender of a rejected import request, by the code of its first field error, or else of the response. The tables
 * of docs/errors.md have the same sentences.
 *
 * Source: choice C9.
 */
export const REMEDIES: Readonly<Record<FieldErrorCode | RefusalAnswerCode, string>> = {
  required: 'Send the field with every item.',
  null: 'Omit the field instead of sending null.',
  blank: 'Send a text that is not empty.',
  invalid: 'Send the type and the format that the API reference describes for the field.',
  invalid_choice:
    'Send one of the allowed values. An operator can add values to a catalogue, but not to `type` of a transaction or `unit_type`.',
  max_length: 'Send a shorter text, or fewer items in a request.',
  min_length: 'Send at least one item.',
  max_digits: 'Send the number with fewer digits.',
  max_decimal_places: 'Round the number before it is sent.',
  min_value: 'Send a larger number.',
  max_value: 'Send a smaller number.',
  unexpected_field: 'Correct the name of the field, or omit it.',
  invalid_cursor: 'Send the cursor of the last answer for this import supplier, or none for everything.',
  too_many_readers:
    'Read under a name that is known, or without one, or ask the operator to forget a reader.',
  too_many_errors: 'Correct the listed errors first.',
  import_supplier_migration_not_ongoing:
    'Wait until the operator sets the import supplier to ongoing, then send the request again.',
  note_body_or_document_path_not_found: 'Send a body or a document path with each note.',
  note_unpin_at_earlier_than_creation_date: 'Correct `unpin_at` or `created_at`.',
  start_date_later_than_end_date: 'Correct the first or the last day of the period.',
  duplicate_transaction_ids: 'Send each `transaction_id` once in a request.',
  outside_open_statement_period:
    'Correct the date, or send `force_add_to_current_statement=true`. An operator can change the period of an account.',
  invalid_document_path: 'Send the path relative to the document root, without `..` and special characters.',
  path_does_not_exist_in_file_store: 'Upload the document, then send the request again.',
  duplicate_statement_ids: 'Send each `statement_id` once in a request.',
  historical_statement_already_exists:
    'Send the statement as it was sent before, or a new one with an id of its own.',
  payment_instruction_already_exists: 'Send the type that the instruction already has.',
  payment_instruction_not_found: 'Correct the reference, or create the instruction at the payment vendor.',
  payment_vendor_rejected: 'Compare the reference and the type with what the payment vendor has.',
  payment_vendor_not_configured: 'Ask the operator to configure this payment vendor.',
  validation_error: 'Correct what `errors` lists.',
  transaction_import_error: 'Correct the transaction that `errors` names.',
  parse_error: 'Send a complete body that is JSON in UTF-8.',
  not_found: 'Correct the address or the code of the import supplier.',
  account_not_found: 'Correct the account number, or wait until the account is imported.',
};
