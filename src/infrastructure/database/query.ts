import type pg from 'pg';
import { QueryFailedError } from 'typeorm';
import { isPlaceable, renderAt, renderPlain, type Placement } from './citus/placement.js';
import { poolOf } from './pool-of.js';
import type { Tx } from './unit-of-work.js';

/**
 * A named SQL query. The name lets PostgreSQL plan it once per connection; the row type is the type of its result.
 *
 * The text is fixed when the program starts: values are only passed as parameters.
 */
export interface Query<Row> {
  readonly name: string;
  /** With PostgreSQL's numbered parameters: `$1`, `$2`, … */
  readonly text: string;
  /** The text for the node of a supplier ({@link Placement}); absent if the query names no shards. */
  readonly textAt?: (placement: Placement) => string;
  /** The names of the parameters, in the order of their numbers. */
  readonly parameterNames: readonly string[];
  /** Never set: carries the row type. */
  readonly row?: Row;
}

/** Values of a query's parameters, by name. */
export type QueryParameters = Readonly<Record<string, unknown>>;

/**
 * Matches a parameter `:name`. A colon after another colon is a cast, after a word or digit a part of a time format, after a
 * bracket an array slice.
 */
const PARAMETER = /(?<![:\w[]):([a-z][a-z0-9_]*)/g;

const QUERIES = new Map<string, Query<unknown>>();

/**
 * Define a query.
 *
 * @param name unique in the program and prefixed with the module, for example `notes.attach`
 * @param text SQL with parameters written `:name`; a name that occurs several times is one parameter. If the text names the
 * tables of suppliers in braces (citus/placement.ts), it can be sent to the node of a supplier
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

/** All loaded queries; test/database/infrastructure/database/plans.spec.ts checks the plan of each. */
export function queries(): readonly Query<unknown>[] {
  return [...QUERIES.values()];
}

/**
 * Run a query on the caller's connection.
 *
 * The query goes directly to pg: TypeORM's own `query` notifies subscribers and inspects the result, which is not needed here and
 * takes about as long as pg itself.
 *
 * @param parameters by the names that the query's text uses; other names are ignored
 * @throws QueryFailedError like TypeORM's, with the name of the query for the log, and without the parameters, which may contain
 * a note's body
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

/** A query in pg's form; a query with a name is prepared. */
export function queryConfig(tx: Tx, wanted: Query<unknown>, parameters: QueryParameters): pg.QueryConfig {
  const { name, text } = tx.placement ? atPlacement(tx.placement, wanted) : wanted;
  const values = valuesOf(wanted, parameters);
  return isPlain(tx) ? { text, values } : { text, values, name };
}

/** A query for the node of a supplier. */
interface PlacedQuery {
  readonly name: string;
  readonly text: string;
}

/** The rendered queries of each placement. */
const PLACED = new WeakMap<Placement, Map<Query<unknown>, PlacedQuery>>();

/** The name of a prepared query includes the shard, because the connections to a node are shared by all of its shards. */
function atPlacement(placement: Placement, wanted: Query<unknown>): PlacedQuery {
  const rendered = PLACED.get(placement) ?? new Map<Query<unknown>, PlacedQuery>();
  const known = rendered.get(wanted);
  if (known) return known;
  if (!wanted.textAt) throw new Error(`The query ${wanted.name} names no shards.`);
  const made = { name: `${wanted.name}@${placement.shardId}`, text: wanted.textAt(placement) };
  PLACED.set(placement, rendered.set(wanted, made));
  return made;
}

/** The error of a failed query, with its name for the log and without its parameters. */
export function queryFailure({ name, text }: Query<unknown>, cause: unknown): QueryFailedError {
  return Object.assign(new QueryFailedError(text, undefined, cause as Error), { queryName: name });
}

function valuesOf({ name, parameterNames }: Query<unknown>, parameters: QueryParameters): unknown[] {
  return parameterNames.map((parameter) => {
    if (!(parameter in parameters)) throw new Error(`The query ${name} needs the parameter ${parameter}.`);
    return parameters[parameter];
  });
}

/** The connection of the transaction, or outside of one any free connection. */
function connectionOf({ queryRunner, dataSource }: Tx): pg.Pool | Promise<pg.PoolClient> {
  return queryRunner ? (queryRunner.connect() as Promise<pg.PoolClient>) : poolOf(dataSource);
}

/** Whether the connection must not prepare queries (setting DATABASE_STATEMENTS, read by connection-options.ts). */
function isPlain({ dataSource }: Tx): boolean {
  const { extra } = dataSource.options as { extra?: { statements?: string } };
  return extra?.statements === 'plain';
}

/** The row of a query that always returns exactly one. */
export async function runForOne<Row>(tx: Tx, wanted: Query<Row>, parameters: QueryParameters): Promise<Row> {
  const [row] = await run(tx, wanted, parameters);
  if (row === undefined) throw new Error(`The query ${wanted.name} returned no row.`);
  return row;
}
