import { cp, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TokenService } from '../../src/auth/token.service.js';
import { Clock } from '../../src/common/clock.js';
import { SessionCookies } from '../../src/console/viewers/session-cookies.js';
import { completeRestore, restoreDraft } from '../../src/config/data-folder.js';
import { readEnvironment } from '../../src/config/env.js';
import { documentIn, runCommand, startCommand, type RunningCommand } from '../support/cli.js';
import type { TestDatabase } from '../support/database.js';
import {
  connectTo,
  postgresIn,
  spawnService,
  sqlIn,
  type ServiceProcess,
} from '../support/service-process.js';
import { clientOf, Given, unique, type AccountPair, type World } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

/** Requests that are under way at a time. */
const CALLERS = 4;
const ROWS_OF_A_REQUEST = 5;
/** Requests that are answered before the backup begins, and again after its end. */
const REQUESTS = 15;
/** Of a session in the console. */
const SECRET = 's'.repeat(43);

interface ErrorDocument {
  readonly error: { readonly code: string; readonly detail: string };
}
interface BackupResult {
  readonly folder: string;
  readonly started_at: string;
  readonly bytes: number;
  readonly files: number;
  readonly documents: number;
  readonly documents_copied: number | null;
}

let home: string;
let dataDir: string;
const services: ServiceProcess[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'data-import-backup-'));
  dataDir = join(home, 'data');
});
afterAll(async () => {
  for (const service of services) service.kill('SIGTERM');
  await Promise.all(services.map(({ ended }) => ended));
  await rm(home, { recursive: true, force: true });
});

/** Start a service with the signing key of its own DATA_DIR. */
async function start(): Promise<{ service: ServiceProcess; origin: string }> {
  const service = spawnService({ DATA_DIR: dataDir });
  services.push(service);
  return { service, origin: await service.listening() };
}

const settingsOf = (folder: string, settings: Record<string, string> = {}): Record<string, string> => ({
  DATABASE_URL: '',
  TOKEN_SIGNING_KEY: '',
  DATA_DIR: folder,
  ...settings,
});
const noDatabase = { url: '' } as TestDatabase;

/** Start `data-import database …` on a DATA_DIR. */
function database(args: string[], folder = dataDir, settings: Record<string, string> = {}): RunningCommand {
  return startCommand(noDatabase, ['database', ...args, '--json'], settingsOf(folder, settings));
}

async function json<Document>(command: RunningCommand, exitCode = 0): Promise<Document> {
  const end = await command.ended;
  expect({ stdout: end.stdout, exitCode: end.exitCode }).toMatchObject({ exitCode });
  return documentIn(end.stdout) as Document;
}

/** The code and the sentence of a command that is refused. */
async function refusal(command: RunningCommand): Promise<[string, string]> {
  const { error } = await json<ErrorDocument>(command, 1);
  return [error.code, error.detail];
}

/** Customers' data that arrive continuously, in requests of several rows. */
class Load {
  /** The ids of each request that was answered with success. */
  readonly answered: string[][] = [];
  private isStopping = false;
  private readonly calls: Promise<unknown>;

  constructor(
    private readonly origin: string,
    private readonly token: string,
    private readonly ref: AccountPair,
  ) {
    this.calls = Promise.all(Array.from({ length: CALLERS }, () => this.call()));
  }

  async until(requests: number): Promise<void> {
    await Promise.race([
      this.calls,
      waitUntil('requests are answered', () => this.answered.length >= requests),
    ]);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.calls;
  }

  private async call(): Promise<void> {
    while (!this.isStopping) {
      const ids = Array.from({ length: ROWS_OF_A_REQUEST }, () => unique('note'));
      const payload = { ...this.ref, notes: ids.map((body) => ({ body })) };
      const { status } = await clientOf(this.origin).post('notes/create/', this.token, payload);
      expect(status).toBe(201);
      this.answered.push(ids);
    }
  }
}

