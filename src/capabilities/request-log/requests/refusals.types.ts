import type { AccountState } from '../../../accounts/status/account-state.js';
import type { ErrorCode, FieldErrorCode } from '../../../infrastructure/errors/errors.js';
import type { ImportKind } from '../../../infrastructure/item-names/item-names.js';
import type { CountedCause } from './counted-causes.js';
import type { RequestCursor } from './sent-requests.types.js';

/** The one cause of requests for accounts that are not imported, whatever the endpoint, dry runs too. */
export const NOT_IMPORTED = '0';

/** Which refusals of a supplier. */
export interface RefusalFilter {
  readonly import_supplier_id: number;
  readonly since: Date;
  /** One cause, as PostgreSQL writes a bigint; null for all. */
  readonly cause: string | null;
}

/** What several refusals of the own organisation have in common. */
export type RefusalCause = CountedCause & { readonly refusal: RefusalFacts };

/** How the requests of a cause were refused. */
export interface RefusalFacts {
  /** Null of {@link NOT_IMPORTED}. */
  readonly kind: ImportKind | null;
  readonly status: number;
  readonly code: ErrorCode;
  readonly fieldCode: FieldErrorCode | null;
  /** Path of the first field at fault, without the indexes of lists; null of an undocumented one, whose name the client has invented. */
  readonly field: string | null;
  readonly isDryRun: boolean;
}

/** A value that was refused, and in how many requests. */
export interface RefusedValue {
  readonly value: string;
  readonly count: number;
}

/** Examples of a cause. */
export interface RefusalExamples {
  /** The newest ones. */
  readonly samples: readonly RefusalSample[];
  /** The commonest refused values; null unless the field has a closed set of values. */
  readonly values: readonly RefusedValue[] | null;
}

interface RefusalSample {
  /** Empty when the request named none. */
  readonly externalAccountNumber: string;
  readonly requestId: string;
  /** Path of the undocumented field that was sent; null of other causes. */
  readonly unknownField: string | null;
}

/** An account with refusals of one cause. */
export interface RefusedAccount {
  readonly externalAccountNumber: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** Of the account at present; null when it was never staged. */
  readonly state: AccountState | null;
}

/** In which states refused accounts are at present, and how many were never staged. */
export type RefusedAccountStates = Readonly<Record<AccountState | 'unknown' | 'accounts', number>>;

/** Refusals of other organisations at one endpoint with one HTTP status: all that may be seen of them. */
export interface OthersRefusals {
  readonly kind: ImportKind;
  readonly status: number;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** One refusal; of another organisation's there is nothing else to be seen than when it was, the endpoint and the status. */
export interface RefusalRecord extends RequestCursor {
  readonly at: Date;
  readonly kind: ImportKind;
  readonly status: number;
  /** By the columns of the file in which they are downloaded; null of another organisation's. */
  readonly details: Readonly<Record<string, string | boolean | null>> | null;
}
