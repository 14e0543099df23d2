import { isAbsolute } from 'node:path';
import { mistypedSettings, readEnvironment, StartError } from './env.js';

const KEY = 'k'.repeat(32);
const DATABASE = { DATABASE_URL: 'postgres://u:secret@db:5432/d', TOKEN_SIGNING_KEY: KEY };

function messageOf(variables: Record<string, string>): string {
  try {
    readEnvironment(variables);
  } catch (error) {
    expect(error).toBeInstanceOf(StartError);
    return (error as Error).message;
  }
  throw new Error('The settings were accepted.');
}

describe('mistypedSettings', () => {
  it.each([
    ...['PROT', 'PRT', 'POORT', 'PORY'].map((name) => [name, 'PORT']),
    ['DATABSAE_URL', 'DATABASE_URL'],
    ['TOKEN_SIGNIN_KEY', 'TOKEN_SIGNING_KEY'],
  ])('finds %s, which was meant to be %s (section 6)', (name, meant) => {
    const sentence = `The variable ${name} is no setting. Did you mean ${meant}?`;
    expect(mistypedSettings({ [name]: '80', HOST: '::1' })).toEqual([sentence]);
  });

  it.each([
    'PORT',
    'PTRO',
    'PROTS',
    'TROP',
    'port',
    'PGPORT',
    'HOSTNAME',
    'HOME',
    'PATH',
    'LANG',
    'DATABASE',
  ])('leaves %s alone, which is a setting or another program’s (section 6)', (name) => {
    expect(mistypedSettings({ [name]: '80' })).toEqual([]);
  });
});

