import type { Tx } from './unit-of-work.js';

/**
 * A named SQL statement. Its name lets PostgreSQL plan it once per connection; its row type is what it returns.
 *
 * The text is fixed when the program starts: values travel as parameters only.
 */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Never set: carries the row type. */
  readonly row?: Row;
}

const STATEMENTS = new Map<string, Statement<unknown>>();

/** @param name unique in the program, with the room in front, for example `notes.attach` */
export function statement<Row>(name: string, text: string): Statement<Row> {
  if (STATEMENTS.has(name)) throw new Error(`There is a statement named ${name} already.`);
  const made: Statement<Row> = { name, text };
  STATEMENTS.set(name, made);
  return made;
}

/** Every statement of the rooms that are loaded, so that none escapes the look at their plans (test/db/plans.spec.ts). */
export function statements(): readonly Statement<unknown>[] {
  return [...STATEMENTS.values()];
}

/** Run a statement on the caller's connection. */
export async function run<Row>(
  tx: Tx,
  { name, text }: Statement<Row>,
  parameters: readonly unknown[],
): Promise<Row[]> {
  // TypeORM hands whatever it is given to pg, which prepares a query object that has a name.
  const query = (isPlain(tx) ? text : { name, text }) as string;
  return tx.query<Row[]>(query, [...parameters]);
}

/** Whether the connection must not prepare statements (setting DATABASE_STATEMENTS, read by ormconfig.ts). */
function isPlain(tx: Tx): boolean {
  const { extra } = tx.dataSource.options as { extra?: { statements?: string } };
  return extra?.statements === 'plain';
}

/** The one row of a statement that always answers exactly one. */
export async function runForOne<Row>(
  tx: Tx,
  wanted: Statement<Row>,
  parameters: readonly unknown[],
): Promise<Row> {
  const [row] = await run(tx, wanted, parameters);
  if (row === undefined) throw new Error(`The statement ${wanted.name} answered no row.`);
  return row;
}
