import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readEnvironment } from '../../../../src/infrastructure/config/env.js';
import { noticeMove } from '../../../../src/capabilities/restored/notice-move.js';
import { runJson, refusedWith } from '../../../support/cli.js';
import { createDatabase, type TestDatabase } from '../../../support/database.js';
import { folderWith } from '../../../support/folders.js';

/** A database used by a service and commands, with a folder in place of its files. */
describe('a database whose files were moved or restored', () => {
  let database: TestDatabase;
  let home: string;
  let dataDir: string;
  beforeEach(async () => {
    database = await createDatabase();
    home = folderWith();
    dataDir = join(home, 'data');
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '18\n');
  });
  afterEach(async () => {
    await database.drop();
  });

  /** The sentences that a start prints. */
  async function start(): Promise<string[]> {
    const said: string[] = [];
    const environment = readEnvironment({ DATA_DIR: dataDir, OPERATOR: 'test operator' });
    await noticeMove(database.url, environment, (text) => said.push(text));
    return said;
  }

  async function move(): Promise<void> {
    await cp(dataDir, `${dataDir}.copy`, { recursive: true });
    await rm(dataDir, { recursive: true });
    await rename(`${dataDir}.copy`, dataDir);
  }

  async function makeSupplier(): Promise<void> {
    await database.sql(
      `INSERT INTO import_supplier (code, name, document_root) VALUES ('MOVED', 'MOVED', 'MOVED')`,
    );
  }

  async function isSignedIn(): Promise<boolean> {
    return (await database.sql('SELECT FROM console_session')).length > 0;
  }

  async function signIn(): Promise<void> {
    await database.sql(
      `INSERT INTO console_session (secret_hash, operator, role, expires_at)
       VALUES (sha256(random()::text::bytea), 'someone', 'operator', now() + interval '1 hour')`,
    );
  }

  it('is noticed after a copy, and not when it is new, after a restart or under another name (O5)', async () => {
    expect(await start()).toEqual([]);
    await makeSupplier();
    expect(await start()).toEqual([]);
    await rename(dataDir, join(home, 'renamed'));
    dataDir = join(home, 'renamed');
    expect(await start()).toEqual([]);
    await move();
    expect(await start()).toHaveLength(1);
    expect(await start()).toEqual([]);
  });

  it('is noticed when the database came from another server, which recorded no place (O5)', async () => {
    await makeSupplier();
    expect(await start()).toHaveLength(1);
    expect(await start()).toEqual([]);
  });

  it('is noticed by one of two processes that start concurrently (O5)', async () => {
    await start();
    await makeSupplier();
    await move();
    expect((await Promise.all([start(), start(), start()])).flat()).toHaveLength(1);
    const epochs = await database.sql(
      'SELECT e.number FROM feed_epoch e JOIN import_supplier s ON s.id = e.import_supplier_id ORDER BY 1',
    );
    expect(epochs).toEqual([{ number: 1 }, { number: 2 }]);
  });

  it('is noticed again when the process ends before it is done, which leaves no change (O5)', async () => {
    await start();
    await makeSupplier();
    await signIn();
    await move();
    // The record of the change is written last.
    await database.sql('ALTER TABLE audit_entry RENAME TO gone');
    await expect(start()).rejects.toThrow('audit_entry');
    expect(await isSignedIn()).toBe(true);
    await database.sql('ALTER TABLE gone RENAME TO audit_entry');
    expect(await start()).toHaveLength(1);
    expect(await isSignedIn()).toBe(false);
  });

  it('has no sessions and sign-in links, skips account numbers, begins epochs, and lists the valid keys (O5, E7, O6)', async () => {
    await start();
    await makeSupplier();
    await signIn();
    await database.sql(
      `INSERT INTO console_sign_in_code (code_hash, operator) VALUES (sha256('code'), 'someone')`,
    );
    const command = async <Json>(...args: string[]): Promise<Json> =>
      (await runJson(database, args)).json as Json;
    const organisation = await command<{ id: string; name: string }>('organisation', 'create', 'Mover');
    const issue = (...args: string[]): Promise<{ id: string }> =>
      command('api-key', 'issue', organisation.name, '--label', ...args);
    const [valid, revoked] = [await issue('valid'), await issue('revoked')];
    await command('api-key', 'revoke', revoked.id);
    const platform = await command<{ id: string }>('platform-key', 'issue', 'billing', '--expires-in', '1d');
    await move();

    const [text] = await start();
    expect(text).toContain('The database in DATA_DIR was moved or restored. 1 console session has ended');
    expect(text).toContain(`The feed of MOVED has begun a new epoch.`);
    expect(text).toContain(`\n  API key ${valid.id} of Mover (valid)\n`);
    expect(text).toMatch(new RegExp(`\\n  platform key ${platform.id} \\(billing\\)$`));
    expect(text).not.toContain(revoked.id);
    expect(await isSignedIn()).toBe(false);
    expect(await database.sql('SELECT FROM console_sign_in_code')).toEqual([]);
    expect(
      await database.sql(
        'SELECT action, operator, subject, details FROM audit_entry ORDER BY at DESC LIMIT 1',
      ),
    ).toEqual([
      {
        action: 'database.restored',
        operator: 'test operator',
        subject: 'database',
        details: {
          reason: 'the files of the database were moved or restored',
          sessions_ended: 1,
          valid_keys: [valid.id, platform.id],
        },
      },
    ]);
    const serials = await database.sql<{ is_skipped: boolean }>(
      'SELECT last_value > 1000000 AS is_skipped FROM service_account_serial',
    );
    expect(serials).toEqual([{ is_skipped: true }]);

    // On the operator's own server, the operator runs the command.
    await signIn();
    const said = await runJson(database, ['database', 'restored', '--reason', 'a dump of yesterday']);
    expect(said).toMatchObject({
      exitCode: 0,
      json: {
        sessions_ended: 1,
        suppliers: ['MOVED'],
        platform_keys: [{ id: platform.id, name: 'billing' }],
      },
    });
    expect((said.json as { api_keys: unknown[] }).api_keys).toContainEqual({
      ...{ id: valid.id, organisation: 'Mover', label: 'valid' },
    });
    expect(await isSignedIn()).toBe(false);
    expect(await runJson(database, ['audit', 'list'])).toMatchObject({
      json: expect.arrayContaining([
        expect.objectContaining({
          action: 'database.restored',
          details: { reason: 'a dump of yesterday', sessions_ended: 1, valid_keys: [valid.id, platform.id] },
        }),
      ]) as unknown,
    });
    expect(await command('feed', 'status', 'MOVED')).toMatchObject({
      epoch: { number: 3, reason: 'a dump of yesterday' },
    });
  });

  it('cannot be copied by the command when DATABASE_URL names it, and needs a reason (O5, section 6)', async () => {
    expect(await runJson(database, ['database', 'backup', join(home, 'copy')])).toMatchObject(
      refusedWith('database_not_embedded'),
    );
    expect(await runJson(database, ['database', 'restored', '--reason', ' '])).toMatchObject({ exitCode: 2 });
  });
});
