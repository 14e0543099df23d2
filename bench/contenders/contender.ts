import type { RunningServer } from '../processes/child.js';
import { query } from '../processes/postgres.js';

/** The kinds of rows that an import request stores. */
export type Stored = 'notes' | 'transactions' | 'statements' | 'payment_instructions';

/** Count of rows of one kind, and a total: of amounts, gross amounts or lengths of notes; 0 for payment instructions. */
export interface Rows {
  readonly count: number;
  readonly total: number;
}

/** The service account number of every imported account, by external number. The numbers differ between servers. */
export type ServiceNumbers = ReadonlyMap<string, string>;

/** A measured server, with its own process and its own database. */
export interface Contender {
  readonly name: string;
  readonly origin: string;
  readonly token: string;
  readonly pid: number;
  /** postgres:// address of its database. */
  readonly databaseUrl: string;
  /** Its database servers, when they are not the run's own; empty when their processor time cannot be read. */
  readonly databasePids?: readonly number[];
  /** The rows of a kind in its database. */
  readonly stored: (what: Stored) => Promise<Rows>;
  readonly serviceNumbers: () => Promise<ServiceNumbers>;
  readonly stop: () => Promise<void>;
}

/** Table and summed expression of each kind of row. Every build that `--against` may name must have them. */
const ROWS: Readonly<Record<Stored, readonly [table: string, summand: string]>> = {
  notes: ['note', 'length(body)'],
  transactions: ['transaction', 'amount'],
  statements: ['statement', 'gross_amount'],
  payment_instructions: ['payment_instruction', '0'],
};

export function contender(
  name: string,
  databaseUrl: string,
  token: string,
  { origin, pid, stop }: RunningServer,
): Contender {
  return {
    name,
    origin,
    token,
    pid,
    databaseUrl,
    stored: async (what) => {
      const [table, summand] = ROWS[what];
      const text = `SELECT count(*)::integer AS count, coalesce(sum(${summand}), 0)::float8 AS total FROM ${table}`;
      const [stored] = (await query(databaseUrl, text)) as [Rows];
      return stored;
    },
    serviceNumbers: async () => {
      const text = `SELECT external_account_number AS external, service_account_number AS service
                      FROM account_import WHERE service_account_number IS NOT NULL`;
      const numbers = (await query(databaseUrl, text)) as { external: string; service: string }[];
      return new Map(numbers.map(({ external, service }) => [external, service]));
    },
    stop,
  };
}
