import { databaseTls, withoutTls } from './database-tls.js';
import { readEnvironment, StartError } from './env.js';

const TOKEN_SIGNING_KEY = 'a signing key that only the tests know';

const NOTHING = { rootFile: undefined, client: undefined, keyPassword: undefined, isDirect: false };

describe('the encryption of the connections to PostgreSQL', () => {
  it.each([
    ['', {}, undefined],
    ['?sslmode=disable', { PGSSLMODE: 'require', PGSSLNEGOTIATION: 'direct' }, undefined],
    ['?sslmode=disable', { PGSSLROOTCERT: '/root' }, undefined],
    ['?sslnegotiation=postgres', {}, undefined],
    ['?sslmode=require', {}, { ...NOTHING, mode: 'require' }],
    ['', { PGSSLMODE: 'verify-full' }, { ...NOTHING, mode: 'verify-full' }],
    ['?sslmode=verify-full', { PGSSLMODE: 'disable' }, { ...NOTHING, mode: 'verify-full' }],
    ['?sslmode=verify-ca&sslrootcert=/r', {}, { ...NOTHING, mode: 'verify-ca', rootFile: '/r' }],
    ['?sslmode=verify-ca', { PGSSLROOTCERT: '/r' }, { ...NOTHING, mode: 'verify-ca', rootFile: '/r' }],
    ['?sslrootcert=system', {}, { ...NOTHING, mode: 'verify-full' }],
    ['?sslmode=verify-full&sslrootcert=system', {}, { ...NOTHING, mode: 'verify-full' }],
    ['?sslmode=require&sslnegotiation=direct', {}, { ...NOTHING, mode: 'require', isDirect: true }],
    [
      '?sslmode=require&sslcert=/c&sslpassword=p',
      { PGSSLKEY: '/k' },
      { ...NOTHING, mode: 'require', client: { certFile: '/c', keyFile: '/k' }, keyPassword: 'p' },
    ],
    ['?sslmode=require&host=/run/postgresql', {}, undefined],
    ['?sslmode=require', { PGHOST: '/run/postgresql' }, { ...NOTHING, mode: 'require' }],
  ])('follows from the address %s and the variables %j (O9)', (query, variables, expected) => {
    expect(databaseTls(`postgres://u:p@a/db${query}`, variables)).toEqual(expected);
  });

  it.each([
    ['postgres:///db?sslmode=require', { PGHOST: '/run' }],
    ['postgres://%2Frun%2Fpostgresql/db?sslmode=require', {}],
  ])('is never used with a socket directory: %s (O9)', (url, variables) => {
    expect(databaseTls(url, variables)).toBeUndefined();
  });

  it.each([
    ['sslmode=prefer', 'sslmode must be one of disable, require, verify-ca, verify-full'],
    ['sslmode=secret', 'sslmode must be one of disable, require, verify-ca, verify-full'],
    ['sslmode=no-verify', 'sslmode must be one of disable, require, verify-ca, verify-full'],
    ['ssl=true', 'ssl is written sslmode'],
    ['sslmode=verify-ca', 'sslmode=verify-ca needs sslrootcert'],
    ['sslmode=require&sslrootcert=system', 'sslrootcert=system needs sslmode=verify-full'],
    ['sslrootcert=/secret', 'sslrootcert needs sslmode, one of require, verify-ca, verify-full'],
    ['sslcert=/secret&sslkey=/secret', 'sslcert needs sslmode'],
    ['sslmode=require&sslcert=/secret', 'sslcert and sslkey are needed together'],
    ['sslmode=require&sslkey=/secret', 'sslcert and sslkey are needed together'],
    ['sslnegotiation=direct', 'sslnegotiation needs sslmode'],
    ['sslmode=require&sslnegotiation=secret', 'sslnegotiation must be postgres or direct'],
    ['sslmode=require&sslcrl=/secret', 'sslcrl is not supported'],
    ['sslmode=require&ssl_min_protocol_version=TLSv1.3', 'ssl_min_protocol_version is not supported'],
    ['sslmode=require&channel_binding=require', 'channel_binding=require is not supported'],
  ])('may not be %s: the start ends with a sentence without a secret (O9, section 6)', (query, reason) => {
    const url = `postgres://u:secret@a/db?${query}`;
    const start = (): unknown => readEnvironment({ DATABASE_URL: url, TOKEN_SIGNING_KEY });
    expect(start).toThrow(StartError);
    expect(start).toThrow(`DATABASE_URL has a wrong parameter: ${reason}`);
    expect(start).not.toThrow('secret');
  });

  it('is not a part of the address that pg reads (O9)', () => {
    expect(withoutTls('postgres://u:p@a/db?sslmode=require&sslrootcert=/r&application_name=x')).toBe(
      'postgres://u:p@a/db?application_name=x',
    );
    expect(withoutTls('postgres://u:p,@a/db?options=-c%20x')).toBe('postgres://u:p,@a/db?options=-c%20x');
  });
});
