import { spawnSync } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceTimes } from '../../src/apps/http/start/run-service.js';
import { runCommand, runProcess } from '../support/cli.js';
import type { TestDatabase } from '../support/database.js';
import {
  connectTo,
  postgresIn,
  spawnService,
  sqlIn,
  type ServiceProcess,
} from '../support/service-process.js';
import { waitUntil } from '../support/wait-until.js';

/** Like a container: separate processes, network and shared memory, but the same files. */
const IN_NAMESPACES = [
  ...['unshare', '-pfn', '--ipc', '--mount-proc', '--kill-child', '--'],
  // Without `ip`, connections fail too, but for another reason.
  ...['sh', '-c', 'ip link set lo up; exec "$@"', 'sh'],
];
const hasNamespaces = spawnSync('unshare', [...IN_NAMESPACES.slice(1), 'true']).status === 0;

let home: string;
const started: ServiceProcess[] = [];

function start(settings: Record<string, string>, times?: ServiceTimes, way?: string[]): ServiceProcess {
  const service = spawnService(settings, times, way);
  started.push(service);
  return service;
}

/** For commands that use a DATA_DIR. */
const NO_DATABASE = { url: '' } as TestDatabase;
const NONE = { DATABASE_URL: '', TOKEN_SIGNING_KEY: '' };

async function stage(dataDir: string, text: string): Promise<void> {
  const settings = { ...NONE, DATA_DIR: dataDir };
  const end = await runCommand(NO_DATABASE, ['accounts', 'stage', 'DEMO', '-'], text, settings);
  expect(end).toMatchObject({ exitCode: 0 });
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'data-import-embedded-'));
});
afterAll(async () => {
  for (const service of started) {
    service.kill('SIGKILL');
    await service.ended;
  }
  await waitUntil('PostgreSQL has ended', async () => !(await postgresIn(join(home, 'data'))));
  await rm(home, { recursive: true, force: true });
});

/** The tests build on each other: together they cover the life of one DATA_DIR. */
describe('the PostgreSQL of a DATA_DIR', () => {
  let dataDir: string;
  let settings: Record<string, string>;
  let service: ServiceProcess;
  beforeAll(async () => {
    dataDir = join(home, 'data');
    settings = { DATA_DIR: dataDir };
    service = start(settings);
    await service.listening();
  });

  it('is not started a second time from other namespaces (section 6)', async () => {
    const before = await postgresIn(dataDir);
    const way = hasNamespaces ? IN_NAMESPACES : [];
    const second = start(settings, undefined, way);
    expect(await second.ended).toBe(1);
    expect(second.stderr()).toMatch(/^The folder .* is in use by another running instance .*\.\n$/);
    if (hasNamespaces) {
      const cli = [...way, process.execPath, 'scripts/cli.mjs'];
      const command = await runProcess(
        NO_DATABASE,
        ['organisation', 'list'],
        '',
        { ...settings, ...NONE },
        cli,
      );
      expect(command.exitCode).toBe(1);
      expect(command.stderr).toMatch(
        /^The database data_import at \S+ cannot be used: nothing answers at 127\.0\.0\.1:\d+\.\n$/,
      );
    }
    expect(await postgresIn(dataDir)).toEqual(before);
  });

  it('has a log without account numbers and without expected errors (engineering rule)', async () => {
    for (const name of ['first', 'second']) {
      await stage(dataDir, `{"external_account_number": "SECRET-1", "account": {"name": "${name}"}}\n`);
    }
    const byHand = sqlIn(dataDir, `INSERT INTO account_import SELECT * FROM account_import`);
    await expect(byHand).rejects.toMatchObject({ code: '23505' });
    const log = await readFile(join(dataDir, 'postgres.log'), 'utf8');
    expect(log).toContain('database system is ready to accept connections');
    expect(log.match(/ERROR: .*/g)).toEqual([expect.stringMatching(/duplicate key value violates/)]);
    expect(log).not.toMatch(/SECRET|DETAIL|STATEMENT|CONTEXT/);
  });

  it('ends with a killed service, and the next start waits until its last process has ended (section 6)', async () => {
    const client = await connectTo(dataDir);
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    // A suspended process does not notice that the server shuts down.
    process.kill(rows[0]!.pid, 'SIGSTOP');
    service.kill('SIGKILL');
    await service.ended;
    const next = start(settings, { postgres: { sayAfterMs: 100 } });
    await waitUntil('it says that it waits', () =>
      next.stdout().includes(`Waiting for the end of a service that uses the database in ${dataDir} …\n`),
    );
    process.kill(rows[0]!.pid, 'SIGKILL');
    await next.listening();
    expect(await sqlIn(dataDir, `SELECT FROM import_supplier WHERE code = 'DEMO'`)).toHaveLength(1);
    expect(next.stderr()).toBe('');
    service = next;
  });

  it('ends the service with a sentence when it ends by itself, and all data is there after the next start (section 6)', async () => {
    await stage(dataDir, `{"external_account_number": "KEPT"}\n`);
    process.kill((await postgresIn(dataDir))!.pid, 'SIGKILL');
    expect(await service.ended).toBe(1);
    expect(service.stderr().trim().split('\n').at(-1)).toMatch(
      /^PostgreSQL in .* has ended: it was killed \(signal 9\)\. Its log is .*\/postgres\.log\.$/,
    );
    const settings = { ...NONE, DATA_DIR: dataDir };
    const shown = await runCommand(NO_DATABASE, ['accounts', 'show', 'DEMO', 'KEPT'], '', settings);
    expect(shown).toMatchObject({ exitCode: 0 });
    expect(await postgresIn(dataDir)).toBeUndefined();
  });

  it('is stopped during recovery together with the service (section 6)', async () => {
    await writeFile(join(dataDir, 'postgres', 'recovery.signal'), '');
    const restore = `restore_command = 'while true; do sleep 0.05; done'\n`;
    await appendFile(join(dataDir, 'postgres', 'postgresql.conf'), restore);
    const recovering = start(settings, { postgres: { sayAfterMs: 100 } });
    await waitUntil('the wait is told', () => recovering.stdout().includes('Waiting for the recovery of'));
    recovering.kill('SIGTERM');
    expect(await recovering.ended).toBe(0);
    expect(recovering.stderr()).toBe('');
    expect(recovering.stdout()).toContain('Stopped before the start was complete.');
    expect(await postgresIn(dataDir)).toBeUndefined();
  });
});
