import type { ErrorCode, FieldErrorCode } from '../common/errors.js';
import type { ImportKind } from '../items/items.js';

/** Which refusals of a supplier. */
export interface RefusalFilter {
  readonly import_supplier_id: number;
  readonly since: Date;
  /** One cause, as PostgreSQL writes a bigint; null for all. */
  readonly cause: string | null;
}

/** What several refusals of the own organisation have in common. */
export interface RefusalCause {
  /** Identifies it within its supplier. */
  readonly cause: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly refusal: RefusalFacts;
  /** The commonest refused values; null unless the field has a closed set of values. */
  readonly values: readonly RefusedValue[] | null;
  /** The newest ones. */
  readonly samples: readonly RefusalSample[];
}

/** A cause as it is read, with what all causes count. */
export type RefusalCauseRow = RefusalCause & { readonly countOfAll: number; readonly causeCount: number };

/** How the requests of a cause were refused. */
export interface RefusalFacts {
  readonly kind: ImportKind;
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

export interface RefusalSample {
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
}

/** Refusals of other organisations at one endpoint with one HTTP status: all that may be seen of them. */
export interface OthersRefusals {
  readonly kind: ImportKind;
  readonly status: number;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** Where a page of refusals ends: the next one begins after it. */
export interface RefusalCursor {
  readonly id: string;
  /** `at` as PostgreSQL writes it, because a Date has no microseconds. */
  readonly exact_at: string;
}

/** One refusal; of another organisation's there is nothing else to be seen than when it was, the endpoint and the status. */
export interface RefusalRecord extends RefusalCursor {
  readonly at: Date;
  readonly kind: ImportKind;
  readonly status: number;
  /** By the columns of the file in which they are downloaded; null of another organisation's. */
  readonly details: Readonly<Record<string, string | boolean | null>> | null;
}
