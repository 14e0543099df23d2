import type { ErrorCode, FieldErrorCode } from '../../common/errors.js';
import type { ImportKind } from '../../items/items.js';

/** The supplier of a page. */
export interface NamedSupplier {
  readonly code: string;
  readonly name: string;
}

/** The periods that the pages can be limited to. */
export const PERIODS = ['hour', 'day', '30-days'] as const;
export type Period = (typeof PERIODS)[number];

/** A value that was refused, and in how many requests. */
export interface RefusedValue {
  readonly value: string;
  readonly count: number;
}

/** Requests that were refused for the same cause. */
export interface RefusalGroup {
  /** Identifies the group within its supplier. */
  readonly cause: string;
  readonly kind: ImportKind;
  readonly status: number;
  readonly code: ErrorCode;
  readonly fieldCode: FieldErrorCode | null;
  /** Path of the first field at fault, without the indexes of lists. */
  readonly field: string | null;
  readonly isDryRun: boolean;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** The commonest refused values; empty unless the field has a closed set of values. */
  readonly values: readonly RefusedValue[];
  /** The newest. */
  readonly samples: readonly RefusedRequest[];
}

export interface RefusedRequest {
  /** Undefined of a request of another organisation than the admin's own (choice C3). */
  readonly requestId: string | undefined;
  /** Empty when the request named none. */
  readonly externalAccountNumber: string;
}

/** Accounts whose import failed for the same cause. */
export interface FailureGroup {
  /** The sentence of the failures without its days. */
  readonly cause: string;
  readonly count: number;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  /** Some of the account numbers. */
  readonly samples: readonly string[];
}

/** The largest groups, and how many there are in all. */
export interface Groups<Group> {
  readonly groups: readonly Group[];
  /** Of all groups. */
  readonly count: number;
  readonly groupCount: number;
}

/** What fails of a supplier. */
export interface Failures {
  readonly supplier: NamedSupplier;
  readonly period: Period;
  readonly refusals: Groups<RefusalGroup>;
  readonly failedImports: Groups<FailureGroup>;
  /** Whether the viewer may put failed accounts back to pending. */
  readonly mayRetry: boolean;
  /** How many accounts were just put back. */
  readonly retried: number | undefined;
}

/** A page of the accounts of a group. */
export interface AccountsOfGroup<Group, Account> {
  readonly supplier: NamedSupplier;
  readonly group: Group;
  readonly accounts: readonly Account[];
  /** Where the next page begins. */
  readonly next: string | undefined;
  /** Whether this is the first page. */
  readonly isFirst: boolean;
}

/** How often an account was refused for one cause. */
export interface RefusedAccount {
  readonly externalAccountNumber: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

export interface RefusedAccounts extends AccountsOfGroup<RefusalGroup, RefusedAccount> {
  readonly period: Period;
}

/** An account whose import failed. */
export interface FailedAccount {
  readonly externalAccountNumber: string;
  readonly failure: string;
  readonly failedAt: Date | null;
}

export interface FailedAccounts extends AccountsOfGroup<FailureGroup, FailedAccount> {
  readonly mayRetry: boolean;
}
