import { readEnvironment, StartError } from './env.js';

const TOKEN_SIGNING_KEY = 'a signing key that only the tests know';
const SEVERAL = 'must not name several hosts: give it the one address that a proxy, PgBouncer, Patroni or';

describe('the address of a database', () => {
  it.each([
    'postgres://u:p@a:5432/db',
    'postgresql://a/db',
    'postgres://u:1,2@a/db',
    'postgres://u@[::1]:5433/db?sslmode=require',
    'postgres://u:p@localhost/db?host=/run/postgresql',
    'postgres:///db?host=%2Frun%2Fpostgresql',
    'postgres://u:p@127.0.0.1:1/db?sslmode=disable&options=-c%20a%3Db,c',
  ])('stays as it is written: %s (O7)', (url) => {
    expect(readEnvironment({ DATABASE_URL: url, TOKEN_SIGNING_KEY }).DATABASE_URL).toBe(url);
  });

  it.each([
    ['mysql://u:secret@a/db', 'must be a PostgreSQL address such as'],
    ['a:5432/db', 'must be a PostgreSQL address such as'],
    ['postgres://u:secret@a:x/db', 'must be a PostgreSQL address such as'],
    ['postgres://u:secret/word@a/db', 'must be a PostgreSQL address such as'],
    ['postgres://u:1,secret/word@a/db', 'must be a PostgreSQL address such as'],
    ['postgres://u:secret@a:5432,b:5433/db', SEVERAL],
    ['postgres://u:secret@a,b/db?target_session_attrs=read-write', SEVERAL],
    ['postgres:///db?host=a,b&password=secret', SEVERAL],
    ['postgres://u:secret@a/db?port=1,2', SEVERAL],
    [
      'postgres://u:secret@a/db?target_session_attrs=any',
      'must not have target_session_attrs: give it the one',
    ],
  ])('may not be %s: the start ends with a sentence without a secret (O7, section 6)', (text, reason) => {
    const start = (): unknown => readEnvironment({ DATABASE_URL: text, TOKEN_SIGNING_KEY });
    expect(start).toThrow(StartError);
    expect(start).toThrow(/^DATABASE_URL must [^\n]*\.$/);
    expect(start).toThrow(reason);
    expect(start).not.toThrow('secret');
  });
});
