import type { TestDatabase } from './database.js';

/** A change in the log. The fields are null when its account was erased. */
export interface LoggedChange {
  readonly sequence: number;
  readonly type: string;
  readonly number: string | null;
  readonly request: string | null;
  readonly status: string | null;
  readonly at: Date | null;
}

/** The changes of a supplier after a sequence number. */
export function readLog(
  { sql }: Pick<TestDatabase, 'sql'>,
  importSupplierId: number,
  after = 0,
): Promise<LoggedChange[]> {
  return sql<{ [Name in keyof LoggedChange]: LoggedChange[Name] }>(
    `SELECT c.sequence::integer AS sequence, c.type, c.external_account_number AS number, c.import_request_id AS request, c.status, c.at
       FROM feed_change c
      WHERE c.import_supplier_id = $1 AND c.sequence > $2
      ORDER BY c.sequence`,
    [importSupplierId, after],
  );
}

/** The type of each change with its account or status, in order. */
export function described(log: readonly LoggedChange[]): string[] {
  return log.map(({ type, number, status }) => [type, number ?? status ?? 'erased'].join(' '));
}

/** Expect that the sequence numbers are 1, 2, 3 … */
export function expectWithoutGap(log: readonly LoggedChange[]): void {
  expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_change, index) => index + 1));
}
