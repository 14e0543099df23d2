/** What happened to an account, and when. */
export interface AccountEvent {
  readonly at: Date;
  readonly event: 'staged' | 'imported' | 'import_failed' | 'import_request' | 'refusal' | 'operator_change';
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

/** One of the other events. */
export interface AccountEventRow extends AccountEvent {
  /** UUID of version 7: events are in the order of their ids. */
  readonly id: string;
}
