import type { SentRequest } from '../requests/sent-requests.types.js';

/** What happened to an account, and when. */
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
  /** The further members of the event, as `accounts history` prints them. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** The events of an account that its own row tells. */
export interface AccountStateRow {
  readonly staged_at: Date;
  readonly account_created_at: Date | null;
  readonly service_account_number: string | null;
  readonly failed_at: Date | null;
  readonly failure: string | null;
}

/** An event with its id, a UUID of version 7: events are in the order of their ids. */
export type AccountEventRow = AccountEvent & { readonly id: string };

/** A change by an operator. */
export type ChangeRow = OtherEvent & { readonly id: string };
