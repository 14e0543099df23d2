// Generated from contract/openapi.json by npm run contract.
export interface paths {
    readonly "/v1/data-import/account-transfer-status/{import_supplier}/{external_account_number}/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Status of one account import
         * @description The import status of one account. 404 when the account was never staged, or the import supplier is not granted to you. The status of the import supplier makes no difference.
         */
        readonly get: operations["getAccountTransferStatus"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/data-import/all-account-import-processes/{import_supplier}/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * All account imports of a supplier
         * @description Every staged account, imported or not. Ordered by `external_account_number`, byte by byte; `[]` when there are none; 404 when the import supplier is unknown or not granted to you. Without `limit` the whole list is streamed, whatever its length; if the answer breaks off, the list is incomplete: send the request again. With `limit` the list comes in pages: follow the `Link` header until an answer has none.
         */
        readonly get: operations["listAllAccountImportProcesses"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/data-import/pending-account-import-processes/{import_supplier}/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Account imports of a supplier that have no platform account yet
         * @description Accounts that are not imported yet, are being imported, or whose import failed: `service_account_number` and `account_created_at` are null. Ordered by `external_account_number`, byte by byte; `[]` when there are none; 404 when the import supplier is unknown or not granted to you. Without `limit` the whole list is streamed, whatever its length; if the answer breaks off, the list is incomplete: send the request again. With `limit` the list comes in pages: follow the `Link` header until an answer has none.
         */
        readonly get: operations["listPendingAccountImportProcesses"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/data-import/imported-account-import-processes/{import_supplier}/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Account imports of a supplier that have a platform account
         * @description Accounts that are imported; data can be added to them. Ordered by `external_account_number`, byte by byte; `[]` when there are none; 404 when the import supplier is unknown or not granted to you. Without `limit` the whole list is streamed, whatever its length; if the answer breaks off, the list is incomplete: send the request again. With `limit` the list comes in pages: follow the `Link` header until an answer has none.
         */
        readonly get: operations["listImportedAccountImportProcesses"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/data-import/notes/create/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Attach notes to an imported account
         * @description Safe to repeat. A note already exists when the account has one with the same `body` (or, without a body, the same list of paths) and, if `created_at` is sent, the same `created_at`. The result is then `NOTE_ALREADY_EXISTS`; this also applies to the second of two same notes in one request. Send `created_at` to store two notes with the same text.
         *
         *     All or nothing: either everything in the request is stored, or nothing is and the answer says why. The account must be imported: the answer is 404 for an account that is only staged or unknown, and for an import supplier that is not granted to you. It is 400 (`import_supplier_migration_not_ongoing`) for an import supplier whose migration is paused or complete. With `dry_run=true` the request is validated and answered in the same way, but nothing is stored.
         */
        readonly post: operations["createNotes"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/data-import/historical-statements/create/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Attach historical statements to an imported account
         * @description Safe to repeat: a statement that the account already has, with the same `statement_id` and content, is not stored again, and the answer is the same. Other content under the same `statement_id` is rejected (`historical_statement_already_exists`).
         *
         *     All or nothing: either everything in the request is stored, or nothing is and the answer says why. The account must be imported: the answer is 404 for an account that is only staged or unknown, and for an import supplier that is not granted to you. It is 400 (`import_supplier_migration_not_ongoing`) for an import supplier whose migration is paused or complete. With `dry_run=true` the request is validated and answered in the same way, but nothing is stored.
         */
        readonly post: operations["createHistoricalStatements"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/data-import/payment-instruction/create/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Attach a payment instruction to an imported account
         * @description The service verifies at the vendor that the instruction exists, also in a dry run. Safe to repeat: if the account already has the instruction of this vendor and reference, the answer is the same and the vendor is not called; with another `type` it is 400 with `payment_instruction_already_exists`, and nothing is changed. 400 with `payment_instruction_not_found` or `payment_vendor_rejected` is permanent: do not send the same request again. 500 with `payment_vendor_unavailable` is temporary: send it again.
         *
         *     The vendor `SANDBOX` is for trials, where the operator offers it (otherwise `payment_vendor_not_configured`): a `reference` that begins with `ok_` exists, with `missing_` does not exist, with `rejected_` is rejected, with `flaky_` works at the third attempt, with `down_` gets no answer; any other does not exist.
         *
         *     All or nothing: either everything in the request is stored, or nothing is and the answer says why. The account must be imported: the answer is 404 for an account that is only staged or unknown, and for an import supplier that is not granted to you. It is 400 (`import_supplier_migration_not_ongoing`) for an import supplier whose migration is paused or complete. With `dry_run=true` the request is validated and answered in the same way, but nothing is stored.
         */
        readonly post: operations["createPaymentInstruction"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/data-import/transactions/create/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Book transactions on an imported account
         * @description Safe to repeat unless `check_previously_added=false`: a transaction whose `transaction_id` the account already has is skipped, and its result is `TRANSACTION_ALREADY_EXISTS`. A `transaction_date` outside the account's open statement period is moved to the nearest day inside it; the answer has the new date, and a `note` that explains the change. With `force_add_to_current_statement=false` the whole request is rejected instead, with `transaction_import_error`.
         *
         *     All or nothing: either everything in the request is stored, or nothing is and the answer says why. The account must be imported: the answer is 404 for an account that is only staged or unknown, and for an import supplier that is not granted to you. It is 400 (`import_supplier_migration_not_ongoing`) for an import supplier whose migration is paused or complete. With `dry_run=true` the request is validated and answered in the same way, but nothing is stored.
         */
        readonly post: operations["createTransactions"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/data-import/account-content/{import_supplier}/{external_account_number}/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * What one account holds, as digests
         * @description Counts, sums and digests of everything that an imported account holds, at one point in time. An addition to the specification: the digests can be computed from what was sent, without the service. A `content` is the item as it was sent, in the form of RFC 8785: `transaction_date` and `note` of a moved transaction are those that were sent. With `rows=true` each row is on a line of its own, as `{"digest":"…","content":{…}}`, so that line tools can cut it out. With `row_digests=true` each section has the digests of its rows, without their content. 404 when the account is not imported, or the import supplier is not granted to you.
         */
        readonly get: operations["getAccountContent"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/data-import/account-contents/{import_supplier}/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * What the imported accounts of a supplier hold, as digests
         * @description As the answer for one account, for every imported account. An addition to the specification. Each account is from one point in time, the list is not. Ordered by `external_account_number`, byte by byte; `[]` when there are none; 404 when the import supplier is unknown or not granted to you. Without `limit` the whole list is streamed, whatever its length; if the answer breaks off, the list is incomplete: continue it with `after`. With `limit` the list comes in pages: follow the `Link` header until an answer has none. With `row_digests=true` each section has the digests of its rows.
         */
        readonly get: operations["listAccountContents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description What an account holds, at one point in time. */
        readonly AccountContent: {
            /** @description Number of the account in the supplier's system. */
            readonly external_account_number: string;
            /** @description Number of the platform account. */
            readonly service_account_number: string;
            readonly notes: components["schemas"]["SectionContent"];
            readonly transactions: components["schemas"]["TransactionsContent"];
            readonly historical_statements: components["schemas"]["SectionContent"];
            readonly payment_instructions: components["schemas"]["SectionContent"];
            /** @description SHA-256 of four lines, each followed by a line feed: the name of a section, a space and its digest, in the order of this object. */
            readonly digest: string;
        };
        /** @description A staged account. */
        readonly AccountImportProcess: {
            /** @description Number of the account in the supplier's system. */
            readonly external_account_number: string;
            /** @description Number of the platform account; null until the account is imported. */
            readonly service_account_number: string | null;
            /**
             * Format: date-time
             * @description When the account was imported, in UTC and whole seconds; null until then.
             */
            readonly account_created_at: string | null;
        };
        /** @description The import status of one account. */
        readonly AccountImportStatus: {
            /**
             * @description `COMPLETED`: imported; data can be added to it. `IN_PROGRESS`: being imported now. `UNKNOWN`: not imported yet, or its import failed.
             * @enum {string}
             */
            readonly status: "UNKNOWN" | "IN_PROGRESS" | "COMPLETED";
            /** @description Number of the platform account; empty until there is one. */
            readonly service_account_number: string;
        };
        /** @description A row, only with `rows=true`. */
        readonly ContentRow: {
            /** @description SHA-256 of the bytes of `content` as they are here. */
            readonly digest: string;
            /** @description The item as it was sent, in the form of RFC 8785. */
            readonly content: {
                readonly [key: string]: unknown;
            };
        };
        /** @description Historical statements for one account. The answer repeats them as sent. */
        readonly CreateHistoricalStatements: {
            /** @description Code of the import supplier; compared exactly, including case. */
            readonly import_supplier: string;
            /** @description Number of the account in the supplier's system; compared exactly, including case. */
            readonly external_account_number: string;
            /** @description No `statement_id` may be repeated. The most items are 5,000, unless the operator has set another limit. */
            readonly statements: readonly components["schemas"]["HistoricalStatement"][];
        };
        /** @description Notes for one account. */
        readonly CreateNotes: {
            /** @description Code of the import supplier; compared exactly, including case. */
            readonly import_supplier: string;
            /** @description Number of the account in the supplier's system; compared exactly, including case. */
            readonly external_account_number: string;
            /** @description The answer has the same order. The most items are 5,000, unless the operator has set another limit. */
            readonly notes: readonly components["schemas"]["Note"][];
        };
        /** @description A payment instruction for one account. At most 262,144 bytes of UTF-8, escapes and blanks between members not counted. */
        readonly CreatePaymentInstruction: {
            /** @description Code of the import supplier; compared exactly, including case. */
            readonly import_supplier: string;
            /** @description Number of the account in the supplier's system; compared exactly, including case. */
            readonly external_account_number: string;
            /** @description The payment vendor that holds the instruction. Allowed are `GOCARDLESS`, `SANDBOX`, `STRIPE`, and the values that the operator has added. */
            readonly vendor: string;
            /** @description The instruction's reference at the vendor. */
            readonly reference: string;
            /** @description The type of the instruction. `CARD` and `DIRECT_DEBIT` must match what the vendor holds. Allowed are `BPAY`, `CARD`, `CUSTOM`, `DIRECT_DEBIT`, `PAYMENT_SLIP`, and the values that the operator has added. */
            readonly type: string;
        };
        /** @description Transactions for one account. */
        readonly CreateTransactions: {
            /** @description Code of the import supplier; compared exactly, including case. */
            readonly import_supplier: string;
            /** @description Number of the account in the supplier's system; compared exactly, including case. */
            readonly external_account_number: string;
            /** @description No `transaction_id` may be repeated. The answer has the same order. The most items are 5,000, unless the operator has set another limit. */
            readonly transactions: readonly components["schemas"]["Transaction"][];
        };
        /** @description A document of a note. */
        readonly DocumentPath: {
            /** @description Relative to the document root of the import supplier: no `/` at the beginning or end, no empty, `.` or `..` segment, no backslash, no control character, at most 1,024 bytes of UTF-8. */
            readonly document_path: string;
        };
        /**
         * @description The kind of failure. A code never changes its name or meaning. Further codes may be added: handle an unknown one by the status of the answer. Known codes:
         *
         *     - `validation_error`: The request has invalid input.
         *     - `transaction_import_error`: A transaction could not be imported; nothing was stored.
         *     - `parse_error`: The request is not valid JSON in UTF-8.
         *     - `not_authenticated`: The request carries no token.
         *     - `authentication_failed`: The token is not valid.
         *     - `token_expired`: The token has expired; obtain a new one.
         *     - `token_revoked`: The token has been revoked; obtain a new one with a valid API key.
         *     - `not_found`: Nothing exists at this address.
         *     - `account_not_found`: No imported account was found for the import supplier and account number.
         *     - `method_not_allowed`: The method is not allowed at this address.
         *     - `feed_restarted`: Numbers of this feed were lost, and a new epoch has begun. Remove what was read after the given cursor, and continue there.
         *     - `payload_too_large`: The request body is too large.
         *     - `unsupported_media_type`: The request body must be application/json in UTF-8.
         *     - `throttled`: Too many requests; wait before the next one.
         *     - `error`: An unexpected error occurred. Send the same request again, but transactions without check_previously_added=false.
         *     - `payment_vendor_unavailable`: The payment vendor is not available at the moment; nothing was stored. Send the same request again.
         *     - `service_unavailable`: The service is not available at the moment. Send the same request again, but transactions without check_previously_added=false.
         */
        readonly ErrorCode: "validation_error" | "transaction_import_error" | "parse_error" | "not_authenticated" | "authentication_failed" | "token_expired" | "token_revoked" | "not_found" | "account_not_found" | "method_not_allowed" | "feed_restarted" | "payload_too_large" | "unsupported_media_type" | "throttled" | "error" | "payment_vendor_unavailable" | "service_unavailable" | (string & {});
        /** @description Why the request failed. */
        readonly ErrorResponse: {
            /** @description For people; its wording may change. */
            readonly detail: string;
            readonly code: components["schemas"]["ErrorCode"];
            /** @description Every error in the input; empty when the failure is not about the input. */
            readonly errors: readonly components["schemas"]["FieldError"][];
        };
        /** @description One error in the input. */
        readonly FieldError: {
            /** @description For people; its wording may change. */
            readonly detail: string;
            readonly code: components["schemas"]["FieldErrorCode"];
            /** @description Dot-delimited path to the invalid input, such as `transactions.3.line_items.0.net_amount` (indexes begin with 0). For a query parameter its name, for a path segment the name of its placeholder, for the whole payload the empty string. */
            readonly attr: string;
        };
        /**
         * @description What is wrong. A code never changes its name or meaning. Further codes may be added; like these they mean that the input must be corrected. Known codes:
         *
         *     - `required`: This field is required.
         *     - `null`: This field may not be null; omit it instead.
         *     - `blank`: This field may not be empty.
         *     - `invalid`: The value has the wrong type or format.
         *     - `invalid_choice`: The value is not one of the allowed values.
         *     - `max_length`: The value is too long.
         *     - `min_length`: The value is too short.
         *     - `max_digits`: The number has more digits than can be stored exactly.
         *     - `max_decimal_places`: The number has too many decimal places.
         *     - `min_value`: The number is too small.
         *     - `max_value`: The number is too large.
         *     - `unexpected_field`: This field is not documented and must not be sent.
         *     - `invalid_cursor`: The cursor cannot be used.
         *     - `too_many_readers`: The feed of this import supplier has as many named readers as it may have.
         *     - `too_many_errors`: There are more errors than this answer lists.
         *     - `import_supplier_migration_not_ongoing`: The migration of this import supplier is not ongoing.
         *     - `note_body_or_document_path_not_found`: A note needs a body or at least one document path.
         *     - `note_unpin_at_earlier_than_creation_date`: unpin_at is before created_at.
         *     - `start_date_later_than_end_date`: The period ends before it starts.
         *     - `duplicate_transaction_ids`: An earlier transaction of the request has the same transaction_id.
         *     - `outside_open_statement_period`: The transaction date is outside the open statement period.
         *     - `invalid_document_path`: The path is not a relative path within the document root.
         *     - `path_does_not_exist_in_file_store`: No document exists at this path.
         *     - `duplicate_statement_ids`: An earlier statement of the request has the same statement_id.
         *     - `historical_statement_already_exists`: The account has a statement with this statement_id and different content.
         *     - `payment_instruction_already_exists`: The account has the instruction of this vendor and reference with another type; nothing was changed.
         *     - `payment_instruction_not_found`: The payment vendor has no instruction with this reference. Do not send the same request again.
         *     - `payment_vendor_rejected`: The payment vendor rejects the request. Do not send the same request again.
         *     - `payment_vendor_not_configured`: This payment vendor is not configured; the operator can configure it.
         */
        readonly FieldErrorCode: "required" | "null" | "blank" | "invalid" | "invalid_choice" | "max_length" | "min_length" | "max_digits" | "max_decimal_places" | "min_value" | "max_value" | "unexpected_field" | "invalid_cursor" | "too_many_readers" | "too_many_errors" | "import_supplier_migration_not_ongoing" | "note_body_or_document_path_not_found" | "note_unpin_at_earlier_than_creation_date" | "start_date_later_than_end_date" | "duplicate_transaction_ids" | "outside_open_statement_period" | "invalid_document_path" | "path_does_not_exist_in_file_store" | "duplicate_statement_ids" | "historical_statement_already_exists" | "payment_instruction_already_exists" | "payment_instruction_not_found" | "payment_vendor_rejected" | "payment_vendor_not_configured" | (string & {});
        /** @description A statement that the previous supplier issued. At most 262,144 bytes of UTF-8, escapes and blanks between members not counted. */
        readonly HistoricalStatement: {
            /** @description Identifies the statement within the account. */
            readonly statement_id: string;
            /**
             * Format: date
             * @description First day of the period, not after `bill_period_to_date`. A real day of the years 0001 to 9999, `YYYY-MM-DD`.
             */
            readonly bill_period_from_date: string;
            /**
             * Format: date
             * @description Last day of the period. A real day of the years 0001 to 9999, `YYYY-MM-DD`.
             */
            readonly bill_period_to_date: string;
            /**
             * Format: date
             * @description A real day of the years 0001 to 9999, `YYYY-MM-DD`.
             */
            readonly issued_date?: string;
            /** @description Number of the statement. */
            readonly number?: string;
            /** @description At most 15 significant digits, 30 digits before the decimal point and 10 after it. */
            readonly gross_amount?: number;
            /** @description The PDF of the statement. Relative to the document root of the import supplier: no `/` at the beginning or end, no empty, `.` or `..` segment, no backslash, no control character, at most 1,024 bytes of UTF-8. */
            readonly statement_path?: string;
        };
        /** @description An imported account. */
        readonly ImportedAccountImportProcess: {
            /** @description Number of the account in the supplier's system. */
            readonly external_account_number: string;
            /** @description Number of the platform account. */
            readonly service_account_number: string;
            /**
             * Format: date-time
             * @description When the account was imported, in UTC and whole seconds.
             */
            readonly account_created_at: string;
        };
        /** @description Nothing was stored, and the same request fails again until it is corrected. */
        readonly InvalidRequest: {
            /** @description For people; its wording may change. */
            readonly detail: string;
            /**
             * @description - `validation_error`: The request has invalid input.
             *     - `parse_error`: The request is not valid JSON in UTF-8. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly code: "validation_error" | "parse_error";
            /** @description Every error in the input; empty when the failure is not about the input. */
            readonly errors: readonly components["schemas"]["FieldError"][];
        };
        /** @description A line of a supply charge. */
        readonly LineItem: {
            /** @description Free text, such as `CONSUMPTION_STANDARD`. */
            readonly rate_band?: string;
            /**
             * Format: date
             * @description First day of the line, not after `end_date`. A real day of the years 0001 to 9999, `YYYY-MM-DD`.
             */
            readonly start_date: string;
            /**
             * Format: date
             * @description Last day of the line. A real day of the years 0001 to 9999, `YYYY-MM-DD`.
             */
            readonly end_date: string;
            /** @description At most 15 significant digits, 30 digits before the decimal point and 10 after it. */
            readonly number_of_units: number;
            /** @description At most 15 significant digits, 30 digits before the decimal point and 10 after it. */
            readonly net_amount: number;
            /** @description At most 15 significant digits, 30 digits before the decimal point and 10 after it. */
            readonly price_per_unit?: number;
            /** @description Readings, such as those at the beginning and at the end of the line. */
            readonly units?: readonly number[];
        };
        /** @description A note requires a `body` that is not empty, or at least one document path. At most 262,144 bytes of UTF-8, escapes and blanks between members not counted. */
        readonly Note: {
            /** @description Required when there are no documents. An empty text counts as omitted. */
            readonly body?: string;
            /** @description The documents of the note; required when there is no `body`. An empty list counts as omitted. */
            readonly document_paths?: readonly components["schemas"]["DocumentPath"][];
            /**
             * Format: date-time
             * @description When the note was written. Notes that differ in it are different notes. The default is the current time. `YYYY-MM-DDTHH:MM:SSZ`, with seconds from 00 to 59 and a capital `T` and `Z`. A fraction of up to nine digits and, instead of `Z`, an offset such as `+01:00` are accepted too: the date-time is converted to UTC, years 0001 to 9999, and truncated to whole seconds.
             */
            readonly created_at?: string;
            /** @description Pins the note to the top of the account's support-site page. */
            readonly is_pinned?: boolean;
            /**
             * Format: date-time
             * @description When the note is unpinned; not before `created_at`, if that is sent. It has no effect without `is_pinned`. `YYYY-MM-DDTHH:MM:SSZ`, with seconds from 00 to 59 and a capital `T` and `Z`. A fraction of up to nine digits and, instead of `Z`, an offset such as `+01:00` are accepted too: the date-time is converted to UTC, years 0001 to 9999, and truncated to whole seconds.
             */
            readonly unpin_at?: string;
        };
        /** @description The result of one note. */
        readonly NoteResult: {
            /**
             * Format: date-time
             * @description In UTC and whole seconds. Of a note that already existed: its own.
             */
            readonly created_at: string;
            /** @description Empty when the note has none. */
            readonly body: string;
            /**
             * @description `NOTE_ALREADY_EXISTS`: the account already has the same note, and nothing was added.
             * @enum {string}
             */
            readonly status: "NOTE_CREATION_SUCCESS" | "NOTE_ALREADY_EXISTS";
        };
        /** @description The account that the instruction was attached to. */
        readonly PaymentInstructionResult: {
            /** @description Number of the platform account. */
            readonly service_account_number: string;
            /** @description As sent. */
            readonly reference: string;
        };
        /** @description The fields of the transaction as sent, except `amount`, which is text. */
        readonly RefusedTransactionData: {
            /** @description Identifies the transaction within the account. */
            readonly transaction_id: string;
            /**
             * Format: date
             * @description A day outside the account's open statement period is moved into it, or rejected: see `force_add_to_current_statement`. A real day of the years 0001 to 9999, `YYYY-MM-DD`.
             */
            readonly transaction_date: string;
            readonly type: components["schemas"]["TransactionType"];
            /** @description Allowed are `ACCOUNT_CHARGE_PAYMENT`, `BALANCE_ADJUSTMENT`, `BALANCE_THRESHOLD_CROSSED`, `BALANCE_TRANSFER`, `BILLING_ADJUSTMENT`, `BILL_ISSUED`, `CANCELED_BILL`, `CHARGEBACK`, `COMPLAINT_COMPENSATION`, `DATA_IMPORT_BALANCE_TRANSFER`, `DEBT_REPAYMENT`, `DEFAULT`, `DEPOSIT`, `DEPOSIT_RETURN`, `FAILED_PAYMENT`, `FINAL_BALANCE_SETTLEMENT`, `FULL_CREDIT_REFUND`, `FULL_PREPAYMENT_REFUND`, `GENERAL_CREDIT`, `GOODWILL_PAYMENT`, `IMPORTED_CHARGE`, `IMPORTED_CREDIT`, `INDEMNITY_CLAIM`, `LATE_FAILED_PAYMENT`, `LATE_PAYMENT_FEE_CHARGE`, `LOYALTY_REWARD`, `MIGRATION_ADJUSTMENT`, `MISTAKEN_PAYMENT_TAKEN`, `PARTIAL_CREDIT_REFUND`, `PARTIAL_REPAYMENT_REFUND`, `PAYMENT_CORRECTION`, `PAYMENT_PLAN`, `PREPAY_DEBT_ADJUSTMENT`, `PREPAY_RECORD`, `REFUND`, `REGULAR_SCHEDULE`, `REPAYMENT_CORRECTION`, `REVERSED_ACCOUNT_CHARGE`, `REVERSED_ACCOUNT_CREDIT`, `SETTLEMENT`, `WRITE_BACK`, and the values that the operator has added. */
            readonly reason?: string;
            /** @description The reference of a payment or repayment. */
            readonly reference?: string;
            /** @description Allowed are `BACS`, `BACS_DEPOSIT`, `BPAY`, `CARD_REFUND`, `CASH`, `CHEQUE`, `CREDIT_CARD`, `DD_FINAL_COLLECTION`, `DD_FIRST_COLLECTION`, `DD_REGULAR_COLLECTION`, `DD_RE_PRESENTATION`, `DEBIT_CARD`, `DIRECT_CREDIT`, `EFT`, `ERRONEOUS_PAYMENT`, and the values that the operator has added. */
            readonly payment_type?: string;
            /** @description Shown to the customer. */
            readonly display_note?: string;
            /** @description Internal. */
            readonly note?: string;
            /** @description Free text; required for a `SUPPLY_CHARGE`. */
            readonly product_code?: string;
            /** @description At least one is required for a `SUPPLY_CHARGE`. */
            readonly line_items?: readonly components["schemas"]["LineItem"][];
            /** @description Used with a `SUPPLY_CHARGE`. */
            readonly tax_items?: readonly components["schemas"]["TaxItem"][];
            /** @description The amount that was sent, as text with two decimal places. */
            readonly amount: string;
        };
        /** @description What an account has of one kind. */
        readonly SectionContent: {
            /** @description Number of rows. */
            readonly count: number;
            /** @description SHA-256 of the digests of the rows in ascending order, each followed by a line feed. */
            readonly digest: string;
            /** @description In ascending order of `digest`; only with `rows=true`. */
            readonly rows?: readonly components["schemas"]["ContentRow"][];
            /** @description The digests of the rows in ascending order; only with `row_digests=true`. */
            readonly row_digests?: readonly string[];
        };
        /** @description A tax of a supply charge. */
        readonly TaxItem: {
            /** @description At most 15 significant digits, 30 digits before the decimal point and 10 after it. */
            readonly amount: number;
            /** @description Free text, such as `VAT`. */
            readonly tax_type: string;
            /** @description At most 15 significant digits, 30 digits before the decimal point and 10 after it. */
            readonly value_taxed: number;
            /** @description At most 15 significant digits, 30 digits before the decimal point and 10 after it. */
            readonly rate: number;
            /** @enum {string} */
            readonly unit_type: "PROPORTION" | "CURRENCY_PER_KWH";
        };
        /** @description A transaction. The type `SUPPLY_CHARGE` requires `product_code` and at least one line item. At most 262,144 bytes of UTF-8, escapes and blanks between members not counted. */
        readonly Transaction: {
            /** @description Identifies the transaction within the account. */
            readonly transaction_id: string;
            /**
             * Format: date
             * @description A day outside the account's open statement period is moved into it, or rejected: see `force_add_to_current_statement`. A real day of the years 0001 to 9999, `YYYY-MM-DD`.
             */
            readonly transaction_date: string;
            /** @description A JSON number; answers contain it as text. At most 2 decimal places. */
            readonly amount: number;
            readonly type: components["schemas"]["TransactionType"];
            /** @description Allowed are `ACCOUNT_CHARGE_PAYMENT`, `BALANCE_ADJUSTMENT`, `BALANCE_THRESHOLD_CROSSED`, `BALANCE_TRANSFER`, `BILLING_ADJUSTMENT`, `BILL_ISSUED`, `CANCELED_BILL`, `CHARGEBACK`, `COMPLAINT_COMPENSATION`, `DATA_IMPORT_BALANCE_TRANSFER`, `DEBT_REPAYMENT`, `DEFAULT`, `DEPOSIT`, `DEPOSIT_RETURN`, `FAILED_PAYMENT`, `FINAL_BALANCE_SETTLEMENT`, `FULL_CREDIT_REFUND`, `FULL_PREPAYMENT_REFUND`, `GENERAL_CREDIT`, `GOODWILL_PAYMENT`, `IMPORTED_CHARGE`, `IMPORTED_CREDIT`, `INDEMNITY_CLAIM`, `LATE_FAILED_PAYMENT`, `LATE_PAYMENT_FEE_CHARGE`, `LOYALTY_REWARD`, `MIGRATION_ADJUSTMENT`, `MISTAKEN_PAYMENT_TAKEN`, `PARTIAL_CREDIT_REFUND`, `PARTIAL_REPAYMENT_REFUND`, `PAYMENT_CORRECTION`, `PAYMENT_PLAN`, `PREPAY_DEBT_ADJUSTMENT`, `PREPAY_RECORD`, `REFUND`, `REGULAR_SCHEDULE`, `REPAYMENT_CORRECTION`, `REVERSED_ACCOUNT_CHARGE`, `REVERSED_ACCOUNT_CREDIT`, `SETTLEMENT`, `WRITE_BACK`, and the values that the operator has added. */
            readonly reason?: string;
            /** @description The reference of a payment or repayment. */
            readonly reference?: string;
            /** @description Allowed are `BACS`, `BACS_DEPOSIT`, `BPAY`, `CARD_REFUND`, `CASH`, `CHEQUE`, `CREDIT_CARD`, `DD_FINAL_COLLECTION`, `DD_FIRST_COLLECTION`, `DD_REGULAR_COLLECTION`, `DD_RE_PRESENTATION`, `DEBIT_CARD`, `DIRECT_CREDIT`, `EFT`, `ERRONEOUS_PAYMENT`, and the values that the operator has added. */
            readonly payment_type?: string;
            /** @description Shown to the customer. */
            readonly display_note?: string;
            /** @description Internal. */
            readonly note?: string;
            /** @description Free text; required for a `SUPPLY_CHARGE`. */
            readonly product_code?: string;
            /** @description At least one is required for a `SUPPLY_CHARGE`. */
            readonly line_items?: readonly components["schemas"]["LineItem"][];
            /** @description Used with a `SUPPLY_CHARGE`. */
            readonly tax_items?: readonly components["schemas"]["TaxItem"][];
        };
        /** @description The fields of the transaction that were sent, and a status. They are as sent, except `amount`, which is text, and `transaction_date` and `note` of a transaction that was moved into the open statement period. A transaction that the account already had is never moved. */
        readonly TransactionData: {
            /** @description Identifies the transaction within the account. */
            readonly transaction_id: string;
            readonly type: components["schemas"]["TransactionType"];
            /** @description Allowed are `ACCOUNT_CHARGE_PAYMENT`, `BALANCE_ADJUSTMENT`, `BALANCE_THRESHOLD_CROSSED`, `BALANCE_TRANSFER`, `BILLING_ADJUSTMENT`, `BILL_ISSUED`, `CANCELED_BILL`, `CHARGEBACK`, `COMPLAINT_COMPENSATION`, `DATA_IMPORT_BALANCE_TRANSFER`, `DEBT_REPAYMENT`, `DEFAULT`, `DEPOSIT`, `DEPOSIT_RETURN`, `FAILED_PAYMENT`, `FINAL_BALANCE_SETTLEMENT`, `FULL_CREDIT_REFUND`, `FULL_PREPAYMENT_REFUND`, `GENERAL_CREDIT`, `GOODWILL_PAYMENT`, `IMPORTED_CHARGE`, `IMPORTED_CREDIT`, `INDEMNITY_CLAIM`, `LATE_FAILED_PAYMENT`, `LATE_PAYMENT_FEE_CHARGE`, `LOYALTY_REWARD`, `MIGRATION_ADJUSTMENT`, `MISTAKEN_PAYMENT_TAKEN`, `PARTIAL_CREDIT_REFUND`, `PARTIAL_REPAYMENT_REFUND`, `PAYMENT_CORRECTION`, `PAYMENT_PLAN`, `PREPAY_DEBT_ADJUSTMENT`, `PREPAY_RECORD`, `REFUND`, `REGULAR_SCHEDULE`, `REPAYMENT_CORRECTION`, `REVERSED_ACCOUNT_CHARGE`, `REVERSED_ACCOUNT_CREDIT`, `SETTLEMENT`, `WRITE_BACK`, and the values that the operator has added. */
            readonly reason?: string;
            /** @description The reference of a payment or repayment. */
            readonly reference?: string;
            /** @description Allowed are `BACS`, `BACS_DEPOSIT`, `BPAY`, `CARD_REFUND`, `CASH`, `CHEQUE`, `CREDIT_CARD`, `DD_FINAL_COLLECTION`, `DD_FIRST_COLLECTION`, `DD_REGULAR_COLLECTION`, `DD_RE_PRESENTATION`, `DEBIT_CARD`, `DIRECT_CREDIT`, `EFT`, `ERRONEOUS_PAYMENT`, and the values that the operator has added. */
            readonly payment_type?: string;
            /** @description Shown to the customer. */
            readonly display_note?: string;
            /** @description Free text; required for a `SUPPLY_CHARGE`. */
            readonly product_code?: string;
            /** @description At least one is required for a `SUPPLY_CHARGE`. */
            readonly line_items?: readonly components["schemas"]["LineItem"][];
            /** @description Used with a `SUPPLY_CHARGE`. */
            readonly tax_items?: readonly components["schemas"]["TaxItem"][];
            /** @description The amount that was sent, as text with two decimal places. */
            readonly amount: string;
            /**
             * Format: date
             * @description As sent; of a moved transaction the day to which it was moved.
             */
            readonly transaction_date: string;
            /** @description As sent. Of a moved transaction a sentence that names both days is appended, so it may be longer than a note that is sent, and it is present even if none was sent. */
            readonly note?: string;
            /** @enum {string} */
            readonly status: "TRANSACTION_IMPORT_SUCCESS";
        };
        /** @description Transactions lie outside the account's open statement period, and the request does not allow moving them. `transaction_data` and `error_detail` are about the first one; `errors` lists all. Nothing was stored. */
        readonly TransactionImportError: {
            /** @description For people; its wording may change. */
            readonly detail: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly code: "transaction_import_error";
            /** @description Every error in the input; empty when the failure is not about the input. */
            readonly errors: readonly components["schemas"]["FieldError"][];
            /** @enum {string} */
            readonly status: "TRANSACTION_IMPORT_ERROR";
            /** @description For people: the transaction, its date and the open statement period. */
            readonly error_detail: string;
            readonly transaction_data: components["schemas"]["RefusedTransactionData"];
        };
        /** @description The result of one transaction. */
        readonly TransactionResult: {
            /**
             * @description `TRANSACTION_ALREADY_EXISTS`: the account already has a transaction with this `transaction_id`, whatever its content, and nothing was added.
             * @enum {string}
             */
            readonly status: "TRANSACTION_ADDED_TO_ACCOUNT" | "TRANSACTION_ALREADY_EXISTS";
            readonly transaction_data: components["schemas"]["TransactionData"];
        };
        /** @description One result for each transaction, in the order of the request. */
        readonly TransactionResults: {
            readonly results: readonly components["schemas"]["TransactionResult"][];
        };
        /** @enum {string} */
        readonly TransactionType: "CHARGE" | "CREDIT" | "PAYMENT" | "REPAYMENT" | "SUPPLY_CHARGE";
        /** @description The transactions of an account. */
        readonly TransactionsContent: {
            /** @description Number of rows. */
            readonly count: number;
            /** @description SHA-256 of the digests of the rows in ascending order, each followed by a line feed. */
            readonly digest: string;
            /** @description In ascending order of `digest`; only with `rows=true`. */
            readonly rows?: readonly components["schemas"]["ContentRow"][];
            /** @description The digests of the rows in ascending order; only with `row_digests=true`. */
            readonly row_digests?: readonly string[];
            /** @description Sum of the amounts of each type that is there, exact, with two decimal places. */
            readonly amounts: {
                readonly [key: string]: string;
            };
        };
        /** @description Why no transaction was added; `code` says which of the two schemas applies. */
        readonly TransactionsRefusal: components["schemas"]["TransactionImportError"] | components["schemas"]["InvalidRequest"];
    };
    responses: never;
    parameters: {
        /** @description An id of your own for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Anything else is ignored, and a new id is generated. It identifies the request in the log, and in the record of what it stored. */
        readonly "X-Request-Id": string;
    };
    requestBodies: never;
    headers: {
        /** @description Identifies the request in the log: the id that was sent, or else a new one. */
        readonly "X-Request-Id": string;
        /** @description Version of the service, such as `1.4.0`. Another major version may be incompatible. */
        readonly "X-Data-Import-Version": string;
        /** @description Present when `dry_run` was set: nothing was stored. */
        readonly "X-Dry-Run": "true";
        /** @description The path and query of the next page, as `<…>; rel="next"`. Absent on the last page and without `limit`. */
        readonly Link: string;
        /** @description Seconds to wait before the request is sent again. */
        readonly "Retry-After": number;
        /** @description The scheme of the `Authorization` header. */
        readonly "WWW-Authenticate": "Token";
    };
    pathItems: never;
}
export type AccountContent = components['schemas']['AccountContent'];
export type AccountImportProcess = components['schemas']['AccountImportProcess'];
export type AccountImportStatus = components['schemas']['AccountImportStatus'];
export type ContentRow = components['schemas']['ContentRow'];
export type CreateHistoricalStatements = components['schemas']['CreateHistoricalStatements'];
export type CreateNotes = components['schemas']['CreateNotes'];
export type CreatePaymentInstruction = components['schemas']['CreatePaymentInstruction'];
export type CreateTransactions = components['schemas']['CreateTransactions'];
export type DocumentPath = components['schemas']['DocumentPath'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type ErrorResponse = components['schemas']['ErrorResponse'];
export type FieldError = components['schemas']['FieldError'];
export type FieldErrorCode = components['schemas']['FieldErrorCode'];
export type HistoricalStatement = components['schemas']['HistoricalStatement'];
export type ImportedAccountImportProcess = components['schemas']['ImportedAccountImportProcess'];
export type InvalidRequest = components['schemas']['InvalidRequest'];
export type LineItem = components['schemas']['LineItem'];
export type Note = components['schemas']['Note'];
export type NoteResult = components['schemas']['NoteResult'];
export type PaymentInstructionResult = components['schemas']['PaymentInstructionResult'];
export type RefusedTransactionData = components['schemas']['RefusedTransactionData'];
export type SectionContent = components['schemas']['SectionContent'];
export type TaxItem = components['schemas']['TaxItem'];
export type Transaction = components['schemas']['Transaction'];
export type TransactionData = components['schemas']['TransactionData'];
export type TransactionImportError = components['schemas']['TransactionImportError'];
export type TransactionResult = components['schemas']['TransactionResult'];
export type TransactionResults = components['schemas']['TransactionResults'];
export type TransactionType = components['schemas']['TransactionType'];
export type TransactionsContent = components['schemas']['TransactionsContent'];
export type TransactionsRefusal = components['schemas']['TransactionsRefusal'];
export type ParameterXRequestId = components['parameters']['X-Request-Id'];
export type HeaderXRequestId = components['headers']['X-Request-Id'];
export type HeaderXDataImportVersion = components['headers']['X-Data-Import-Version'];
export type HeaderXDryRun = components['headers']['X-Dry-Run'];
export type HeaderLink = components['headers']['Link'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type $defs = Record<string, never>;
export interface operations {
    readonly getAccountTransferStatus: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description An id of your own for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Anything else is ignored, and a new id is generated. It identifies the request in the log, and in the record of what it stored. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Code of the import supplier; compared exactly, including case. */
                readonly import_supplier: string;
                /** @description Number of the account in the supplier's system; compared exactly, including case. */
                readonly external_account_number: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The account was staged; `status` is the status of its import. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "COMPLETED",
                     *       "service_account_number": "A-3F9C01D7"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["AccountImportStatus"];
                };
            };
            /**
             * @description - `validation_error`: The request has invalid input.
             *     - `parse_error`: The request is not valid JSON in UTF-8.
             */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidRequest"];
                };
            };
            /**
             * @description - `not_authenticated`: The request carries no token.
             *     - `authentication_failed`: The token is not valid.
             *     - `token_expired`: The token has expired; obtain a new one.
             *     - `token_revoked`: The token has been revoked; obtain a new one with a valid API key.
             */
            readonly 401: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /**
             * @description - `not_found`: Nothing exists at this address. This also applies to a path segment that is not percent-encoded UTF-8 or has more than 1,536 characters and, for the lists, to an import supplier that is unknown or not granted to the caller.
             *     - `account_not_found`: No imported account was found for the import supplier and account number.
             */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `throttled`: Too many requests; wait before the next one. */
            readonly 429: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `error`: An unexpected error occurred. Send the same request again, but transactions without check_previously_added=false. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `service_unavailable`: The service is not available at the moment. Send the same request again, but transactions without check_previously_added=false. */
            readonly 503: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readonly listAllAccountImportProcesses: {
        readonly parameters: {
            readonly query?: {
                /** @description The most elements of one page. Without it the answer is the whole list. */
                readonly limit?: number;
                /** @description The list begins after this `external_account_number`, which is the last one of the previous page. */
                readonly after?: string;
            };
            readonly header?: {
                /** @description An id of your own for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Anything else is ignored, and a new id is generated. It identifies the request in the log, and in the record of what it stored. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Code of the import supplier; compared exactly, including case. */
                readonly import_supplier: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The whole list, or one page of it. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "external_account_number": "1001",
                     *         "service_account_number": "A-3F9C01D7",
                     *         "account_created_at": "2026-11-01T06:00:00Z"
                     *       },
                     *       {
                     *         "external_account_number": "1002",
                     *         "service_account_number": null,
                     *         "account_created_at": null
                     *       }
                     *     ]
                     */
                    readonly "application/json": readonly components["schemas"]["AccountImportProcess"][];
                };
            };
            /**
             * @description - `validation_error`: The request has invalid input.
             *     - `parse_error`: The request is not valid JSON in UTF-8.
             */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidRequest"];
                };
            };
            /**
             * @description - `not_authenticated`: The request carries no token.
             *     - `authentication_failed`: The token is not valid.
             *     - `token_expired`: The token has expired; obtain a new one.
             *     - `token_revoked`: The token has been revoked; obtain a new one with a valid API key.
             */
            readonly 401: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `not_found`: Nothing exists at this address. This also applies to a path segment that is not percent-encoded UTF-8 or has more than 1,536 characters and, for the lists, to an import supplier that is unknown or not granted to the caller. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `throttled`: Too many requests; wait before the next one. */
            readonly 429: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `error`: An unexpected error occurred. Send the same request again, but transactions without check_previously_added=false. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `service_unavailable`: The service is not available at the moment. Send the same request again, but transactions without check_previously_added=false. */
            readonly 503: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readonly listPendingAccountImportProcesses: {
        readonly parameters: {
            readonly query?: {
                /** @description The most elements of one page. Without it the answer is the whole list. */
                readonly limit?: number;
                /** @description The list begins after this `external_account_number`, which is the last one of the previous page. */
                readonly after?: string;
            };
            readonly header?: {
                /** @description An id of your own for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Anything else is ignored, and a new id is generated. It identifies the request in the log, and in the record of what it stored. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Code of the import supplier; compared exactly, including case. */
                readonly import_supplier: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The whole list, or one page of it. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "external_account_number": "1002",
                     *         "service_account_number": null,
                     *         "account_created_at": null
                     *       }
                     *     ]
                     */
                    readonly "application/json": readonly components["schemas"]["AccountImportProcess"][];
                };
            };
            /**
             * @description - `validation_error`: The request has invalid input.
             *     - `parse_error`: The request is not valid JSON in UTF-8.
             */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidRequest"];
                };
            };
            /**
             * @description - `not_authenticated`: The request carries no token.
             *     - `authentication_failed`: The token is not valid.
             *     - `token_expired`: The token has expired; obtain a new one.
             *     - `token_revoked`: The token has been revoked; obtain a new one with a valid API key.
             */
            readonly 401: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `not_found`: Nothing exists at this address. This also applies to a path segment that is not percent-encoded UTF-8 or has more than 1,536 characters and, for the lists, to an import supplier that is unknown or not granted to the caller. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `throttled`: Too many requests; wait before the next one. */
            readonly 429: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `error`: An unexpected error occurred. Send the same request again, but transactions without check_previously_added=false. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `service_unavailable`: The service is not available at the moment. Send the same request again, but transactions without check_previously_added=false. */
            readonly 503: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readonly listImportedAccountImportProcesses: {
        readonly parameters: {
            readonly query?: {
                /** @description The most elements of one page. Without it the answer is the whole list. */
                readonly limit?: number;
                /** @description The list begins after this `external_account_number`, which is the last one of the previous page. */
                readonly after?: string;
            };
            readonly header?: {
                /** @description An id of your own for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Anything else is ignored, and a new id is generated. It identifies the request in the log, and in the record of what it stored. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Code of the import supplier; compared exactly, including case. */
                readonly import_supplier: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The whole list, or one page of it. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "external_account_number": "1001",
                     *         "service_account_number": "A-3F9C01D7",
                     *         "account_created_at": "2026-11-01T06:00:00Z"
                     *       }
                     *     ]
                     */
                    readonly "application/json": readonly components["schemas"]["ImportedAccountImportProcess"][];
                };
            };
            /**
             * @description - `validation_error`: The request has invalid input.
             *     - `parse_error`: The request is not valid JSON in UTF-8.
             */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidRequest"];
                };
            };
            /**
             * @description - `not_authenticated`: The request carries no token.
             *     - `authentication_failed`: The token is not valid.
             *     - `token_expired`: The token has expired; obtain a new one.
             *     - `token_revoked`: The token has been revoked; obtain a new one with a valid API key.
             */
            readonly 401: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `not_found`: Nothing exists at this address. This also applies to a path segment that is not percent-encoded UTF-8 or has more than 1,536 characters and, for the lists, to an import supplier that is unknown or not granted to the caller. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `throttled`: Too many requests; wait before the next one. */
            readonly 429: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `error`: An unexpected error occurred. Send the same request again, but transactions without check_previously_added=false. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `service_unavailable`: The service is not available at the moment. Send the same request again, but transactions without check_previously_added=false. */
            readonly 503: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readonly createNotes: {
        readonly parameters: {
            readonly query?: {
                /** @description Validate the request and answer as usual, but store nothing. Payment vendors are called nevertheless. */
                readonly dry_run?: boolean;
            };
            readonly header?: {
                /** @description An id of your own for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Anything else is ignored, and a new id is generated. It identifies the request in the log, and in the record of what it stored. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "import_supplier": "ACME",
                 *       "external_account_number": "1001",
                 *       "notes": [
                 *         {
                 *           "body": "Please ring the upper bell.",
                 *           "created_at": "2026-10-30T09:30:00Z",
                 *           "is_pinned": true,
                 *           "unpin_at": "2027-01-31T00:00:00Z"
                 *         },
                 *         {
                 *           "document_paths": [
                 *             {
                 *               "document_path": "1001/contract.pdf"
                 *             }
                 *           ],
                 *           "created_at": "2024-05-17T12:00:00Z"
                 *         }
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["CreateNotes"];
            };
        };
        readonly responses: {
            /** @description One result for each note, in the order of the request. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "created_at": "2026-10-30T09:30:00Z",
                     *         "body": "Please ring the upper bell.",
                     *         "status": "NOTE_CREATION_SUCCESS"
                     *       },
                     *       {
                     *         "created_at": "2024-05-17T12:00:00Z",
                     *         "body": "",
                     *         "status": "NOTE_CREATION_SUCCESS"
                     *       }
                     *     ]
                     */
                    readonly "application/json": readonly components["schemas"]["NoteResult"][];
                };
            };
            /**
             * @description - `validation_error`: The request has invalid input.
             *     - `parse_error`: The request is not valid JSON in UTF-8.
             */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidRequest"];
                };
            };
            /**
             * @description - `not_authenticated`: The request carries no token.
             *     - `authentication_failed`: The token is not valid.
             *     - `token_expired`: The token has expired; obtain a new one.
             *     - `token_revoked`: The token has been revoked; obtain a new one with a valid API key.
             */
            readonly 401: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `account_not_found`: No imported account was found for the import supplier and account number. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `payload_too_large`: The request body is too large. */
            readonly 413: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `unsupported_media_type`: The request body must be application/json in UTF-8. */
            readonly 415: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `throttled`: Too many requests; wait before the next one. */
            readonly 429: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `error`: An unexpected error occurred. Send the same request again, but transactions without check_previously_added=false. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `service_unavailable`: The service is not available at the moment. Send the same request again, but transactions without check_previously_added=false. */
            readonly 503: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readonly createHistoricalStatements: {
        readonly parameters: {
            readonly query?: {
                /** @description Validate the request and answer as usual, but store nothing. Payment vendors are called nevertheless. */
                readonly dry_run?: boolean;
            };
            readonly header?: {
                /** @description An id of your own for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Anything else is ignored, and a new id is generated. It identifies the request in the log, and in the record of what it stored. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "import_supplier": "ACME",
                 *       "external_account_number": "1001",
                 *       "statements": [
                 *         {
                 *           "statement_id": "S-2026-10",
                 *           "bill_period_from_date": "2026-10-01",
                 *           "bill_period_to_date": "2026-10-31",
                 *           "issued_date": "2026-11-03",
                 *           "number": "2026/10/1001",
                 *           "gross_amount": 55.26,
                 *           "statement_path": "1001/2026-10.pdf"
                 *         }
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["CreateHistoricalStatements"];
            };
        };
        readonly responses: {
            /** @description The statements are attached to the account. The answer is the payload as sent. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "import_supplier": "ACME",
                     *       "external_account_number": "1001",
                     *       "statements": [
                     *         {
                     *           "statement_id": "S-2026-10",
                     *           "bill_period_from_date": "2026-10-01",
                     *           "bill_period_to_date": "2026-10-31",
                     *           "issued_date": "2026-11-03",
                     *           "number": "2026/10/1001",
                     *           "gross_amount": 55.26,
                     *           "statement_path": "1001/2026-10.pdf"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["CreateHistoricalStatements"];
                };
            };
            /**
             * @description - `validation_error`: The request has invalid input.
             *     - `parse_error`: The request is not valid JSON in UTF-8.
             */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidRequest"];
                };
            };
            /**
             * @description - `not_authenticated`: The request carries no token.
             *     - `authentication_failed`: The token is not valid.
             *     - `token_expired`: The token has expired; obtain a new one.
             *     - `token_revoked`: The token has been revoked; obtain a new one with a valid API key.
             */
            readonly 401: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `account_not_found`: No imported account was found for the import supplier and account number. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `payload_too_large`: The request body is too large. */
            readonly 413: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `unsupported_media_type`: The request body must be application/json in UTF-8. */
            readonly 415: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `throttled`: Too many requests; wait before the next one. */
            readonly 429: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `error`: An unexpected error occurred. Send the same request again, but transactions without check_previously_added=false. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `service_unavailable`: The service is not available at the moment. Send the same request again, but transactions without check_previously_added=false. */
            readonly 503: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readonly createPaymentInstruction: {
        readonly parameters: {
            readonly query?: {
                /** @description Validate the request and answer as usual, but store nothing. Payment vendors are called nevertheless. */
                readonly dry_run?: boolean;
            };
            readonly header?: {
                /** @description An id of your own for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Anything else is ignored, and a new id is generated. It identifies the request in the log, and in the record of what it stored. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "import_supplier": "ACME",
                 *       "external_account_number": "1001",
                 *       "vendor": "SANDBOX",
                 *       "reference": "ok_1001",
                 *       "type": "CARD"
                 *     }
                 */
                readonly "application/json": components["schemas"]["CreatePaymentInstruction"];
            };
        };
        readonly responses: {
            /** @description The instruction is attached to the account. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "service_account_number": "A-3F9C01D7",
                     *       "reference": "ok_1001"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PaymentInstructionResult"];
                };
            };
            /**
             * @description - `validation_error`: The request has invalid input.
             *     - `parse_error`: The request is not valid JSON in UTF-8.
             */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidRequest"];
                };
            };
            /**
             * @description - `not_authenticated`: The request carries no token.
             *     - `authentication_failed`: The token is not valid.
             *     - `token_expired`: The token has expired; obtain a new one.
             *     - `token_revoked`: The token has been revoked; obtain a new one with a valid API key.
             */
            readonly 401: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `account_not_found`: No imported account was found for the import supplier and account number. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `payload_too_large`: The request body is too large. */
            readonly 413: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `unsupported_media_type`: The request body must be application/json in UTF-8. */
            readonly 415: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `throttled`: Too many requests; wait before the next one. */
            readonly 429: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /**
             * @description - `error`: An unexpected error occurred. Send the same request again, but transactions without check_previously_added=false.
             *     - `payment_vendor_unavailable`: The payment vendor is not available at the moment; nothing was stored. Send the same request again.
             */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `service_unavailable`: The service is not available at the moment. Send the same request again, but transactions without check_previously_added=false. */
            readonly 503: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readonly createTransactions: {
        readonly parameters: {
            readonly query?: {
                /** @description Validate the request and answer as usual, but store nothing. Payment vendors are called nevertheless. */
                readonly dry_run?: boolean;
                /** @description Skip transactions whose `transaction_id` the account already has. `false` adds them again each time they are sent: omit it when a request is sent again. */
                readonly check_previously_added?: boolean;
                /** @description Move a `transaction_date` outside the account's open statement period to the nearest day inside it, and pin a note to the account that lists the moved transactions. `false` rejects the whole request (`transaction_import_error`). */
                readonly force_add_to_current_statement?: boolean;
            };
            readonly header?: {
                /** @description An id of your own for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Anything else is ignored, and a new id is generated. It identifies the request in the log, and in the record of what it stored. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "import_supplier": "ACME",
                 *       "external_account_number": "1001",
                 *       "transactions": [
                 *         {
                 *           "transaction_id": "L-1",
                 *           "transaction_date": "2026-11-02",
                 *           "type": "PAYMENT",
                 *           "reason": "ACCOUNT_CHARGE_PAYMENT",
                 *           "reference": "DD-2026-11",
                 *           "payment_type": "DD_REGULAR_COLLECTION",
                 *           "amount": 40.5
                 *         },
                 *         {
                 *           "transaction_id": "L-2",
                 *           "transaction_date": "2026-10-28",
                 *           "type": "SUPPLY_CHARGE",
                 *           "product_code": "STANDARD",
                 *           "line_items": [
                 *             {
                 *               "rate_band": "CONSUMPTION_STANDARD",
                 *               "start_date": "2026-10-01",
                 *               "end_date": "2026-10-28",
                 *               "number_of_units": 210.5,
                 *               "net_amount": 52.625,
                 *               "price_per_unit": 0.25
                 *             }
                 *           ],
                 *           "tax_items": [
                 *             {
                 *               "amount": 2.63,
                 *               "tax_type": "VAT",
                 *               "value_taxed": 52.625,
                 *               "rate": 0.05,
                 *               "unit_type": "PROPORTION"
                 *             }
                 *           ],
                 *           "amount": 55.26
                 *         }
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["CreateTransactions"];
            };
        };
        readonly responses: {
            /** @description One result for each transaction, in the order of the request. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "status": "TRANSACTION_ADDED_TO_ACCOUNT",
                     *           "transaction_data": {
                     *             "transaction_id": "L-1",
                     *             "transaction_date": "2026-11-02",
                     *             "type": "PAYMENT",
                     *             "reason": "ACCOUNT_CHARGE_PAYMENT",
                     *             "reference": "DD-2026-11",
                     *             "payment_type": "DD_REGULAR_COLLECTION",
                     *             "amount": "40.50",
                     *             "status": "TRANSACTION_IMPORT_SUCCESS"
                     *           }
                     *         },
                     *         {
                     *           "status": "TRANSACTION_ADDED_TO_ACCOUNT",
                     *           "transaction_data": {
                     *             "transaction_id": "L-2",
                     *             "transaction_date": "2026-11-01",
                     *             "type": "SUPPLY_CHARGE",
                     *             "product_code": "STANDARD",
                     *             "line_items": [
                     *               {
                     *                 "rate_band": "CONSUMPTION_STANDARD",
                     *                 "start_date": "2026-10-01",
                     *                 "end_date": "2026-10-28",
                     *                 "number_of_units": 210.5,
                     *                 "net_amount": 52.625,
                     *                 "price_per_unit": 0.25
                     *               }
                     *             ],
                     *             "tax_items": [
                     *               {
                     *                 "amount": 2.63,
                     *                 "tax_type": "VAT",
                     *                 "value_taxed": 52.625,
                     *                 "rate": 0.05,
                     *                 "unit_type": "PROPORTION"
                     *               }
                     *             ],
                     *             "amount": "55.26",
                     *             "note": "The transaction date was changed from 2026-10-28 to 2026-11-01, which lies in the open statement period.",
                     *             "status": "TRANSACTION_IMPORT_SUCCESS"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TransactionResults"];
                };
            };
            /**
             * @description - `validation_error`: The request has invalid input.
             *     - `transaction_import_error`: A transaction could not be imported; nothing was stored.
             *     - `parse_error`: The request is not valid JSON in UTF-8.
             */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TransactionsRefusal"];
                };
            };
            /**
             * @description - `not_authenticated`: The request carries no token.
             *     - `authentication_failed`: The token is not valid.
             *     - `token_expired`: The token has expired; obtain a new one.
             *     - `token_revoked`: The token has been revoked; obtain a new one with a valid API key.
             */
            readonly 401: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `account_not_found`: No imported account was found for the import supplier and account number. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `payload_too_large`: The request body is too large. */
            readonly 413: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `unsupported_media_type`: The request body must be application/json in UTF-8. */
            readonly 415: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `throttled`: Too many requests; wait before the next one. */
            readonly 429: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `error`: An unexpected error occurred. Send the same request again, but transactions without check_previously_added=false. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `service_unavailable`: The service is not available at the moment. Send the same request again, but transactions without check_previously_added=false. */
            readonly 503: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "X-Dry-Run": components["headers"]["X-Dry-Run"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readonly getAccountContent: {
        readonly parameters: {
            readonly query?: {
                /** @description Add the rows to each section. Such a request is recorded. */
                readonly rows?: boolean;
                /** @description Add the digests of the rows to each section, without their content. Such a request is not recorded. */
                readonly row_digests?: boolean;
            };
            readonly header?: {
                /** @description An id of your own for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Anything else is ignored, and a new id is generated. It identifies the request in the log, and in the record of what it stored. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Code of the import supplier; compared exactly, including case. */
                readonly import_supplier: string;
                /** @description Number of the account in the supplier's system; compared exactly, including case. */
                readonly external_account_number: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The account is imported. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "external_account_number": "1001",
                     *       "service_account_number": "A-3F9C01D7",
                     *       "notes": {
                     *         "count": 2,
                     *         "digest": "67a33a17263f0f1ace321962340fbf73481b45dd2351463d08257dd3f57c8c8b"
                     *       },
                     *       "transactions": {
                     *         "count": 2,
                     *         "digest": "6fc38af36ef2ca935c75bde7d5fa0e7dad8ffe94c29cd6189daaede0d64bb475",
                     *         "amounts": {
                     *           "PAYMENT": "40.50",
                     *           "SUPPLY_CHARGE": "55.26"
                     *         }
                     *       },
                     *       "historical_statements": {
                     *         "count": 1,
                     *         "digest": "58a0fec36a6ad0e5ead1366fbbe59728a9f325ee02c67999e7ed4986b6666213"
                     *       },
                     *       "payment_instructions": {
                     *         "count": 1,
                     *         "digest": "e92cd90e862e9cfa9e4cb0cd3e508729c5315ad9ac4c601eb07106e9841f1dd0"
                     *       },
                     *       "digest": "20d3fa9f5cef3f2a5c9954b8c6d6153195fc1e6f287bbe6b83f56fd227b3da5d"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["AccountContent"];
                };
            };
            /**
             * @description - `validation_error`: The request has invalid input.
             *     - `parse_error`: The request is not valid JSON in UTF-8.
             */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidRequest"];
                };
            };
            /**
             * @description - `not_authenticated`: The request carries no token.
             *     - `authentication_failed`: The token is not valid.
             *     - `token_expired`: The token has expired; obtain a new one.
             *     - `token_revoked`: The token has been revoked; obtain a new one with a valid API key.
             */
            readonly 401: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /**
             * @description - `not_found`: Nothing exists at this address. This also applies to a path segment that is not percent-encoded UTF-8 or has more than 1,536 characters and, for the lists, to an import supplier that is unknown or not granted to the caller.
             *     - `account_not_found`: No imported account was found for the import supplier and account number.
             */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `throttled`: Too many requests; wait before the next one. */
            readonly 429: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `error`: An unexpected error occurred. Send the same request again, but transactions without check_previously_added=false. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `service_unavailable`: The service is not available at the moment. Send the same request again, but transactions without check_previously_added=false. */
            readonly 503: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    readonly listAccountContents: {
        readonly parameters: {
            readonly query?: {
                /** @description The most elements of one page. Without it the answer is the whole list. */
                readonly limit?: number;
                /** @description The list begins after this `external_account_number`, which is the last one of the previous page. */
                readonly after?: string;
                /** @description Add the digests of the rows to each section, without their content. Such a request is not recorded. */
                readonly row_digests?: boolean;
            };
            readonly header?: {
                /** @description An id of your own for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Anything else is ignored, and a new id is generated. It identifies the request in the log, and in the record of what it stored. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Code of the import supplier; compared exactly, including case. */
                readonly import_supplier: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The whole list, or one page of it. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly Link: components["headers"]["Link"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "external_account_number": "1001",
                     *         "service_account_number": "A-3F9C01D7",
                     *         "notes": {
                     *           "count": 2,
                     *           "digest": "67a33a17263f0f1ace321962340fbf73481b45dd2351463d08257dd3f57c8c8b"
                     *         },
                     *         "transactions": {
                     *           "count": 2,
                     *           "digest": "6fc38af36ef2ca935c75bde7d5fa0e7dad8ffe94c29cd6189daaede0d64bb475",
                     *           "amounts": {
                     *             "PAYMENT": "40.50",
                     *             "SUPPLY_CHARGE": "55.26"
                     *           }
                     *         },
                     *         "historical_statements": {
                     *           "count": 1,
                     *           "digest": "58a0fec36a6ad0e5ead1366fbbe59728a9f325ee02c67999e7ed4986b6666213"
                     *         },
                     *         "payment_instructions": {
                     *           "count": 1,
                     *           "digest": "e92cd90e862e9cfa9e4cb0cd3e508729c5315ad9ac4c601eb07106e9841f1dd0"
                     *         },
                     *         "digest": "20d3fa9f5cef3f2a5c9954b8c6d6153195fc1e6f287bbe6b83f56fd227b3da5d"
                     *       }
                     *     ]
                     */
                    readonly "application/json": readonly components["schemas"]["AccountContent"][];
                };
            };
            /**
             * @description - `validation_error`: The request has invalid input.
             *     - `parse_error`: The request is not valid JSON in UTF-8.
             */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidRequest"];
                };
            };
            /**
             * @description - `not_authenticated`: The request carries no token.
             *     - `authentication_failed`: The token is not valid.
             *     - `token_expired`: The token has expired; obtain a new one.
             *     - `token_revoked`: The token has been revoked; obtain a new one with a valid API key.
             */
            readonly 401: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `not_found`: Nothing exists at this address. This also applies to a path segment that is not percent-encoded UTF-8 or has more than 1,536 characters and, for the lists, to an import supplier that is unknown or not granted to the caller. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `throttled`: Too many requests; wait before the next one. */
            readonly 429: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `error`: An unexpected error occurred. Send the same request again, but transactions without check_previously_added=false. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description - `service_unavailable`: The service is not available at the moment. Send the same request again, but transactions without check_previously_added=false. */
            readonly 503: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
}

/** By operation id: the path, and the members of the body that are numbers or lists whose elements are or contain numbers. */
export const REQUESTS = {
  createNotes: {
    path: "/v1/data-import/notes/create/",
    shape: {
      lists: {
        notes: {}
      }
    }
  },
  createHistoricalStatements: {
    path: "/v1/data-import/historical-statements/create/",
    shape: {
      lists: {
        statements: {
          numbers: [
            "gross_amount"
          ]
        }
      }
    }
  },
  createPaymentInstruction: {
    path: "/v1/data-import/payment-instruction/create/",
    shape: {}
  },
  createTransactions: {
    path: "/v1/data-import/transactions/create/",
    shape: {
      lists: {
        transactions: {
          numbers: [
            "amount"
          ],
          lists: {
            line_items: {
              numbers: [
                "number_of_units",
                "net_amount",
                "price_per_unit"
              ],
              numberLists: [
                "units"
              ]
            },
            tax_items: {
              numbers: [
                "amount",
                "value_taxed",
                "rate"
              ]
            }
          }
        }
      }
    }
  }
} as const;