/** The tests build on each other: together they are the life of one DATA_DIR, with few starts. */
describe('a backup of the embedded PostgreSQL', () => {
  const document = { path: 'letters/1.pdf', content: 'a letter' };
  let given: Given;
  let world: World;
  let ref: AccountPair;
  let answeredBefore: string[][];
  let answered: string[][];
  let backup: BackupResult;
  /** Of the session of an operator. */
  let cookie: string;

  const sql = <Row extends object>(text: string, parameters?: unknown[]): Promise<Row[]> =>
    sqlIn<Row>(dataDir, text, parameters);

  /** A session of an operator and a link to sign in, as they would be without anybody who uses them. */
  async function signIn(secret: string): Promise<void> {
    const hash = createHash('sha256').update(secret).digest();
    await sql(`INSERT INTO console_session (secret_hash, operator) VALUES ($1, 'anna')`, [hash]);
    await sql(`INSERT INTO console_sign_in_code (code_hash, operator) VALUES ($1, 'anna')`, [hash]);
  }

  const pageOf = (origin: string): Promise<Response> =>
    fetch(`${origin}/console/`, { redirect: 'manual', headers: { cookie: `data_import_session=${cookie}` } });

  const signedIn = (): Promise<object[]> =>
    sql('SELECT operator FROM console_session UNION ALL SELECT operator FROM console_sign_in_code');

  beforeAll(async () => {
    const { origin } = await start();
    const key = await readFile(join(dataDir, 'token-signing-key'), 'utf8');
    const environment = readEnvironment({ TOKEN_SIGNING_KEY: key });
    given = new Given({ sql }, new TokenService(new Clock(environment), environment));
    world = await given.supplier({ document_root: 'root' });
    ({ ref } = await given.importedAccount({ world }));
    const folder = join(dataDir, 'documents', 'root', 'letters');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, '1.pdf'), document.content);
    const payload = {
      ...ref,
      notes: [{ body: 'with a letter', document_paths: [{ document_path: document.path }] }],
    };
    expect((await clientOf(origin).post('notes/create/', world.token, payload)).status).toBe(201);

    cookie = new SessionCookies(environment).signed(SECRET);
    await signIn(SECRET);
    expect((await pageOf(origin)).status).toBe(200);
    const load = new Load(origin, world.token, ref);
    await load.until(REQUESTS);
    answeredBefore = [...load.answered];
    await waitUntil(
      'the changes of the supplier are numbered',
      async () => (await sql('SELECT FROM feed_change')).length > 0,
    );
    backup = await json(database(['backup', join(home, 'backup'), '--documents']));
    await load.until(load.answered.length + REQUESTS);
    await load.stop();
    ({ answered } = load);
  });

  it('is written while the service stores data, completely and closed to others (O5)', async () => {
    const names = ['postgres/base.tar', 'postgres/backup_manifest', 'database-password', 'token-signing-key'];
    names.push('documents.txt', 'documents/root/letters/1.pdf', 'manifest.json');
    const sums = (await readFile(join(backup.folder, 'SHA256SUMS'), 'utf8')).trimEnd().split('\n');
    expect(sums.map((line) => line.slice(66)).sort()).toEqual([...names].sort());
    let bytes = 0;
    for (const name of names) {
      const { mode, size } = await stat(join(backup.folder, name));
      expect([name, mode & 0o777]).toEqual([name, 0o600]);
      bytes += size;
    }
    expect((await stat(backup.folder)).mode & 0o777).toBe(0o700);
    expect(backup).toMatchObject({ folder: join(home, 'backup'), files: names.length, bytes });
    expect(backup).toMatchObject({ documents: 1, documents_copied: 1 });
    expect(await readFile(join(backup.folder, 'documents.txt'), 'utf8')).toBe(
      `${join(dataDir, 'documents')}/root/${document.path}\n`,
    );
    // Nothing else is left of it: no draft, and no slot that would keep PostgreSQL's log for ever.
    expect((await readdir(home)).sort()).toEqual(['backup', 'data']);
    expect(await sql('SELECT slot_name FROM pg_replication_slots')).toEqual([]);
  });

  it('leaves nothing but a sentence when it is interrupted (O5)', async () => {
    const blocker = await connectTo(dataDir);
    await blocker.query('BEGIN; LOCK TABLE note IN ACCESS EXCLUSIVE MODE');
    const command = database(['backup', join(home, 'interrupted')]);
    await waitUntil('the documents are being listed', async () => {
      const waiting = await sql(
        `SELECT FROM pg_stat_activity WHERE application_name = 'data-import backup' AND wait_event_type = 'Lock'`,
      );
      return waiting.length === 1;
    });
    expect((await readdir(home)).filter((name) => name.startsWith('interrupted.partial-'))).toHaveLength(1);
    command.signal('SIGINT');
    expect(await refusal(command)).toEqual([
      'interrupted',
      'The backup was interrupted; nothing of it is left.',
    ]);
    await blocker.end();
    expect((await readdir(home)).sort()).toEqual(['backup', 'data']);
  });

  it.each<[string, () => string[], Record<string, string>, string, RegExp]>([
    ['a folder with something in it', () => ['backup', home], {}, 'backup_folder_not_usable', /is not empty/],
    [
      'a folder in DATA_DIR',
      () => ['backup', join(dataDir, 'documents', 'backup')],
      {},
      'backup_folder_not_usable',
      /is in .*data, which would be lost together with it/,
    ],
    [
      'a folder in none',
      () => ['backup', join(home, 'no', 'backup')],
      {},
      'backup_folder_not_usable',
      /does not exist/,
    ],
    [
      'documents in an object store',
      () => ['backup', join(home, 'other'), '--documents'],
      { DOCUMENT_STORE: 's3://bucket?region=eu-west-1' },
      'documents_not_in_a_folder',
      /documents\.txt/,
    ],
    [
      'a database of one’s own',
      () => ['backup', join(home, 'other')],
      { DATABASE_URL: 'postgres://127.0.0.1:1/own', TOKEN_SIGNING_KEY: 'x'.repeat(32) },
      'database_not_embedded',
      /pg_dump or pg_basebackup .* docs\/backup\.md/,
    ],
    [
      'a DATA_DIR that has data',
      () => ['restore', join(home, 'backup')],
      {},
      'data_folder_not_empty',
      /is not empty/,
    ],
    ['a folder without a backup', () => ['restore', home], {}, 'backup_not_usable', /There is no backup in/],
  ])('is refused with a sentence for %s (O5)', async (_, args, settings, code, sentence) => {
    // A restore asks first for the lock, which the service has.
    const isRestore = args()[0] === 'restore' && code === 'data_folder_not_empty';
    const folder = isRestore ? await mkdtemp(join(home, 'used-')) : dataDir;
    if (isRestore) await writeFile(join(folder, 'mine'), '');
    expect(await refusal(database(args(), folder, settings))).toEqual([
      code,
      expect.stringMatching(sentence),
    ]);
    if (isRestore) await rm(folder, { recursive: true });
    expect((await readdir(home)).sort()).toEqual(['backup', 'data']);
  });

  it('is of a single node: the command that distributes a database refuses the embedded one (section 6)', async () => {
    expect(await refusal(database(['distribute']))).toEqual([
      'database_is_embedded',
      expect.stringMatching(/set DATABASE_URL to the coordinator of a Citus cluster\.$/),
    ]);
  });

  it('names the documents that it cannot copy, ends with 1 and has everything else (O5)', async () => {
    const odd = Buffer.from(`${join(dataDir, 'documents', 'root')}/z\xff.pdf`, 'latin1');
    await writeFile(odd, '');
    const command = database(['backup', join(home, 'named'), '--documents']);
    const named = await json<BackupResult>(command, 1);
    expect(named).toMatchObject({ documents: 1, documents_copied: 1, documents_not_copied: 1 });
    expect((await command.ended).stderr).toContain('The document root/z\\xff.pdf was not copied: its name');
    expect(await readdir(join(named.folder, 'documents', 'root'))).toEqual(['letters']);
    await rm(odd);
    await rm(named.folder, { recursive: true });
  });

  it('is written without a running service, too (O5)', async () => {
    services[0]!.kill('SIGTERM');
    expect(await services[0]!.ended).toBe(0);
    const second = await json<BackupResult>(database(['backup', join(home, 'second')]));
    expect(second).toMatchObject({ documents: 1, documents_copied: null });
    expect(await readdir(second.folder)).not.toContain('documents');
    expect(await postgresIn(dataDir)).toBeUndefined();
    await rm(second.folder, { recursive: true });
  });

  it.each<[string, (path: string) => Promise<void>]>([
    [
      'postgres/base.tar',
      async (path) => {
        const file = await open(path, 'r+');
        await file.write('!', 1_000_000);
        await file.close();
      },
    ],
    ['token-signing-key', (path) => rm(path)],
    ['documents/root/letters/1.pdf', (path) => writeFile(path, 'another')],
  ])('whose %s was changed is not restored, and the sentence names the file (O5)', async (name, change) => {
    const damaged = join(home, 'damaged');
    await cp(backup.folder, damaged, { recursive: true });
    await change(join(damaged, name));
    const target = join(home, 'target');
    const [code, sentence] = await refusal(database(['restore', damaged], target));
    expect(code).toBe('backup_not_usable');
    expect(sentence).toContain(join(damaged, name));
    expect((await readdir(target)).filter((file) => file !== 'postgres.lock')).toEqual([]);
    await Promise.all([damaged, target].map((folder) => rm(folder, { recursive: true })));
  });

  it.each<[string, RegExp, (path: string) => Promise<void>]>([
    [
      'PostgreSQL 17.2',
      /PostgreSQL 17\.2, and this build brings PostgreSQL 18/,
      setInManifest({ postgres_version: '17.2' }),
    ],
    [
      'a newer build',
      /whose migration Later1 this build does not know/,
      setInManifest({ migrations: ['Later1'] }),
    ],
    ['another format', /has the format 2/, setInManifest({ format: 2 })],
  ])('of %s is refused before anything is read or written (O5)', async (_, sentence, change) => {
    const other = join(home, 'other');
    await mkdir(other);
    await cp(join(backup.folder, 'manifest.json'), join(other, 'manifest.json'));
    await change(join(other, 'manifest.json'));
    const refused = await refusal(database(['restore', other], join(home, 'target')));
    expect(refused).toEqual(['backup_not_usable', expect.stringMatching(sentence)]);
    await rm(other, { recursive: true });
    expect((await readdir(home)).sort()).toEqual(['backup', 'data']);
  });

  it('brings back what was answered before it began, each request completely, and the tokens of then (O5)', async () => {
    await rm(dataDir, { recursive: true });
    // What an interrupted restore leaves.
    await mkdir(join(restoreDraft(dataDir), 'postgres'), { recursive: true });
    await writeFile(join(restoreDraft(dataDir), 'postgres', 'half'), '');
    const early = spawnService({ DATA_DIR: dataDir });
    expect(await early.ended).toBe(1);
    expect(early.stderr()).toMatch(
      /^DATA_DIR .* is being restored, .* run "data-import database restore" again\.\n$/,
    );

    const restored = await json(database(['restore', backup.folder]));
    expect(restored).toEqual({
      folder: backup.folder,
      data_dir: dataDir,
      started_at: backup.started_at,
      organisations: 2,
      import_suppliers: 2,
      accounts: 6,
      documents_restored: 1,
    });
    expect(await postgresIn(dataDir)).toBeUndefined();
    expect(await readFile(join(dataDir, 'documents', 'root', document.path), 'utf8')).toBe(document.content);
    expect((await readdir(dataDir)).filter((name) => name.startsWith('restore.'))).toEqual([]);

    const { service, origin } = await start();
    // The session of the backup has ended; the only link is the one that the start has printed.
    expect((await pageOf(origin)).status).toBe(303);
    expect(await signedIn()).toHaveLength(1);
    const stored = new Set((await sql<{ body: string }>('SELECT body FROM note')).map(({ body }) => body));
    expect(answeredBefore.flat().filter((id) => !stored.has(id))).toEqual([]);
    const rowsOfRequests = answered.map((ids) => ids.filter((id) => stored.has(id)).length);
    expect(new Set([0, ROWS_OF_A_REQUEST, ...rowsOfRequests])).toEqual(new Set([0, ROWS_OF_A_REQUEST]));
    const [entry] = await sql<object>(
      `SELECT operator, action, subject, details->>'backup_started_at' AS at FROM audit_entry WHERE action = 'database.restore'`,
    );
    const action = 'database.restore';
    expect(entry).toEqual({ operator: 'test operator', action, subject: dataDir, at: backup.started_at });
    // Numbers that readers have seen since may be given again.
    const epochs = await sql<object>(
      `SELECT e.number, e.continues_after BETWEEN 1 AND f.last_sequence AS is_within, e.reason
         FROM feed_epoch e JOIN feed f USING (import_supplier_id) JOIN import_supplier s ON s.id = e.import_supplier_id
        WHERE e.number > 1 AND s.code = '${world.supplier}'`,
    );
    const reason = 'the database was restored from a backup';
    expect(epochs).toEqual([{ number: 2, is_within: true, reason }]);
    const repeated = { ...ref, notes: answeredBefore[0]!.map((body) => ({ body })) };
    const reply = await clientOf(origin).post<{ status: string }[]>('notes/create/', world.token, repeated);
    expect(reply.body.map(({ status }) => status)).toEqual(
      Array(ROWS_OF_A_REQUEST).fill('NOTE_ALREADY_EXISTS'),
    );
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  it('is put in its place by the next restore when the one before was interrupted at its end (O5)', async () => {
    const complete = completeRestore(dataDir);
    await mkdir(complete);
    await rename(join(dataDir, 'postgres'), join(complete, 'postgres'));
    await cp(join(backup.folder, 'manifest.json'), join(complete, 'manifest.json'));
    const refused = await runCommand(noDatabase, ['organisation', 'list'], '', settingsOf(dataDir));
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('is being restored') as string,
    });
    expect(await json(database(['restore', backup.folder]))).toMatchObject({ accounts: 6 });
    expect((await readdir(dataDir)).filter((name) => name.startsWith('restore.'))).toEqual([]);
  });

  it('is not used by anybody before its sessions have ended, whenever it was interrupted (O5)', async () => {
    const { service } = await start();
    await signIn('t'.repeat(43));
    // As after an interruption when all was in its place, while PostgreSQL runs.
    await mkdir(completeRestore(dataDir));
    await cp(join(backup.folder, 'manifest.json'), join(completeRestore(dataDir), 'manifest.json'));
    const refused = await runCommand(noDatabase, ['organisation', 'list'], '', settingsOf(dataDir));
    expect(refused.stderr).toContain('is being restored');
    expect(await json(database(['restore', backup.folder]))).toMatchObject({ accounts: 6 });
    expect((await readdir(dataDir)).filter((name) => name.startsWith('restore.'))).toEqual([]);
    expect(await signedIn()).toEqual([]);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });
});

function setInManifest(values: object): (path: string) => Promise<void> {
  return async (path) => {
    const manifest = JSON.parse(await readFile(path, 'utf8')) as object;
    await writeFile(path, JSON.stringify({ ...manifest, ...values }));
  };
}
