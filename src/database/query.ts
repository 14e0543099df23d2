import type pg from 'pg';
import { QueryFailedError } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { Tx } from './unit-of-work.js';

/**
 * A named SQL query. Its name lets PostgreSQL plan it once per connection; its row type is what it returns.
 *
 * The text is fixed when the program starts: values travel as parameters only.
 */
export interface Query<Row> {
  readonly name: string;
  readonly text: string;
  /** Never set: carries the row type. */
  readonly row?: Row;
}

const QUERIES = new Map<string, Query<unknown>>();

/** @param name unique in the program, with the room in front, for example `notes.attach` */
export function query<Row>(name: string, text: string): Query<Row> {
  if (QUERIES.has(name)) throw new Error(`There is a query named ${name} already.`);
  const made: Query<Row> = { name, text };
  QUERIES.set(name, made);
  return made;
}

/** Every query that is loaded, so that none escapes the check of their plans (test/database/plans.spec.ts). */
export function queries(): readonly Query<unknown>[] {
  return [...QUERIES.values()];
}

/**
 * Run a query on the caller's connection.
 *
 * It is handed to pg directly: TypeORM's own way to run a query tells subscribers of it and looks at its result, of which
 * nothing is wanted here, and takes about as long as pg itself.
 *
 * @throws QueryFailedError as TypeORM would, but without the parameters, which may hold a note's body
 */
export async function run<Row>(
  tx: Tx,
  { name, text }: Query<Row>,
  parameters: readonly unknown[],
): Promise<Row[]> {
  const connection = await connectionOf(tx);
  try {
    const { rows } = await connection.query<Row & pg.QueryResultRow>({
      text,
      values: [...parameters],
      // What has a name is prepared.
      ...(!isPlain(tx) && { name }),
    });
    return rows;
  } catch (cause) {
    throw new QueryFailedError(text, undefined, cause as Error);
  }
}

/** The connection of the transaction, or for a single statement whichever is free. */
function connectionOf({ queryRunner, dataSource }: Tx): pg.Pool | Promise<pg.PoolClient> {
  return queryRunner
    ? (queryRunner.connect() as Promise<pg.PoolClient>)
    : ((dataSource.driver as PostgresDriver).master as pg.Pool);
}

/** Whether the connection must not prepare statements (setting DATABASE_STATEMENTS, read by ormconfig.ts). */
function isPlain({ dataSource }: Tx): boolean {
  const { extra } = dataSource.options as { extra?: { statements?: string } };
  return extra?.statements === 'plain';
}

/** The one row of a query that always returns exactly one. */
export async function runForOne<Row>(
  tx: Tx,
  wanted: Query<Row>,
  parameters: readonly unknown[],
): Promise<Row> {
  const [row] = await run(tx, wanted, parameters);
  if (row === undefined) throw new Error(`The query ${wanted.name} returned no row.`);
  return row;
}
