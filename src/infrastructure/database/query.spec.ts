import { query } from './query.js';

const PLACE = { host: 'worker-1.internal', port: 5432, shardId: '7' };

const WRITES = 'writes or locks rows, and holds their shard';

describe('query', () => {
  it.each<[what: string, text: string, numbered: string, names: string[]]>([
    ['a parameter', 'SELECT :one', 'SELECT $1', ['one']],
    ['one at the start', ':one', '$1', ['one']],
    ['a cast behind a parameter', 'SELECT :one::text[]', 'SELECT $1::text[]', ['one']],
    ['a cast behind anything else', `SELECT 'a'::text, b::date`, `SELECT 'a'::text, b::date`, []],
    ['a parameter used twice', ':a + :b * (:a)', '$1 + $2 * ($1)', ['a', 'b']],
    ['a name that begins like another', ':note, :note_2', '$1, $2', ['note', 'note_2']],
    ['an array slice', 'ids[:50], ids[2:3], ids[a:b]', 'ids[:50], ids[2:3], ids[a:b]', []],
    ['a format of times', `to_char(a, 'HH24:MI:ss')`, `to_char(a, 'HH24:MI:ss')`, []],
    ['JSON in a text', `'{"a":' || b || ':"c"}'`, `'{"a":' || b || ':"c"}'`, []],
    ['numbers, which stay', 'SELECT $2, $1', 'SELECT $2, $1', []],
  ])('reads %s', (what, text, numbered, parameterNames) => {
    const name = `tests.${what}`;
    expect(query(name, text)).toMatchObject({ name, text: numbered, parameterNames });
  });

  const HERE =
    '(SELECT true FROM pg_dist_placement p, pg_dist_local_group here WHERE p.shardid = 7 AND p.groupid = here.groupid)';
  const shards = { note: 'note_8', account_import: 'account_import_7' };

  it('names suppliers’ tables in braces; on the node of a supplier it reads their shards if they are there', () => {
    const { text, textAt } = query(
      'tests.shards',
      'SELECT n.body FROM {note n} JOIN {account_import} USING (a) WHERE n.a = :a ORDER BY n.b',
    );
    expect(text).toBe(
      'SELECT n.body FROM note AS n JOIN account_import USING (a) WHERE n.a = $1 ORDER BY n.b',
    );
    expect(textAt?.({ ...PLACE, shards })).toBe(
      'SELECT * FROM (SELECT n.body FROM note_8 AS n JOIN account_import_7 AS account_import USING (a) WHERE n.a = $1 ORDER BY n.b) AS found ' +
        `WHERE (SELECT coalesce(${HERE}, refuse_shard(7)))`,
    );
  });

  it('locks the shard on the node before it writes', () => {
    const { text, textAt } = query('tests.held', 'UPDATE {note} SET body = :a WHERE {held}');
    expect(text).toBe('UPDATE note SET body = $1 WHERE true');
    expect(textAt?.({ ...PLACE, shards })).toBe(
      'UPDATE note_8 AS note SET body = $1 WHERE (SELECT held_shard(7))',
    );
  });

  it.each([
    ['SELECT uuidv7() AS id', true],
    ['SELECT mode FROM pg_locks', true],
    ['SELECT name FROM organisation', false],
    ['DELETE FROM pg_locks', false],
  ])('can be sent to any node if it reads only what every node has: %s', (text, can) => {
    expect(query(`tests.${text}`, text).textAt !== undefined).toBe(can);
  });

  it.each([
    ['writing without a guard', 'UPDATE {note} SET body = :a', `${WRITES} 0 times`],
    ['with two guards', 'DELETE FROM {note} WHERE {held} AND {held}', `${WRITES} 2 times`],
    ['reading with a guard', 'SELECT FROM {note} WHERE {held}', 'reads, and holds a shard'],
    ['of something unknown', 'SELECT FROM {nothing}', 'names nothing, which is no table of suppliers'],
    ['with a bare table', 'SELECT FROM {note} JOIN statement USING (a)', 'names statement without braces'],
  ])('rejects a query %s', (what, text, message) => {
    expect(() => query(`tests.${what}`, text)).toThrow(`The query tests.${what} ${message}.`);
  });

  it('rejects a second query of the same name', () => {
    query('tests.repeated', 'SELECT 1');
    expect(() => query('tests.repeated', 'SELECT 2')).toThrow(
      'There is already a query named tests.repeated.',
    );
  });
});
