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

/** SQL for the guards, of the id of a shard. The value of a subquery without a column is evaluated once, before the rest. */
const GUARDS: Readonly<Record<string, (shardId: string) => string>> = {
  held: (shardId) => `(SELECT held_shard(${shardId}))`,
  placed: (shardId) => `(SELECT coalesce(${isHere(shardId)}, refuse_shard(${shardId})))`,
};

/**
 * What may stand in braces in the text of a query: a table, with its alias if it has one, or one of the guards `{held}` of a query that
 * writes or locks rows and `{placed}` of one that reads. The guard is a condition of the outermost part, which is evaluated before
 * anything is read.
 */
const IN_BRACES = /\{([a-z_]+)(?: ([a-z_]+))?\}/g;

const TABLES: ReadonlySet<string> = new Set(PLACED_TABLES);

/** A table without braces, where SQL reads or writes one; after a comma with an alias of one letter. */
const BARE = /(?:\b(?:FROM|JOIN|INTO|UPDATE)\s+|,\s+(?=[a-z_]+ [a-z]\b))([a-z_]+)\b/g;
const WRITES = /\b(INSERT|UPDATE|DELETE|FOR (NO KEY )?(UPDATE|SHARE|KEY SHARE))\b/;

/**
 * Whether a query can be sent to the node of a supplier: it names tables in braces.
 *
 * @throws Error when it has no guard then, or one that is too weak, or names another table of suppliers without braces
 */
export function isPlaceable(query: string, text: string): boolean {
  const names = [...text.matchAll(IN_BRACES)].map(([, name = '']) => name);
  const guards = names.filter((name) => name in GUARDS);
  const unknown = names.find((name) => !TABLES.has(name) && !(name in GUARDS));
  const refuse = (why: string): never => {
    throw new Error(`The query ${query} ${why}.`);
  };
  if (unknown !== undefined) refuse(`names ${unknown}, which is no table of suppliers`);
  if (names.length === 0) return false;
  if (guards.length !== 1) refuse(guards.length === 0 ? 'names shards and has no guard' : 'has two guards');
  if (WRITES.test(text) && guards[0] !== 'held') refuse('writes or locks rows, and must hold the shard');
  const bare = [...text.matchAll(BARE)].map(([, name = '']) => name).find((name) => TABLES.has(name));
  if (bare !== undefined) refuse(`names ${bare} without braces`);
  return true;
}

/** The text where each table is one, and in one place. */
export function renderPlain(text: string): string {
  return text.replaceAll(IN_BRACES, (_all, name: string, alias?: string) => {
    if (name in GUARDS) return 'true';
    return alias === undefined ? name : `${name} AS ${alias}`;
  });
}

/** The text for the node of a supplier: its shards, by the names that their tables have in the query. */
export function renderAt({ shardId, shards }: Placement, text: string): string {
  return text.replaceAll(IN_BRACES, (_all, name: string, alias?: string) => {
    const guard = GUARDS[name];
    if (guard) return guard(shardId);
    const shard = shards[name];
    if (shard === undefined) throw new Error(`The table ${name} has no shard.`);
    return `${shard} AS ${alias ?? name}`;
  });
}
