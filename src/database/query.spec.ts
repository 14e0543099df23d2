import { query } from './query.js';

const PLACE = { host: 'worker-1.internal', port: 5432, shardId: '7' };

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
    expect(query(name, text)).toEqual({ name, text: numbered, parameterNames });
  });

  it('names tables of suppliers in braces, and their shards at the node of a supplier', () => {
    const { text, textAt } = query(
      'tests.shards',
      'SELECT n.body FROM {note n} JOIN {account_import} USING (a) WHERE n.a = :a AND {placed}',
    );
    expect(text).toBe('SELECT n.body FROM note AS n JOIN account_import USING (a) WHERE n.a = $1 AND true');
    expect(textAt?.({ ...PLACE, shards: { note: 'note_8', account_import: 'account_import_7' } })).toBe(
      'SELECT n.body FROM note_8 AS n JOIN account_import_7 AS account_import USING (a) WHERE n.a = $1 AND ' +
        '(SELECT coalesce((SELECT true FROM pg_dist_placement p, pg_dist_local_group here WHERE p.shardid = 7 AND p.groupid = here.groupid), refuse_shard(7)))',
    );
  });

  it.each([
    [
      'without a guard',
      'SELECT FROM {note}',
      'The query tests.without a guard names shards and has no guard.',
    ],
    [
      'with two guards',
      'SELECT FROM {note} WHERE {held} AND {held}',
      'The query tests.with two guards has two guards.',
    ],
    [
      'that writes and only looks',
      'UPDATE {note} SET body = :a WHERE {placed}',
      'The query tests.that writes and only looks writes or locks rows, and must hold the shard.',
    ],
    [
      'of something unknown',
      'SELECT FROM {nothing} WHERE {held}',
      'The query tests.of something unknown names nothing, which is no table of suppliers.',
    ],
    [
      'with a table beside the braces',
      'SELECT FROM {note} JOIN statement USING (a) WHERE {placed}',
      'The query tests.with a table beside the braces names statement without braces.',
    ],
  ])('refuses a query %s', (what, text, message) => {
    expect(() => query(`tests.${what}`, text)).toThrow(message);
  });

  it('refuses a second query of the same name', () => {
    query('tests.repeated', 'SELECT 1');
    expect(() => query('tests.repeated', 'SELECT 2')).toThrow(
      'There is already a query named tests.repeated.',
    );
  });
});
