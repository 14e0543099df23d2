import { cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentIn, runCommand, type CommandEnd } from '../support/cli.js';
import { spawnService, sqlIn, type ServiceProcess } from '../support/service-process.js';

const WAS_RESTORED = 'The database in DATA_DIR was moved or restored.';

let home: string;
let dataDir: string;
let service: ServiceProcess;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'data-import-restored-'));
  dataDir = join(home, 'data');
});
afterAll(async () => {
  service.kill('SIGKILL');
  await service.ended;
  await rm(home, { recursive: true, force: true });
});

async function start(folder: string): Promise<ServiceProcess> {
  service = spawnService({ DATA_DIR: folder });
  await service.listening();
  return service;
}

function command(folder: string, ...args: string[]): Promise<CommandEnd> {
  const settings = { DATABASE_URL: '', TOKEN_SIGNING_KEY: '', DATA_DIR: folder };
  return runCommand({ url: '' }, args, '', settings);
}

/** The answer to a backup that is refused. */
async function refusedBackup(target: string): Promise<unknown> {
  const end = await command(dataDir, 'database', 'backup', target, '--json');
  expect(end).toMatchObject({ exitCode: 1 });
  return documentIn(end.stdout);
}

/** The tests build on each other: a service, its copy, a service on the copy. */
describe('a copy of the embedded database', () => {
  let copy: string;
  beforeAll(() => {
    copy = join(home, 'backups', 'today');
  });

  it('is refused while a service uses the database, and is complete when none does (O5)', async () => {
    const { stdout } = await start(dataDir);
    expect(stdout()).not.toContain(WAS_RESTORED);
    expect(await refusedBackup(copy)).toMatchObject({ error: { code: 'database_in_use' } });
    expect(await readdir(home)).toEqual(['data']);
    await sqlIn(
      dataDir,
      `INSERT INTO console_session (secret_hash, operator, role, expires_at)
       VALUES (sha256('s'), 'someone', 'operator', now() + interval '1 hour')`,
    );
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);

    const made = await command(dataDir, 'database', 'backup', copy);
    expect(made).toMatchObject({ exitCode: 0 });
    const [, files] = /^Copied to .*: [\d.]+ MB in (\d+) files\./.exec(made.stdout) ?? [];
    expect(made.stdout).toContain(
      `The documents are not in it: they are in ${join(dataDir, 'documents')}. Nor is`,
    );
    expect(await readdir(join(home, 'backups'))).toEqual(['today']);
    expect((await readdir(copy)).sort()).toEqual(['database-password', 'postgres', 'token-signing-key']);
    expect((await stat(copy)).mode & 0o777).toBe(0o700);
    const all = await readdir(copy, { recursive: true, withFileTypes: true });
    expect(all.filter((entry) => entry.isFile())).toHaveLength(Number(files));
    expect(all.map(({ name }) => name)).not.toContain('postmaster.opts');

    expect(await refusedBackup(copy)).toMatchObject({
      error: { code: 'backup_folder_not_usable', detail: `${copy} is not empty: name a new folder.` },
    });
    expect(await readdir(join(home, 'backups'))).toEqual(['today']);
  });

  it('starts a service in an empty DATA_DIR, which reports what has ended and which keys are valid (O5, E7)', async () => {
    const [key] = await listKeys(dataDir);
    expect(await command(dataDir, 'api-key', 'revoke', key!.id)).toMatchObject({ exitCode: 0 });
    const restored = join(home, 'restored');
    await cp(copy, restored, { recursive: true });
    await mkdir(join(restored, 'documents'));
    const { stdout } = await start(restored);
    const [before] = stdout().split('Listening on');
    expect(before).toContain(`${WAS_RESTORED} 1 console session has ended`);
    expect(before).toContain('The feed of DEMO has begun a new epoch.');
    expect(before).toContain(`  API key ${key!.id} of Demo Energy (`);
    expect(await sqlIn(restored, `SELECT FROM console_session WHERE operator = 'someone'`)).toEqual([]);
    expect(await sqlIn(restored, 'SELECT FROM account_import')).toHaveLength(5);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    // The copy stays in place.
    expect(await command(restored, 'organisation', 'list')).toMatchObject({
      exitCode: 0,
      stderr: expect.not.stringContaining(WAS_RESTORED) as string,
    });
  });

  async function listKeys(folder: string): Promise<{ id: string }[]> {
    const end = await command(folder, 'api-key', 'list', 'Demo Energy', '--json');
    return documentIn(end.stdout) as { id: string }[];
  }
});
