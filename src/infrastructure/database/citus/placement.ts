import { DISTRIBUTED_TABLES, REFERENCE_TABLES } from './promises.js';

/** The tables whose rows are on the node of their supplier. Queries may name them in braces. */
export const PLACED_TABLES = [...REFERENCE_TABLES, ...DISTRIBUTED_TABLES] as const;

/** Where the rows of a supplier are in a Citus cluster. */
export interface Placement {
  /** Host of the node, as the cluster knows it. */
  readonly host: string;
  readonly port: number;
  /** Id of the supplier's shard of the first distributed table. The shards of all other tables are moved and split with it. */
  readonly shardId: string;
  /** Names of the shards, by table. */
  readonly shards: Readonly<Record<string, string>>;
}

/** The version of Citus whose locks and metadata {@link GUARD_FUNCTIONS} rely on: the one that the tests of moves ran with. */
export const CITUS_VERSION = '14.0';

/** SQLSTATE that {@link GUARD_FUNCTIONS} raise for a shard that is not, or no longer, on the node. */
export const NOT_PLACED = 'DI001';

/** SQL for whether a shard is on the node that runs the query; NULL if it is not. */
const isHere = (shard: string): string =>
  `(SELECT true FROM pg_dist_placement p, pg_dist_local_group here WHERE p.shardid = ${shard} AND p.groupid = here.groupid)`;

/**
 * Guards that keep a query from reading or writing a shard that Citus has meanwhile moved or split. Citus itself guards only
 * queries that it plans.
 *
 * A query that reads checks the placement in its own snapshot, in which the rows and their placement agree. A query that writes
 * locks the shard first: `held_shard` takes the lock that Citus takes for its own writes. A move waits for this lock before it
 * lets go of the old shard, and the lock keeps a move out until the end of the transaction. Then `held_shard` checks the
 * placement, with a newer snapshot than the query around it. Mode 5 is ShareLock, which writes share with each other.
 */
export const GUARD_FUNCTIONS = `
CREATE OR REPLACE FUNCTION refuse_shard(shard bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'shard % is not on this node', shard USING ERRCODE = '${NOT_PLACED}';
END $$;
CREATE OR REPLACE FUNCTION held_shard(shard bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_shard_metadata(5, ARRAY[shard]);
  RETURN coalesce(${isHere('shard')}, refuse_shard(shard));
END $$`;

/** SQL for the guards. The subquery does not depend on a column, so it is evaluated once, before the rest. */
const held = (shard: string): string => `(SELECT held_shard(${shard}))`;
const placed = (shard: string): string => `(SELECT coalesce(${isHere(shard)}, refuse_shard(${shard})))`;

/**
 * In braces: the guard of a query that writes or locks rows, a condition of its outermost part. Queries that read get their guard
 * from {@link renderAt}.
 */
const HELD = 'held';

/** Matches braces in the text of a query: a table, with or without an alias, or {@link HELD}. */
const IN_BRACES = /\{([a-z_]+)(?: ([a-z_]+))?\}/g;

const TABLES: ReadonlySet<string> = new Set(PLACED_TABLES);

/** A table without braces that SQL reads or writes; after a comma, a table with an alias of one letter. */
const BARE = /(?:\b(?:FROM|JOIN|INTO|UPDATE)\s+|,\s+(?=[a-z_]+ [a-z]\b))([a-z_]+)\b/g;
const WRITES = /\b(INSERT|UPDATE|DELETE|FOR (NO KEY )?(UPDATE|SHARE|KEY SHARE))\b/;

const namesIn = (text: string, names: RegExp): string[] =>
  [...text.matchAll(names)].map(([, name = '']) => name);

/**
 * Whether a query can be sent to the node of a supplier: it names tables in braces, or reads only what every server has.
 *
 * @throws Error if it writes without a guard, or names another table of suppliers without braces
 */
export function isPlaceable(query: string, text: string): boolean {
  const names = namesIn(text, IN_BRACES);
  const bare = namesIn(text, BARE);
  if (names.length === 0) return text.startsWith('SELECT') && bare.every((name) => name.startsWith('pg_'));
  const refuse = (why: string): never => {
    throw new Error(`The query ${query} ${why}.`);
  };
  const unknown = names.find((name) => !TABLES.has(name) && name !== HELD);
  if (unknown !== undefined) refuse(`names ${unknown}, which is no table of suppliers`);
  const guards = names.filter((name) => name === HELD).length;
  if (WRITES.test(text) && guards !== 1)
    refuse(`writes or locks rows, and holds their shard ${guards} times`);
  if (!WRITES.test(text) && guards > 0) refuse('reads, and holds a shard');
  const unplaced = bare.find((name) => TABLES.has(name));
  if (unplaced !== undefined) refuse(`names ${unplaced} without braces`);
  return true;
}

/** The text for a database in which each table is a single local table. */
export function renderPlain(text: string): string {
  return text.replaceAll(IN_BRACES, (_all, name: string, alias?: string) => {
    if (name === HELD) return 'true';
    return alias === undefined ? name : `${name} AS ${alias}`;
  });
}

/** The text for the node of a supplier: the names of its shards, aliased as the tables in the query, and the guard. */
export function renderAt({ shardId, shards }: Placement, text: string): string {
  const rendered = text.replaceAll(IN_BRACES, (_all, name: string, alias?: string) => {
    if (name === HELD) return held(shardId);
    const shard = shards[name];
    if (shard === undefined) throw new Error(`The table ${name} has no shard.`);
    return `${shard} AS ${alias ?? name}`;
  });
  return WRITES.test(text) ? rendered : `SELECT * FROM (${rendered}) AS found WHERE ${placed(shardId)}`;
}
