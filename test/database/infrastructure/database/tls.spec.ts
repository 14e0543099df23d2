import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readEnvironment } from '../../../../src/infrastructure/config/env.js';
import { connect } from '../../../../src/infrastructure/database/open-database.js';
import { createAuthority } from '../../../support/certificates.js';
import { runCommand } from '../../../support/cli.js';
import { openDatabase, type TestDatabase } from '../../../support/database.js';
import { env, importOutside } from '../../../support/outside.js';
import { startService, TOKEN_SIGNING_KEY } from '../../../support/service.js';
import { startServer, type SingleServer } from '../../../support/standby.js';
import { inBlock } from '../../../support/set-up.js';
import { folderWith } from '../../../support/folders.js';

/** The `process` of the service; that of a test is a copy. */
const { default: serviceProcess } = await importOutside<{ default: NodeJS.Process }>('node:process');

const PASSWORD = 'a password of the tests';
const UNTRUSTED =
  /cannot be used: the certificate of the server is not signed by a trusted authority \(sslrootcert\): /;

const folder = folderWith();
let server: SingleServer;
let database: TestDatabase;
let root: string;
let otherRoot: string;
let client: { sslcert: string; sslkey: string };

/** An address of the server for a role that must use TLS. */
function address(parameters: Record<string, string>, { user = 'encrypted', base = server.url } = {}): string {
  const [, rest = ''] = base.split('@');
  const [host = ''] = rest.split('?');
  const query = new URLSearchParams(parameters).toString();
  return `postgres://${user}:${encodeURIComponent(PASSWORD)}@${host}?${query}`;
}

const use = async (url: string): Promise<void> => {
  const environment = readEnvironment({ DATABASE_URL: url, TOKEN_SIGNING_KEY });
  await (await connect(url, environment)).destroy();
};

beforeAll(async () => {
  const file = async (name: string, content: string): Promise<string> => {
    await writeFile(join(folder, name), content, { mode: 0o600 });
    return join(folder, name);
  };
  const [authority, other] = await Promise.all([createAuthority(), createAuthority('Another authority')]);
  [root, otherRoot] = [await file('root.crt', authority.cert), await file('other.crt', other.cert)];
  const certified = await authority.issue({ user: 'certified' });
  client = {
    sslcert: await file('client.crt', certified.cert),
    sslkey: await file('client.key', certified.key),
  };
  server = await startServer();
  for (const role of ['encrypted', 'certified']) {
    await server.sql(`CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD '${PASSWORD}'`);
  }
  await server.requireTls(await authority.issue({ host: '127.0.0.1' }), authority.cert);
  database = openDatabase(server.url, false, () => Promise.resolve());
});
afterAll(async () => {
  await database.drop();
  await server.stop();
});

describe('a PostgreSQL that requires encryption', () => {
  it('refuses an address that does not request it, with its own message (O9)', async () => {
    await expect(use(address({}))).rejects.toThrow(
      /^The database data_import at 127\.0\.0\.1:\d+ \(DATABASE_URL\) cannot be used: .*no encryption\.$/,
    );
    await expect(use(address({ sslmode: 'disable' }))).rejects.toThrow('no encryption');
  });

  it.each([
    ['require', (): object => ({ sslmode: 'require' })],
    ['require with the authority', (): object => ({ sslmode: 'require', sslrootcert: root })],
    ['verify-ca', (): object => ({ sslmode: 'verify-ca', sslrootcert: root })],
    ['verify-full', (): object => ({ sslmode: 'verify-full', sslrootcert: root })],
    [
      'the handshake at once',
      (): object => ({ sslmode: 'verify-full', sslrootcert: root, sslnegotiation: 'direct' }),
    ],
  ])('is used with %s, and Node.js warns of nothing (O9)', async (_what, parameters) => {
    const warned: unknown[] = [];
    const note = (warning: unknown): void => void warned.push(warning);
    serviceProcess.on('warning', note);
    try {
      await expect(use(address(parameters() as Record<string, string>))).resolves.toBeUndefined();
    } finally {
      serviceProcess.off('warning', note);
    }
    expect(warned).toEqual([]);
  });

  it.each([
    ['another authority', (): object => ({ sslmode: 'verify-full', sslrootcert: otherRoot }), UNTRUSTED],
    ['another authority', (): object => ({ sslmode: 'verify-ca', sslrootcert: otherRoot }), UNTRUSTED],
    ['another authority', (): object => ({ sslmode: 'require', sslrootcert: otherRoot }), UNTRUSTED],
    ['the authorities of Node.js', (): object => ({ sslmode: 'verify-full' }), UNTRUSTED],
    [
      'a file that is not there',
      (): object => ({ sslmode: 'verify-full', sslrootcert: `${root}.x` }),
      /cannot be used: the file of sslrootcert cannot be read: it does not exist/,
    ],
    [
      'a file that is no certificate',
      (): object => ({ sslmode: 'verify-full', sslrootcert: client.sslkey }),
      /cannot be used: .*(sslrootcert|certificate)/,
    ],
  ])('is not used with %s (O9)', async (_what, parameters, reason) => {
    await expect(use(address(parameters() as Record<string, string>))).rejects.toThrow(reason);
  });

  it('is used under a name that differs from its certificate unless the name is verified (O9)', async () => {
    const base = server.url.replace('127.0.0.1', 'localhost');
    for (const sslmode of ['require', 'verify-ca']) {
      await expect(use(address({ sslmode, sslrootcert: root }, { base }))).resolves.toBeUndefined();
    }
    await expect(use(address({ sslmode: 'verify-full', sslrootcert: root }, { base }))).rejects.toThrow(
      /the certificate of the server is for another host: .*localhost/,
    );
  });

  it('authenticates its client by a certificate (O9)', async () => {
    const checked = { sslmode: 'verify-full', sslrootcert: root };
    const certified = { user: 'certified' };
    await expect(use(address({ ...checked, ...client }, certified))).resolves.toBeUndefined();
    await expect(use(address(checked, certified))).rejects.toThrow('requires a valid client certificate');
  });

  it('is used by an address that leaves TLS to libpq’s variables, also by operator commands (O9)', async () => {
    const url = address({});
    const other = { ...database, url };
    Object.assign(env, { PGSSLMODE: 'verify-full', PGSSLROOTCERT: root });
    try {
      expect(await runCommand(other, ['database', 'migrate'])).toMatchObject({ exitCode: 0, stderr: '' });
      env.PGSSLROOTCERT = otherRoot;
      const refused = await runCommand(other, ['organisation', 'list']);
      expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(UNTRUSTED) as string });
      env.PGSSLMODE = 'prefer';
      expect((await runCommand(other, ['organisation', 'list'])).stderr).toContain(
        'PGSSLMODE must be one of disable, require, verify-ca, verify-full',
      );
    } finally {
      delete env.PGSSLMODE;
      delete env.PGSSLROOTCERT;
    }
  });

  it('is used encrypted by the service, on every connection (O9)', async () => {
    const encrypted = { ...database, url: address({ sslmode: 'verify-full', sslrootcert: root }) };
    await runCommand(encrypted, ['database', 'migrate']);
    await using service = inBlock(await startService({}, { database: encrypted }));
    expect((await service.call('/health/ready')).body).toMatchObject({ database: 'up' });
    const rows = await server.sql<{ ssl: boolean }>(
      `SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
        WHERE application_name = 'data-import'`,
    );
    expect(rows).toEqual([{ ssl: true }]);
  });
});
