import type pg from 'pg';
import { QueryFailedError } from 'typeorm';
import { isPlaceable, renderAt, renderPlain, type Placement } from './citus/placement.js';
import { poolOf } from './pool-of.js';
import type { Tx } from './unit-of-work.js';

/**
 * A named SQL query. Its name lets PostgreSQL plan it once per connection; its row type is what it returns.
 *
 * The text is fixed when the program starts: values are passed as parameters only.
 */
export interface Query<Row> {
  readonly name: string;
  /** With parameters as PostgreSQL numbers them: `$1`, `$2`, … */
  readonly text: string;
  /** The same at the node of a supplier ({@link Placement}); nothing when it names no shards. */
  readonly textAt?: (placement: Placement) => string;
  /** The names of the parameters, in the order of their numbers. */
  readonly parameterNames: readonly string[];
  /** Never set: carries the row type. */
  readonly row?: Row;
}

/** Values of a query's parameters, by their names. */
export type QueryParameters = Readonly<Record<string, unknown>>;

/**
 * `:name` where it is a parameter. A colon after another one is a cast, after a word or a digit part of a time format,
 * after a bracket an array slice.
 */
const PARAMETER = /(?<![:\w[]):([a-z][a-z0-9_]*)/g;

const QUERIES = new Map<string, Query<unknown>>();

/**
 * Define a query.
 *
 * @param name unique in the program, with the module in front, for example `notes.attach`
 * @param text SQL whose parameters are written `:name`; a name may occur several times and is one parameter. Where it names the tables
 *   of suppliers in braces (citus/placement.ts) it can be sent to the node of a supplier
 */
export function query<Row>(name: string, text: string): Query<Row> {
  if (QUERIES.has(name)) throw new Error(`There is already a query named ${name}.`);
  const { written, parameterNames } = numbered(text);
  const made: Query<Row> = {
    name,
    text: renderPlain(written),
    ...(isPlaceable(name, written) && { textAt: (placement) => renderAt(placement, written) }),
    parameterNames,
  };
  QUERIES.set(name, made);
  return made;
}

function numbered(text: string): { readonly written: string; readonly parameterNames: readonly string[] } {
  const names = new Map<string, number>();
  const written = text.replaceAll(PARAMETER, (_placeholder, name: string) => {
    const number = names.get(name) ?? names.size + 1;
    names.set(name, number);
    return `$${number}`;
  });
  return { written, parameterNames: [...names.keys()] };
}

/** Every query that is loaded; test/database/infrastructure/database/plans.spec.ts checks the plan of each. */
export function queries(): readonly Query<unknown>[] {
  return [...QUERIES.values()];
}

/**
 * Run a query on the caller's connection.
 *
 * It is passed to pg directly: TypeORM's own `query` notifies subscribers and inspects the result, none of which is needed
 * here, and takes about as long as pg itself.
 *
 * @param parameters by the names that the query's text uses; further names are ignored
 * @throws QueryFailedError as TypeORM would, with the name of the query for the log, and without the parameters, which may
 *   hold a note's body
 */
export async function run<Row>(tx: Tx, wanted: Query<Row>, parameters: QueryParameters): Promise<Row[]> {
  const config = queryConfig(tx, wanted, parameters);
  const connection = await connectionOf(tx);
  try {
    return (await connection.query<Row & pg.QueryResultRow>(config)).rows;
  } catch (cause) {
    throw queryFailure(wanted, cause);
  }
}

/** A query as pg takes it; one with a name is prepared. */
export function queryConfig(tx: Tx, wanted: Query<unknown>, parameters: QueryParameters): pg.QueryConfig {
  const { name, text } = tx.placement ? atPlacement(tx.placement, wanted) : wanted;
  const values = valuesOf(wanted, parameters);
  return isPlain(tx) ? { text, values } : { text, values, name };
}

/** A query at the node of a supplier. */
interface PlacedQuery {
  readonly name: string;
  readonly text: string;
}

/** What was rendered for each placement. */
const PLACED = new WeakMap<Placement, Map<Query<unknown>, PlacedQuery>>();

/** A prepared query has the shard in its name, because the connections of a node are for all of its shards. */
function atPlacement(placement: Placement, wanted: Query<unknown>): PlacedQuery {
  const rendered = PLACED.get(placement) ?? new Map<Query<unknown>, PlacedQuery>();
  const known = rendered.get(wanted);
  if (known) return known;
  if (!wanted.textAt) throw new Error(`The query ${wanted.name} names no shards.`);
  const made = { name: `${wanted.name}@${placement.shardId}`, text: wanted.textAt(placement) };
  PLACED.set(placement, rendered.set(wanted, made));
  return made;
}

/** The error of a query that failed, with its name for the log and without its parameters. */
export function queryFailure({ name, text }: Query<unknown>, cause: unknown): QueryFailedError {
  return Object.assign(new QueryFailedError(text, undefined, cause as Error), { queryName: name });
}

function valuesOf({ name, parameterNames }: Query<unknown>, parameters: QueryParameters): unknown[] {
  return parameterNames.map((parameter) => {
    if (!(parameter in parameters)) throw new Error(`The query ${name} needs the parameter ${parameter}.`);
    return parameters[parameter];
  });
}

/** The connection of the transaction; outside of one whichever is free. */
function connectionOf({ queryRunner, dataSource }: Tx): pg.Pool | Promise<pg.PoolClient> {
  return queryRunner ? (queryRunner.connect() as Promise<pg.PoolClient>) : poolOf(dataSource);
}

/** Whether the connection must not prepare queries (setting DATABASE_STATEMENTS, read by connection-options.ts). */
function isPlain({ dataSource }: Tx): boolean {
  const { extra } = dataSource.options as { extra?: { statements?: string } };
  return extra?.statements === 'plain';
}

/** The one row of a query that always returns exactly one. */
export async function runForOne<Row>(tx: Tx, wanted: Query<Row>, parameters: QueryParameters): Promise<Row> {
  const [row] = await run(tx, wanted, parameters);
  if (row === undefined) throw new Error(`The query ${wanted.name} returned no row.`);
  return row;
}
