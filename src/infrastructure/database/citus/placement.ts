import { DISTRIBUTED_TABLES, REFERENCE_TABLES } from './promises.js';

/** The tables whose rows are where a supplier is: a query may name them in braces. */
export const PLACED_TABLES = [...REFERENCE_TABLES, ...DISTRIBUTED_TABLES] as const;

/** Where the rows of a supplier are on a Citus cluster. */
export interface Placement {
  /** The node, by the address that the cluster has for it. */
  readonly host: string;
  readonly port: number;
  /** Id of the shard of the first distributed table, with which those of all others are moved and split. */
  readonly shardId: string;
  /** Names of the shards, by their tables. */
  readonly shards: Readonly<Record<string, string>>;
}

/** The version of Citus whose locks and metadata {@link GUARD_FUNCTIONS} rest on: the one with which the tests of moves were run. */
export const CITUS_VERSION = '14.0';

/** SQLSTATE of {@link GUARD_FUNCTIONS} for a shard that is not, or not any more, on the node that was asked. */
export const NOT_PLACED = 'DI001';

/** SQL for whether a shard is on the node that carries out the query; NULL when it is not. */
const isHere = (shard: string): string =>
  `(SELECT true FROM pg_dist_placement p, pg_dist_local_group here WHERE p.shardid = ${shard} AND p.groupid = here.groupid)`;

/**
 * What keeps a query on a shard from reading or writing one that Citus has moved or split meanwhile, which Citus itself does only
 * for queries that it plans.
 *
 * Whoever reads looks in its own snapshot, in which the rows and their place agree. Whoever writes holds the shard first: `held_shard`
 * takes the lock that the writes of Citus take, which a move waits for before it lets go of the old shard and which keeps it out until
 * the end of the transaction, and looks then, with a snapshot that is newer than that of the query around it. Mode 5 is ShareLock,
 * which writes have in common.
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

/** SQL for the guards. The value of a subquery without a column is evaluated once, before the rest. */
const held = (shard: string): string => `(SELECT held_shard(${shard}))`;
const placed = (shard: string): string => `(SELECT coalesce(${isHere(shard)}, refuse_shard(${shard})))`;

/** In braces the guard of a query that writes or locks rows: a condition of its outermost part. One that reads gets its guard here. */
const HELD = 'held';

/** What may stand in braces in the text of a query: a table, with its alias if it has one, or {@link HELD}. */
const IN_BRACES = /\{([a-z_]+)(?: ([a-z_]+))?\}/g;

const TABLES: ReadonlySet<string> = new Set(PLACED_TABLES);

/** A table without braces, where SQL reads or writes one; after a comma with an alias of one letter. */
const BARE = /(?:\b(?:FROM|JOIN|INTO|UPDATE)\s+|,\s+(?=[a-z_]+ [a-z]\b))([a-z_]+)\b/g;
const WRITES = /\b(INSERT|UPDATE|DELETE|FOR (NO KEY )?(UPDATE|SHARE|KEY SHARE))\b/;

const namesIn = (text: string, names: RegExp): string[] =>
  [...text.matchAll(names)].map(([, name = '']) => name);

/**
 * Whether a query can be sent to the node of a supplier: it names tables in braces, or reads what every server has.
 *
 * @throws Error when it writes without a guard, or names another table of suppliers without braces
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

/** The text where each table is one, and in one place. */
export function renderPlain(text: string): string {
  return text.replaceAll(IN_BRACES, (_all, name: string, alias?: string) => {
    if (name === HELD) return 'true';
    return alias === undefined ? name : `${name} AS ${alias}`;
  });
}

/** The text for the node of a supplier: its shards, by the names that their tables have in the query, and the guard. */
export function renderAt({ shardId, shards }: Placement, text: string): string {
  const rendered = text.replaceAll(IN_BRACES, (_all, name: string, alias?: string) => {
    if (name === HELD) return held(shardId);
    const shard = shards[name];
    if (shard === undefined) throw new Error(`The table ${name} has no shard.`);
    return `${shard} AS ${alias ?? name}`;
  });
  return WRITES.test(text) ? rendered : `SELECT * FROM (${rendered}) AS found WHERE ${placed(shardId)}`;
}