describe('readEnvironment', () => {
  it('has a default for every setting', () => {
    const environment = readEnvironment({});
    expect(environment).toMatchObject({
      ...{ PORT: 3_000, HOST: '127.0.0.1', BODY_LIMIT_BYTES: 10_485_760, ITEMS_MAX: 5_000 },
      ...{ TOKEN_TTL_SECONDS: 3_600, REFRESH_TOKEN_TTL_SECONDS: 604_800, PLATFORM_TIMEZONE: 'UTC' },
    });
    expect(environment.DATABASE_URL).toBeUndefined();
    expect(environment.TRUSTED_PROXIES).toBeUndefined();
    expect(isAbsolute(environment.DATA_DIR)).toBe(true);
  });

  it('counts an empty variable as absent', () => {
    expect(readEnvironment({ PORT: '', DATABASE_URL: '' })).toEqual(readEnvironment({}));
  });

  it.each([
    ['PORT', '0', 0],
    ['PORT', '65535', 65_535],
    ['HOST', '::1', '::1'],
    ['DATABASE_POOL_MAX', '2', 2],
    ['DATABASE_STATEMENTS', 'plain', 'plain'],
    ['TOKEN_SIGNING_KEY', KEY, [KEY]],
    ['TOKEN_SIGNING_KEY', `${KEY}, ${KEY}2`, [KEY, `${KEY}2`]],
    ['TOKEN_TTL_SECONDS', '1', 1],
    ['REQUESTS_PER_MINUTE', 'none', undefined],
    ['REQUESTS_PER_MINUTE', '60', 60],
    ['TRUSTED_PROXIES', '10.0.0.1, 10.0.0.2', ['10.0.0.1', '10.0.0.2']],
    ['BODY_LIMIT_BYTES', '1024', 1_024],
    ['PLATFORM_TIMEZONE', 'Europe/Berlin', 'Europe/Berlin'],
    ['LOG_LEVEL', 'silent', 'silent'],
    ['CONSOLE_URL', 'https://import.example/', 'https://import.example'],
    ['CONSOLE_SESSION_HOURS', '12', 12],
  ] as const)('reads %s=%s', (name, text, value) => {
    expect(readEnvironment({ [name]: text })[name]).toEqual(value);
  });

  it.each([
    ...['65536', '-1', '80.0', ' 80', '0x50', 'none'].map((port) => ['PORT', port]),
    ...Object.entries({ DATA_DIR: '/tmp/two\nlines', HOST: 'two words', DATABASE_POOL_MAX: '1' }),
    ...Object.entries({ DATABASE_STATEMENTS: 'Plain', TOKEN_TTL_SECONDS: '0', BODY_LIMIT_BYTES: '1023' }),
    ...Object.entries({ ITEMS_MAX: '0', PLATFORM_TIMEZONE: 'Mars/Olympus', LOG_LEVEL: 'verbose' }),
    ['METRICS_PORT', '65536'],
    ...['http://login.example', 'https://u@login.example', 'https://login.example/?a=b', 'login.example'].map(
      (address) => ['OIDC_ISSUER', address],
    ),
    ...['http://import.example', 'https://import.example/path'].map((url) => ['CONSOLE_URL', url]),
    ...['0', '13'].map((hours) => ['CONSOLE_SESSION_HOURS', hours]),
    ['CONSOLE_LINKS', 'no'],
  ] as [string, string][])(
    'rejects %s=%s with a sentence that names the setting and its value',
    (name, text) => {
      const sentence = messageOf({ [name]: text });
      expect(sentence).toMatch(new RegExp(`^${name} must be .*\\.$`));
      expect(sentence).toContain(JSON.stringify(text));
    },
  );

  it.each([
    ['DATABASE_URL', 'mysql://secret@host/d'],
    ['DATABASE_URL', 'postgres://secret host'],
    ['TOKEN_SIGNING_KEY', 'secret'.padEnd(31, 'x')],
    ['TOKEN_SIGNING_KEY', `${KEY},secret`],
    ['TOKEN_SIGNING_KEY', [KEY, KEY, 'secret'.repeat(8)].join(',')],
  ])('rejects an invalid %s without printing it', (name, text) => {
    const sentence = messageOf({ ...DATABASE, [name]: text });
    expect(sentence).toMatch(new RegExp(`^${name} must be `));
    expect(sentence).not.toContain('secret');
  });

  it('requires a signing key with DATABASE_URL', () => {
    expect(messageOf({ DATABASE_URL: DATABASE.DATABASE_URL })).toMatch(/^TOKEN_SIGNING_KEY must be set /);
    expect(readEnvironment(DATABASE).DATABASE_URL).toBe(DATABASE.DATABASE_URL);
  });

  const PROVIDER = {
    OIDC_ISSUER: 'https://login.example/realms/one',
    OIDC_CLIENT_ID: 'data-import',
    OIDC_CLIENT_SECRET: 'secret',
    OIDC_ROLES: 'claim=groups; viewer=CN=Import Viewers,DC=x ;operator=ops',
    CONSOLE_URL: 'https://import.example',
  };

  it('reads the claim and the values that mean a role (C1)', () => {
    expect(readEnvironment(PROVIDER).OIDC_ROLES).toEqual({
      claim: 'groups',
      organisation: undefined,
      values: { viewer: 'CN=Import Viewers,DC=x', operator: 'ops' },
    });
  });

  it.each([
    ['claim=g; viewer', '"viewer" is none'],
    ['claim=g; admin=a', '"admin=a" is none'],
    ['claim=g; viewer=a; viewer=b', '"viewer=b" is none'],
    ['viewer=a', 'must name the claim'],
    ['claim=g', 'at least one role'],
    ['claim=g; viewer=a; operator=a', 'a value of its own'],
    ['claim=g; supplier=s', 'organisation=org_id'],
    ['claim=g; viewer=v; organisation=o', 'organisation=org_id'],
  ])('rejects OIDC_ROLES=%s (C1)', (roles, reason) => {
    expect(messageOf({ ...PROVIDER, OIDC_ROLES: roles })).toContain(reason);
  });

  it.each(Object.keys(PROVIDER))('requires %s with the other settings of the provider (C1)', (name) => {
    expect(messageOf({ ...PROVIDER, [name]: '' })).toMatch(new RegExp(`^${name} must be set too: `));
    expect(readEnvironment({ CONSOLE_URL: PROVIDER.CONSOLE_URL }).OIDC_ISSUER).toBeUndefined();
  });
});
