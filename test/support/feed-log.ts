import type { TestDatabase } from './database.js';

/** A change as the log has it; emptied when its account was erased. */
export interface LoggedChange {
  readonly sequence: number;
  readonly type: string;
  readonly number: string | null;
  readonly request: string | null;
  readonly status: string | null;
  readonly at: Date | null;
}

/** The log of a supplier after a number. */
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

/** The types of a log with their accounts or statuses, in order. */
export function described(log: readonly LoggedChange[]): string[] {
  return log.map(({ type, number, status }) => [type, number ?? status ?? 'erased'].join(' '));
}

/** @throws unless the numbers are 1, 2, 3 … */
export function expectWithoutGap(log: readonly LoggedChange[]): void {
  expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_change, index) => index + 1));
}
