import { databaseAddress, SESSION_ATTRIBUTES } from './database-address.js';
import { readEnvironment, StartError } from './env.js';

const TOKEN_SIGNING_KEY = 'a signing key that only the tests know';

describe('the address of a database', () => {
  it.each([
    ['postgres://u:p@a:5432/db', 'a:5432'],
    ['postgresql://a/db', 'a'],
    ['postgres://u@[::1]:5433/db?sslmode=require', '[::1]:5433'],
    ['postgres://u:p@localhost/db?host=/run/postgresql', 'localhost'],
    ['postgres:///db?host=%2Frun%2Fpostgresql', ''],
    ['postgres://u:p@127.0.0.1:1/db?sslmode=disable&options=-c%20log_min_messages%3Dfatal', '127.0.0.1:1'],
  ])('stays as it is written with one host: %s (O7)', (url, name) => {
    expect(databaseAddress(url)).toEqual({
      hosts: [{ name, url }],
      database: 'db',
      sessionAttributes: 'any',
    });
  });

  it('may name several hosts, which have everything else in common (O7)', () => {
    const { hosts, ...rest } = databaseAddress(
      'postgres://u%40x:p%2Fw,%23@a:5432,[2001:db8::1]:5433,c.example/my%20db?sslmode=verify-full&options=-c%20a%3Db#f',
    );
    const end = '/my%20db?sslmode=verify-full&options=-c%20a%3Db#f';
    expect(hosts).toEqual([
      { name: 'a:5432', url: `postgres://u%40x:p%2Fw,%23@a:5432${end}` },
      { name: '[2001:db8::1]:5433', url: `postgres://u%40x:p%2Fw,%23@[2001:db8::1]:5433${end}` },
      { name: 'c.example', url: `postgres://u%40x:p%2Fw,%23@c.example${end}` },
    ]);
    expect(rest).toEqual({ database: 'my%20db', sessionAttributes: 'read-write' });
  });

  it('means with several hosts the one that accepts changes, unless it or its reader says otherwise (O7)', () => {
    expect(databaseAddress('postgres://a,b/db').sessionAttributes).toBe('read-write');
    expect(databaseAddress('postgres://a,b/db', 'standby').sessionAttributes).toBe('standby');
    expect(databaseAddress('postgres://a/db', 'standby').sessionAttributes).toBe('any');
    const any = 'postgres://a,b/db?target_session_attrs=any';
    expect(databaseAddress(any, 'standby').sessionAttributes).toBe('any');
  });

  it.each(SESSION_ATTRIBUTES)('may ask for target_session_attrs=%s, also of one host (O7)', (attributes) => {
    for (const hosts of ['a', 'a,b']) {
      const address = databaseAddress(`postgres://${hosts}/db?target_session_attrs=${attributes}`);
      expect(address.sessionAttributes).toBe(attributes);
    }
  });

  it.each([
    ['mysql://u:secret@a/db', 'must be a PostgreSQL address such as'],
    ['a:5432,b:5432/db', 'must be a PostgreSQL address such as'],
    ['postgres://u:secret@a:x/db', 'must be a PostgreSQL address such as'],
    ['postgres://u:secret@a:5432,b:x/db', 'as its host 2;'],
    ['postgres://u:secret@a:0,b/db', 'a port from 1 to 65535 as its host 1;'],
    ['postgres://u:secret@a,b:65536/db', 'a port from 1 to 65535 as its host 2;'],
    ['postgres://u:secret@a,,b/db', 'as its host 2;'],
    ['postgres://u:secret@a,/db', 'as its host 2;'],
    ['postgres://u:secret@a,::1/db', 'an IPv6 address in brackets'],
    ['postgres://u:secret@a,[::1/db', 'as its host 2;'],
    ['postgres://u:secret/word@a,b/db', 'must be a PostgreSQL address such as'],
    ['postgres://u:1,secret/word@a,b/db', 'in a user name or password / is written %2F'],
    ['postgres://u:secret@a,b/db?port=1', 'and not in its parameter port'],
    ['postgres://u:secret@/db?host=a,b', 'must be a PostgreSQL address such as'],
    ['postgres:///db?host=a,b&password=secret', 'and not in its parameter host'],
    ['postgres://u:secret@a,b/db?target_session_attrs=secret', 'must have one of any, read-write, '],
  ])('may not be %s: the start ends with a sentence without a secret (O7, section 6)', (text, reason) => {
    const start = (): unknown => readEnvironment({ DATABASE_URL: text, TOKEN_SIGNING_KEY });
    expect(start).toThrow(StartError);
    expect(start).toThrow(/^DATABASE_URL must [^\n]*\.$/);
    expect(start).toThrow(reason);
    expect(start).not.toThrow('secret');
  });
});
