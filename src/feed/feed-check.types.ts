/** The feed of a supplier beside what is stored (choice E3). */
export interface FeedCheck {
  /** Rows of the log; as many as the last number says, unless one is missing. */
  readonly changes: number;
  readonly lastSequence: number;
  /** Imported accounts, import requests and undone ones without a change, numbered or waiting. */
  readonly missing: number;
}
