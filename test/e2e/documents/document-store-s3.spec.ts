import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import { StartError } from '../../../src/infrastructure/config/env.js';
import { DocumentStore, StorageError } from '../../../src/documents/document-store.js';
import { S3DocumentStore, type S3Limits } from '../../../src/documents/s3-document-store.js';
import { runCommand } from '../../support/cli.js';
import { createDatabase } from '../../support/database.js';
import {
  AWS_ENVIRONMENT,
  documentAt,
  startScriptedObjectStore,
  startObjectStore,
  useCredentials,
  type ScriptedObjectStore,
} from '../../support/object-store.js';
import { env, outside } from '../../support/outside.js';
import { startService, type TestService } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';
import { inBlock, setUp } from '../../support/set-up.js';

const { jest } = import.meta;

/** A signal that is never aborted. */
const NEVER = new AbortController().signal;

/** Longer than an answer takes on a busy machine. */
const NO_HURRY: S3Limits = {
  connectTimeoutMs: 60_000,
  responseTimeoutMs: 60_000,
  totalTimeoutMs: 60_000,
  triesMax: 3,
};
/** Short enough to notice a missing answer, long enough to receive one on a busy machine. */
const SILENCE_NOTICED: S3Limits = { ...NO_HURRY, responseTimeoutMs: 2_000 };

