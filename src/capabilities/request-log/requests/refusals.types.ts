import type { AccountState } from '../../../accounts/status/account-state.js';
import type { ErrorCode, FieldErrorCode } from '../../../infrastructure/errors/errors.js';
import type { ImportKind } from '../../../infrastructure/item-names/item-names.js';
import type { CountedCause } from './counted-causes.js';
import type { RequestCursor } from './sent-requests.types.js';

/** The single cause of requests for accounts that are not imported, for all endpoints and dry runs. */
export const NOT_IMPORTED = '0';

/** Which refusals of a supplier to read. */
export interface RefusalFilter {
  readonly import_supplier_id: number;
  readonly since: Date;
  /** One cause, as PostgreSQL writes a bigint; null for all. */
  readonly cause: string | null;
}

/** A cause of several refusals of the reader's own organisation. */
export type RefusalCause = CountedCause & { readonly refusal: RefusalFacts };

/** How the requests of a cause were refused. */
export interface RefusalFacts {
  /** Null for {@link NOT_IMPORTED}. */
  readonly kind: ImportKind | null;
  readonly status: number;
  readonly code: ErrorCode;
  readonly fieldCode: FieldErrorCode | null;
  /** Path of the first field at fault, without list indexes; null for an undocumented field, whose name the client invented. */
  readonly field: string | null;
  readonly isDryRun: boolean;
  /** The most frequent refused values, if they were read. */
  readonly values?: RefusalExamples['values'];
}

/** A value that was refused, and in how many requests. */
export interface RefusedValue {
  readonly value: string;
  readonly count: number;
}

/** Examples of a cause. */
export interface RefusalExamples {
  /** The newest refusals of the cause. */
  readonly samples: readonly RefusalSample[];
  /** The most frequent refused values; null unless the field has a closed set of values. */
  readonly values: readonly RefusedValue[] | null;
}

interface RefusalSample {
  /** Empty when the request named none. */
  readonly externalAccountNumber: string;
  readonly requestId: string;
  /** Path of the undocumented field that was sent; null for other causes. */
  readonly unknownField: string | null;
}

/** An account with refusals of one cause. */
export interface RefusedAccount {
  readonly externalAccountNumber: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** The current state of the account; null when it was never staged. */
  readonly state: AccountState | null;
}

/** How many refused accounts are currently in each state, and how many were never staged. */
export type RefusedAccountStates = Readonly<Record<AccountState | 'unknown' | 'accounts', number>>;

/** Refusals of other organisations at one endpoint with one HTTP status. Nothing else may be seen of them. */
export interface OthersRefusals {
  readonly kind: ImportKind;
  readonly status: number;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** One refusal. For another organisation's refusal only the time, the endpoint and the status can be seen. */
export interface RefusalRecord extends RequestCursor {
  readonly at: Date;
  readonly kind: ImportKind;
  readonly status: number;
  /** By the columns of the CSV file that they are downloaded in; null for another organisation's refusal. */
  readonly details: Readonly<Record<string, string | boolean | null>> | null;
}
