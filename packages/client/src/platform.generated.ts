// Generated from contract/platform.json by npm run contract.
export interface paths {
    readonly "/v1/platform/import-suppliers/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The suppliers whose changes the key can read
         * @description Ordered by code. `sequence` is the number of the newest change, 0 before the first.
         */
        readonly get: operations["listImportSuppliers"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/platform/import-suppliers/{code}/changes/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The changes of a supplier after a cursor
         * @description Oldest first. With `Accept: application/x-ndjson` a stream of all changes up to the newest, one a line; the cursor of a line is the header `Feed-Epoch`, a hyphen, and the `sequence` of the line. 404 when the supplier is unknown, or the key may not read it. 409 `feed_restarted` has the cursor from which to go on.
         */
        readonly get: operations["listChanges"];
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
        readonly AccountErased: {
            /** @enum {string} */
            readonly specversion: "1.0";
            readonly id: string;
            /** @description The address of the feed, with its epoch. */
            readonly source: string;
            /** @enum {string} */
            readonly type: "account.erased";
            /** @description External number of the account. */
            readonly subject: string;
            /** Format: date-time */
            readonly time: string;
            /** @description The number of the change: 1, 2, 3 … for each supplier. */
            readonly sequence: string;
            /** @enum {string} */
            readonly datacontenttype: "application/json";
            readonly data: {
                readonly external_account_number: string;
            };
        };
        readonly AccountImported: {
            /** @enum {string} */
            readonly specversion: "1.0";
            readonly id: string;
            /** @description The address of the feed, with its epoch. */
            readonly source: string;
            /** @enum {string} */
            readonly type: "account.imported";
            /** @description External number of the account. */
            readonly subject: string;
            /** Format: date-time */
            readonly time: string;
            /** @description The number of the change: 1, 2, 3 … for each supplier. */
            readonly sequence: string;
            /** @enum {string} */
            readonly datacontenttype: "application/json";
            readonly data: {
                readonly external_account_number: string;
                readonly service_account_number: string;
                /** Format: date */
                readonly open_statement_from: string;
                /** Format: date */
                readonly open_statement_to: string | null;
                /** @description As it was staged, while it is kept. */
                readonly account?: {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly AccountPeriodChanged: {
            /** @enum {string} */
            readonly specversion: "1.0";
            readonly id: string;
            /** @description The address of the feed, with its epoch. */
            readonly source: string;
            /** @enum {string} */
            readonly type: "account.period_changed";
            /** @description External number of the account. */
            readonly subject: string;
            /** Format: date-time */
            readonly time: string;
            /** @description The number of the change: 1, 2, 3 … for each supplier. */
            readonly sequence: string;
            /** @enum {string} */
            readonly datacontenttype: "application/json";
            readonly data: {
                readonly external_account_number: string;
                readonly service_account_number: string;
                /** Format: date */
                readonly open_statement_from: string;
                /** Format: date */
                readonly open_statement_to: string | null;
            };
        };
        /** @description An event of CloudEvents 1.0, or what is left of one that was undone or erased. */
        readonly Change: components["schemas"]["SupplierStatusChanged"] | components["schemas"]["AccountImported"] | components["schemas"]["AccountPeriodChanged"] | components["schemas"]["NotesAdded"] | components["schemas"]["TransactionsAdded"] | components["schemas"]["StatementsAdded"] | components["schemas"]["PaymentInstructionAdded"] | components["schemas"]["ImportUndone"] | components["schemas"]["AccountErased"] | components["schemas"]["RemovedChange"];
        readonly ChangesPage: {
            readonly changes: readonly components["schemas"]["Change"][];
            /** @description For the next request: everything of this answer is done. */
            readonly cursor: string;
            /** @description Whether there were further changes when the answer was made. */
            readonly more: boolean;
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
        /** @description `cursor` is that from which to go on. */
        readonly FeedRestarted: components["schemas"]["ErrorResponse"] & {
            readonly cursor: string;
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
        readonly ImportUndone: {
            /** @enum {string} */
            readonly specversion: "1.0";
            readonly id: string;
            /** @description The address of the feed, with its epoch. */
            readonly source: string;
            /** @enum {string} */
            readonly type: "import.undone";
            /** @description External number of the account. */
            readonly subject: string;
            /** Format: date-time */
            readonly time: string;
            /** @description The number of the change: 1, 2, 3 … for each supplier. */
            readonly sequence: string;
            /** @enum {string} */
            readonly datacontenttype: "application/json";
            readonly data: {
                readonly external_account_number: string;
                readonly service_account_number: string;
                /** Format: uuid */
                readonly import_request_id: string;
                readonly request_id: string | null;
            };
        };
        /** @description Nothing was stored, and the same request fails again until it is corrected. */
        readonly InvalidRequest: {
            /** @description For people; its wording may change. */
            readonly detail: string;
            /**
             * @description - `validation_error`: The request has invalid input.
             *     - `parse_error`: The request is not valid JSON in UTF-8.
             * @enum {string}
             */
            readonly code: "validation_error" | "parse_error";
            /** @description Every error in the input; empty when the failure is not about the input. */
            readonly errors: readonly components["schemas"]["FieldError"][];
        };
        readonly NamedDocument: {
            readonly document_path: string;
            /** @description Where the service expects it. */
            readonly location: string;
            /** @description By the last look-up; null before the first. */
            readonly found: boolean | null;
        };
        readonly Note: {
            readonly body: string | null;
            readonly document_paths: readonly components["schemas"]["NamedDocument"][] | null;
            /** Format: date-time */
            readonly created_at: string | null;
            readonly is_pinned: boolean | null;
            /** Format: date-time */
            readonly unpin_at: string | null;
            /** @description Of fields of which something else is stored than was sent: what was sent. */
            readonly sent?: {
                readonly created_at: string | null;
            };
        };
        readonly NotesAdded: {
            /** @enum {string} */
            readonly specversion: "1.0";
            readonly id: string;
            /** @description The address of the feed, with its epoch. */
            readonly source: string;
            /** @enum {string} */
            readonly type: "notes.added";
            /** @description External number of the account. */
            readonly subject: string;
            /** Format: date-time */
            readonly time: string;
            /** @description The number of the change: 1, 2, 3 … for each supplier. */
            readonly sequence: string;
            /** @enum {string} */
            readonly datacontenttype: "application/json";
            readonly data: {
                readonly external_account_number: string;
                readonly service_account_number: string;
                /** Format: uuid */
                readonly import_request_id: string;
                readonly request_id: string | null;
                readonly items: readonly components["schemas"]["Note"][];
            };
        };
        readonly PaymentInstruction: {
            readonly vendor: string | null;
            readonly reference: string | null;
            readonly type: string | null;
        };
        readonly PaymentInstructionAdded: {
            /** @enum {string} */
            readonly specversion: "1.0";
            readonly id: string;
            /** @description The address of the feed, with its epoch. */
            readonly source: string;
            /** @enum {string} */
            readonly type: "payment_instruction.added";
            /** @description External number of the account. */
            readonly subject: string;
            /** Format: date-time */
            readonly time: string;
            /** @description The number of the change: 1, 2, 3 … for each supplier. */
            readonly sequence: string;
            /** @enum {string} */
            readonly datacontenttype: "application/json";
            readonly data: {
                readonly external_account_number: string;
                readonly service_account_number: string;
                /** Format: uuid */
                readonly import_request_id: string;
                readonly request_id: string | null;
                readonly items: readonly components["schemas"]["PaymentInstruction"][];
            };
        };
        readonly RemovedChange: {
            /** @description The number of the change: 1, 2, 3 … for each supplier. */
            readonly sequence: string;
            /** @enum {string} */
            readonly type: "supplier.status_changed" | "account.imported" | "account.period_changed" | "notes.added" | "transactions.added" | "statements.added" | "payment_instruction.added" | "import.undone" | "account.erased";
            readonly data: {
                /** @enum {boolean} */
                readonly removed: true;
                /** @description The number of the change: 1, 2, 3 … for each supplier. */
                readonly removed_by?: string;
            };
        };
        readonly Statement: {
            readonly statement_id: string | null;
            /** Format: date */
            readonly bill_period_from_date: string | null;
            /** Format: date */
            readonly bill_period_to_date: string | null;
            /** Format: date */
            readonly issued_date: string | null;
            readonly number: string | null;
            /** @description A decimal. */
            readonly gross_amount: string | null;
            readonly statement_path: string | null;
            readonly document_location: string | null;
            readonly document_found: boolean | null;
        };
        readonly StatementsAdded: {
            /** @enum {string} */
            readonly specversion: "1.0";
            readonly id: string;
            /** @description The address of the feed, with its epoch. */
            readonly source: string;
            /** @enum {string} */
            readonly type: "statements.added";
            /** @description External number of the account. */
            readonly subject: string;
            /** Format: date-time */
            readonly time: string;
            /** @description The number of the change: 1, 2, 3 … for each supplier. */
            readonly sequence: string;
            /** @enum {string} */
            readonly datacontenttype: "application/json";
            readonly data: {
                readonly external_account_number: string;
                readonly service_account_number: string;
                /** Format: uuid */
                readonly import_request_id: string;
                readonly request_id: string | null;
                readonly items: readonly components["schemas"]["Statement"][];
            };
        };
        readonly Supplier: {
            readonly code: string;
            readonly name: string;
            /** @enum {string} */
            readonly status: "ongoing" | "paused" | "complete";
            /** @description The number of the newest change. */
            readonly sequence: number;
        };
        readonly SupplierList: {
            readonly suppliers: readonly components["schemas"]["Supplier"][];
        };
        readonly SupplierStatusChanged: {
            /** @enum {string} */
            readonly specversion: "1.0";
            readonly id: string;
            /** @description The address of the feed, with its epoch. */
            readonly source: string;
            /** @enum {string} */
            readonly type: "supplier.status_changed";
            /** Format: date-time */
            readonly time: string;
            /** @description The number of the change: 1, 2, 3 … for each supplier. */
            readonly sequence: string;
            /** @enum {string} */
            readonly datacontenttype: "application/json";
            readonly data: {
                /** @enum {string} */
                readonly status: "ongoing" | "paused" | "complete";
            };
        };
        readonly Transaction: {
            readonly transaction_id: string | null;
            /** Format: date */
            readonly transaction_date: string | null;
            /** @description A decimal. */
            readonly amount: string | null;
            readonly type: string | null;
            readonly reason: string | null;
            readonly reference: string | null;
            readonly payment_type: string | null;
            readonly display_note: string | null;
            readonly note: string | null;
            readonly product_code: string | null;
            readonly line_items: readonly {
                readonly [key: string]: string | readonly string[];
            }[] | null;
            readonly tax_items: readonly {
                readonly [key: string]: string | readonly string[];
            }[] | null;
            /** @description Of fields of which something else is stored than was sent: what was sent. */
            readonly sent?: {
                readonly transaction_date: string | null;
                readonly note: string | null;
            };
        };
        readonly TransactionsAdded: {
            /** @enum {string} */
            readonly specversion: "1.0";
            readonly id: string;
            /** @description The address of the feed, with its epoch. */
            readonly source: string;
            /** @enum {string} */
            readonly type: "transactions.added";
            /** @description External number of the account. */
            readonly subject: string;
            /** Format: date-time */
            readonly time: string;
            /** @description The number of the change: 1, 2, 3 … for each supplier. */
            readonly sequence: string;
            /** @enum {string} */
            readonly datacontenttype: "application/json";
            readonly data: {
                readonly external_account_number: string;
                readonly service_account_number: string;
                /** Format: uuid */
                readonly import_request_id: string;
                readonly request_id: string | null;
                readonly items: readonly components["schemas"]["Transaction"][];
                readonly pinned_note?: components["schemas"]["Note"];
            };
        };
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
        /** @description Seconds to wait before the request is sent again. */
        readonly "Retry-After": number;
        /** @description The scheme of the `Authorization` header. */
        readonly "WWW-Authenticate": "Token";
    };
    pathItems: never;
}
export type AccountErased = components['schemas']['AccountErased'];
export type AccountImported = components['schemas']['AccountImported'];
export type AccountPeriodChanged = components['schemas']['AccountPeriodChanged'];
export type Change = components['schemas']['Change'];
export type ChangesPage = components['schemas']['ChangesPage'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type ErrorResponse = components['schemas']['ErrorResponse'];
export type FeedRestarted = components['schemas']['FeedRestarted'];
export type FieldError = components['schemas']['FieldError'];
export type FieldErrorCode = components['schemas']['FieldErrorCode'];
export type ImportUndone = components['schemas']['ImportUndone'];
export type InvalidRequest = components['schemas']['InvalidRequest'];
export type NamedDocument = components['schemas']['NamedDocument'];
export type Note = components['schemas']['Note'];
export type NotesAdded = components['schemas']['NotesAdded'];
export type PaymentInstruction = components['schemas']['PaymentInstruction'];
export type PaymentInstructionAdded = components['schemas']['PaymentInstructionAdded'];
export type RemovedChange = components['schemas']['RemovedChange'];
export type Statement = components['schemas']['Statement'];
export type StatementsAdded = components['schemas']['StatementsAdded'];
export type Supplier = components['schemas']['Supplier'];
export type SupplierList = components['schemas']['SupplierList'];
export type SupplierStatusChanged = components['schemas']['SupplierStatusChanged'];
export type Transaction = components['schemas']['Transaction'];
export type TransactionsAdded = components['schemas']['TransactionsAdded'];
export type ParameterXRequestId = components['parameters']['X-Request-Id'];
export type HeaderXRequestId = components['headers']['X-Request-Id'];
export type HeaderXDataImportVersion = components['headers']['X-Data-Import-Version'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type $defs = Record<string, never>;
export interface operations {
    readonly listImportSuppliers: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description An id of your own for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Anything else is ignored, and a new id is generated. It identifies the request in the log, and in the record of what it stored. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All of them. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SupplierList"];
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
    readonly listChanges: {
        readonly parameters: {
            readonly query?: {
                /** @description The changes after it: `cursor` of the last answer. Without one the answer begins with the first change of the supplier. */
                readonly cursor?: string;
                /** @description The most changes of the answer; 1000 of a page and all of a stream by default. A page ends at 8 MiB too. */
                readonly limit?: number;
                /** @description How many seconds an empty answer is kept open until there is a change; 0 by default. */
                readonly wait?: number;
                /** @description The name of the reader. It says that everything up to the cursor is done, and operators see how far behind it is. */
                readonly reader?: string;
            };
            readonly header?: {
                /** @description An id of your own for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Anything else is ignored, and a new id is generated. It identifies the request in the log, and in the record of what it stored. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Code of the import supplier; compared exactly, including case. */
                readonly code: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page, or a stream of lines. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    /** @description The epoch of the feed. */
                    readonly "Feed-Epoch": string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ChangesPage"];
                    readonly "application/x-ndjson": components["schemas"]["Change"];
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
            /** @description `feed_restarted`: the cursor is of another epoch. */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-Data-Import-Version": components["headers"]["X-Data-Import-Version"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FeedRestarted"];
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
