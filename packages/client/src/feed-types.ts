/** Until contract/platform.json has them. */
export interface Change {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject?: string;
  readonly time?: string;
  readonly sequence: string;
  readonly data: Readonly<Record<string, unknown>>;
}
export interface FeedSupplier {
  readonly code: string;
  readonly status: string;
  readonly sequence: string;
}