describe('documents in an S3-compatible object store', () => {
  const opened: S3DocumentStore[] = [];

  /** Open a store that is closed after the test. */
  async function open(address: string, limits = NO_HURRY): Promise<S3DocumentStore> {
    const store = new S3DocumentStore(address, limits);
    opened.push(store);
    await store.open();
    return store;
  }

  let restore: () => void;
  beforeAll(() => {
    restore = useCredentials();
  });
  afterAll(() => {
    restore();
  });
  beforeEach(() => {
    Object.assign(env, AWS_ENVIRONMENT);
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.onModuleDestroy();
  });

  describe('a well-behaved one', () => {
    const objects = setUp(startObjectStore);
    let store: S3DocumentStore;

    beforeEach(async () => {
      store = await open(objects.address);
    });

    it('distinguishes documents that exist from those that do not (F4)', async () => {
      await objects.put('acme/2024/bill.pdf');
      expect(await store.exists(documentAt('acme/2024/bill.pdf'), NEVER)).toBe(true);
      expect(await store.exists(documentAt('acme/2024/other.pdf'), NEVER)).toBe(false);
      expect(await store.exists(documentAt('acme/2024'), NEVER)).toBe(false);
    });

    it.each(['Zähler №7/scan 1+2.pdf', 'root/a%20b?c=d&e#f.pdf', "😀/(1)*!'.pdf"])(
      'finds the key %j (F4)',
      async (key) => {
        expect(await store.exists(documentAt(key), NEVER)).toBe(false);
        await objects.put(key);
        expect(await store.exists(documentAt(key), NEVER)).toBe(true);
      },
    );

    it('does not report a missing bucket as a missing document (F3)', async () => {
      const elsewhere = await open(objects.address.replace(objects.bucket, 'no-such-bucket'));
      await expect(elsewhere.exists(documentAt('root/a.pdf'), NEVER)).rejects.toThrow(StorageError);
      await expect(elsewhere.exists(documentAt('root/a.pdf'), NEVER)).rejects.toThrow(
        'The bucket no-such-bucket',
      );
    });

    it('does not report denied access as a missing document (F3)', async () => {
      env.AWS_ACCESS_KEY_ID = 'STRANGER';
      const stranger = await open(objects.address);
      await expect(stranger.exists(documentAt('root/a.pdf'), NEVER)).rejects.toThrow(
        'cannot be read: it answers 403',
      );
    });

    it('passes on the bytes of a document and their number (C6)', async () => {
      const content = randomBytes(300_000);
      await objects.put('acme/large.pdf', content);
      const document = await store.read(documentAt('acme/large.pdf'), NEVER);
      expect(document?.size).toBe(content.length);
      expect((await buffer(document!.bytes)).equals(content)).toBe(true);
      await objects.put('acme/empty.pdf', '');
      const empty = await store.read(documentAt('acme/empty.pdf'), NEVER);
      expect([empty?.size, await text(empty!.bytes)]).toEqual([0, '']);
    });

    it('has no bytes for a missing document, and fails without its bucket (F3, C6)', async () => {
      expect(await store.read(documentAt('acme/none.pdf'), NEVER)).toBeUndefined();
      expect(await store.read(documentAt(`a/${'a'.repeat(1_023)}`), NEVER)).toBeUndefined();
      const elsewhere = await open(objects.address.replace(objects.bucket, 'no-such-bucket'));
      await expect(elsewhere.read(documentAt('root/a.pdf'), NEVER)).rejects.toThrow(StorageError);
    });
  });

  describe('one that misbehaves', () => {
    let scripted: ScriptedObjectStore;
    let store: S3DocumentStore;

    beforeEach(async () => {
      scripted = await startScriptedObjectStore();
      store = await open(scripted.address);
    });
    afterEach(async () => {
      await scripted.stop();
    });

    const PASSING = [
      ['silence', SILENCE_NOTICED],
      ['cut', NO_HURRY],
      [500, NO_HURRY],
      [503, NO_HURRY],
    ] as const;

    it.each(PASSING)('is tried three times before it is a failure: %s (F3)', async (behaviour, limits) => {
      scripted.answers = () => behaviour;
      const store = await open(scripted.address, limits);
      await expect(store.exists(documentAt('root/a.pdf'), NEVER)).rejects.toThrow(StorageError);
      expect(scripted.requested).toEqual(Array(3).fill('/bucket/root/a.pdf'));
    });

    it.each([301, 400, 401, 403])('fails immediately if it answers %d (F3)', async (status) => {
      scripted.answers = () => status;
      await expect(store.exists(documentAt('root/a.pdf'), NEVER)).rejects.toThrow(`it answers ${status}`);
    });

    it('receives no request for a key longer than any object store allows (F2, F4)', async () => {
      scripted.answers = (path) => (path.length > '/bucket/'.length ? 400 : 200);
      const longest = `acme/${'é'.repeat(509)}a`;
      expect(Buffer.byteLength(longest)).toBe(1_024);
      await expect(store.exists(documentAt(longest), NEVER)).rejects.toThrow('it answers 400');
      expect(await store.exists(documentAt(`${longest}a`), NEVER)).toBe(false);
    });

    it('receives one request about its bucket for many missing documents (F3)', async () => {
      scripted.answers = (path) => (path === '/bucket' || path === '/bucket/' ? 200 : 404);
      const patient = await open(scripted.address, NO_HURRY);
      const keys = Array.from({ length: 50 }, (_, index) => `root/${index}.pdf`);
      expect(
        await Promise.all(keys.map((key) => patient.exists(documentAt(key), new AbortController().signal))),
      ).toEqual(keys.map(() => false));
      expect(scripted.requested).toHaveLength(keys.length + 1);
    });

    it('receives another request about its bucket after a failure (F3)', async () => {
      scripted.answers = (path) => (path.length > '/bucket/'.length ? 404 : 403);
      await expect(store.exists(documentAt('root/a.pdf'), NEVER)).rejects.toThrow(StorageError);
      scripted.answers = (path) => (path.length > '/bucket/'.length ? 404 : 200);
      expect(await store.exists(documentAt('root/a.pdf'), NEVER)).toBe(false);
    });

    it('is cancelled when the answer is no longer needed (F3)', async () => {
      scripted.answers = () => 'silence';
      const stop = new AbortController();
      const patient = await open(scripted.address, NO_HURRY);
      const answer = patient.exists(documentAt('root/a.pdf'), stop.signal);
      await waitUntil('the store has a request', () => scripted.requested.length === 1);
      stop.abort();
      await expect(answer).rejects.toThrow(StorageError);
      expect(scripted.requested).toHaveLength(1);
    });

    it.each(['silence', 'cut', 403, 503] as const)(
      'is a failure when a document is read: %s (C6)',
      async (behaviour) => {
        scripted.answers = () => behaviour;
        const impatient = await open(scripted.address, { ...NO_HURRY, responseTimeoutMs: 200 });
        await expect(impatient.read(documentAt('root/a.pdf'), NEVER)).rejects.toThrow(StorageError);
      },
    );

    it('ends its answer when the document is no longer needed (C6)', async () => {
      scripted.answers = () => 'beginning';
      const stop = new AbortController();
      const patient = await open(scripted.address, NO_HURRY);
      const document = await patient.read(documentAt('root/a.pdf'), stop.signal);
      expect(document?.size).toBe(1_000_000);
      expect(scripted.abandoned()).toBe(0);
      stop.abort();
      await waitUntil('the connection is closed', () => scripted.abandoned() === 1);
      await expect(text(document!.bytes)).rejects.toThrow();
    });

    it('is cancelled after the timeout for all attempts together (F3)', async () => {
      const hurried = await open(scripted.address, { ...NO_HURRY, totalTimeoutMs: 200 });
      scripted.answers = () => 'silence';
      await expect(hurried.exists(documentAt('root/a.pdf'), NEVER)).rejects.toThrow(StorageError);
      // On a busy machine, the timeout may pass before the first attempt.
      expect(scripted.requested.length).toBeLessThan(2);
    });
  });

  it('has ten seconds for a document, and five of them for one answer, by default (F3)', async () => {
    const scripted = await startScriptedObjectStore();
    const timers = jest.spyOn(outside, 'setTimeout');
    const store = new S3DocumentStore(scripted.address);
    opened.push(store);
    try {
      expect(await store.exists(documentAt('root/a.pdf'), NEVER)).toBe(true);
      const limits = timers.mock.calls.map(([, delayMs]) => delayMs);
      expect(limits).toEqual(expect.arrayContaining([10_000, 5_000]));
    } finally {
      timers.mockRestore();
      await scripted.stop();
    }
  });

  describe('an import request that waits for it', () => {
    let scripted: ScriptedObjectStore;
    let service: TestService;

    /** Hold every answer. @returns a function that releases them */
    function hold(behaviour: number): () => void {
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      scripted.answers = () => released.then(() => behaviour);
      return release;
    }

    const attach = (path: string, { token, ref }: { token: string; ref: object }) =>
      service.post('notes/create/', token, {
        ...ref,
        notes: [{ body: 'Letter', document_paths: [{ document_path: path }] }],
      });

    beforeEach(async () => {
      scripted = await startScriptedObjectStore();
      service = await startService({ DOCUMENT_STORE: scripted.address, DATABASE_POOL_MAX: '2' });
    });
    afterEach(async () => {
      await service.stop();
      await scripted.stop();
    });

    it('makes progress with each repetition when the store is slow, until all documents are seen (F3)', async () => {
      const world = await service.given.supplier({ document_check: 'reject', document_root: 'root' });
      const { token, ref } = await service.given.importedAccount({ world });
      const notes = Array.from({ length: 300 }, (_, index) => ({
        body: `Letter ${index}`,
        document_paths: [{ document_path: `root/${index}.pdf` }],
      }));
      // The store answers a hundred look-ups of a request, one of them missing, and no more.
      const found = new Set<string>();
      let answered = 0;
      scripted.answers = (path) => {
        if (path.endsWith('/299.pdf')) return 404;
        if (!path.endsWith('.pdf')) return 200;
        answered += 1;
        if (answered > 100) return 503;
        found.add(path);
        return 200;
      };
      const statuses: number[] = [];
      while (statuses.length < 10 && statuses.at(-1) !== 400) {
        answered = 0;
        statuses.push((await service.post('notes/create/', token, { ...ref, notes })).status);
      }
      // Up to sixteen answers per request may be lost, because they are in flight when it fails.
      expect(statuses.length).toBeLessThan(6);
      expect(statuses).toEqual([...Array<number>(statuses.length - 1).fill(503), 400]);
      expect(found.size).toBe(299);
      // After the missing one is uploaded, nothing else needs to be looked up.
      scripted.answers = (path) => (path.endsWith('/299.pdf') ? 200 : 503);
      const reply = await service.post('notes/create/', token, { ...ref, notes });
      expect(reply.status).toBe(201);
    });

    it('holds no database connection (PgBouncer, F3)', async () => {
      const world = await service.given.supplier({ document_check: 'reject' });
      const accounts = await Promise.all(
        Array.from({ length: 4 }, () => service.given.importedAccount({ world })),
      );
      const release = hold(200);
      const answers = accounts.map((account) => attach('a.pdf', account));
      await waitUntil('four requests wait for the store', () => scripted.requested.length === 4);
      // The service has two connections. If each waiting request held one, this would not be answered.
      const { ref } = accounts[0]!;
      const status = await service.get(
        `account-transfer-status/${world.supplier}/${ref.external_account_number}/`,
        world.token,
      );
      expect(status).toMatchObject({ status: 200 });
      const open = await service.database.sql(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'`,
      );
      expect(open).toEqual([]);
      release();
      for (const answer of answers) expect(await answer).toMatchObject({ status: 201 });
    });

    it('looks below the new root if it is changed meanwhile (F1, F3)', async () => {
      const world = await service.given.supplier({ document_check: 'reject', document_root: 'old' });
      const account = await service.given.importedAccount({ world });
      const release = hold(200);
      const answer = attach('a.pdf', account);
      await waitUntil('the store has a request', () => scripted.requested.length === 1);
      await service.database.sql(`UPDATE import_supplier SET document_root = 'new' WHERE code = $1`, [
        world.supplier,
      ]);
      release();
      expect(await answer).toMatchObject({ status: 201 });
      expect(scripted.requested).toEqual(['/bucket/old/a.pdf', '/bucket/new/a.pdf']);
      const stored = await service.database.sql(`SELECT document_locations FROM note`);
      expect(stored).toEqual([{ document_locations: ['bucket/new/a.pdf'] }]);
    });

    it('is answered while sixty slow downloads hold all the sockets that downloads have (F3, T18)', async () => {
      const world = await service.given.supplier({ document_check: 'reject' });
      const account = await service.given.importedAccount({ world });
      scripted.answers = () => 'beginning';
      const store = service.app.get(DocumentStore, { strict: false });
      const leaving = new AbortController();
      setMaxListeners(0, leaving.signal);
      let begun = 0;
      const download = async (): Promise<void> => {
        const document = await store.read(documentAt('root/a.pdf'), leaving.signal);
        begun += 1;
        document?.bytes.on('error', () => undefined);
      };
      const ends = Promise.allSettled(Array.from({ length: 60 }, download));
      await waitUntil('all sockets of downloads are taken', () => begun === 50);
      scripted.answers = () => 200;
      expect(await attach('a.pdf', account)).toMatchObject({ status: 201 });
      expect([begun, scripted.abandoned()]).toEqual([50, 0]);
      leaving.abort();
      await ends;
    });

    it('sends no request when documents are looked up later (F3)', async () => {
      const account = await service.given.importedAccount();
      expect(await attach('a.pdf', account)).toMatchObject({ status: 201 });
      expect(scripted.requested).toEqual([]);
    });
  });

  describe('its address', () => {
    it('needs a region from somewhere unless it names an endpoint (F4)', async () => {
      env.AWS_CONFIG_FILE = '/dev/null';
      delete env.AWS_REGION;
      const start = open('s3://bucket');
      await expect(start).rejects.toThrow(StartError);
      await expect(start).rejects.toThrow('names no region');
      env.AWS_REGION = 'eu-central-1';
      await expect(open('s3://bucket')).resolves.toBeInstanceOf(S3DocumentStore);
    });

    it('is not read by a command that needs no document (F4, section 6)', async () => {
      await using database = inBlock(await createDatabase());
      env.AWS_CONFIG_FILE = '/dev/null';
      delete env.AWS_REGION;
      const settings = { DOCUMENT_STORE: 's3://bucket' };
      const listed = await runCommand(database, ['supplier', 'list', '--json'], '', settings);
      expect(listed).toEqual({ exitCode: 0, stdout: '[]\n', stderr: '' });
    });
  });
});
