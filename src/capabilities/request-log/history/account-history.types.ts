import type { SentRequest } from '../requests/sent-requests.types.js';

/** An event in the history of an account. */
export type AccountEvent = RequestEvent | OtherEvent;

/** An import request that stored something or was refused. */
export interface RequestEvent {
  readonly at: Date;
  readonly event: 'request';
  readonly request: SentRequest;
}

export interface OtherEvent {
  readonly at: Date;
  readonly event: 'staged' | 'imported' | 'import_failed' | 'operator_change';
  /** The additional members of the event, as `accounts history` prints them. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** The columns of an account's own row that tell events. */
export interface AccountStateRow {
  readonly staged_at: Date;
  readonly account_created_at: Date | null;
  readonly service_account_number: string | null;
  readonly failed_at: Date | null;
  readonly failure: string | null;
}

/** An event with its id, a UUID of version 7. Events are ordered by id. */
export type AccountEventRow = AccountEvent & { readonly id: string };

/** A change by an operator. */
export type ChangeRow = OtherEvent & { readonly id: string };
