import { query } from './query.js';

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
    expect(query(name, text)).toEqual({ name, text: numbered, textOnSeveralNodes: numbered, parameterNames });
  });

  it('may have another text for several nodes, with the same parameters', () => {
    expect(query('tests.two texts', 'SELECT :a, :b', 'SELECT (SELECT :a), :b')).toMatchObject({
      text: 'SELECT $1, $2',
      textOnSeveralNodes: 'SELECT (SELECT $1), $2',
    });
    expect(() => query('tests.other parameters', 'SELECT :a, :b', 'SELECT :b, :a')).toThrow(
      'The two texts of the query tests.other parameters have different parameters.',
    );
  });

  it('refuses a second query of the same name', () => {
    query('tests.repeated', 'SELECT 1');
    expect(() => query('tests.repeated', 'SELECT 2')).toThrow(
      'There is already a query named tests.repeated.',
    );
  });
});
