import { ERRORS } from '../../../../src/infrastructure/errors/errors.js';
import { createDatabase } from '../../../support/database.js';
import { expectError } from '../../../support/expect-error.js';
import { memoryLog } from '../../../support/memory-log.js';
import { startService, type AccountPair, type Reply } from '../../../support/service.js';
import { inBlock } from '../../../support/set-up.js';
import { startProxy } from '../../../support/tcp-proxy.js';

/** Long enough for the test to see that a query waits, even on a busy machine. */
const IMPATIENT = { DATABASE_STATEMENT_TIMEOUT_MS: 1_000 };

describe('a database error', () => {
  it.each([
    ['request', ''],
    ['dry run', '?dry_run=true'],
  ])('is answered with 503 when the network connection of a %s breaks (T4, R1)', async (_what, query) => {
    const proxy = await startProxy(process.env.TEST_DATABASE_URL!);
    const remote = await startService({}, { throughProxy: proxy.through });
    try {
      const account = await remote.given.importedAccount();
      const post = (): Promise<Reply> =>
        remote.post(`notes/create/${query}`, account.token, { ...account.ref, notes: [{ body: 'Cut' }] });
      const release = await remote.database.lock('note');
      const answer = post();
      await remote.database.blocked(1);
      await proxy.cut();
      expectError(await answer, 503, 'service_unavailable', []);
      await release();
      await proxy.restore();
      expect((await post()).status).toBe(201);
    } finally {
      await remote.stop();
      await proxy.cut();
    }
  });

  it.each([
    ['request', 'prepared', ''],
    ['dry run', 'plain', '?dry_run=true'],
  ])(
    'is answered with 503 when the connection of a %s goes silent, and is not used again, with %s queries (T4, R1)',
    async (_what, statements, query) => {
      const proxy = await startProxy(process.env.TEST_DATABASE_URL!);
      const setting = { DATABASE_STATEMENTS: statements, DATABASE_POOL_MAX: '3' };
      const remote = await startService(setting, {
        throughProxy: proxy.through,
        environment: IMPATIENT,
      });
      try {
        const world = await remote.given.importedAccount();
        const other = await remote.given.importedAccount({ world });
        const post = ({ ref: whose }: { ref: AccountPair }): Promise<Reply> =>
          remote.post(`notes/create/${query}`, world.token, { ...whose, notes: [{ body: 'Silent' }] });
        const release = await remote.database.lock('note');
        const answer = post(world);
        await remote.database.blocked(1);
        const silent = proxy.silence();
        await release();
        const reply = await answer;
        expectError(reply, 503, 'service_unavailable', []);
        expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
        // Each idle connection of the pool must fail once. The account may stay locked, because nothing rolls back the dry run.
        let later = await post(other);
        for (let tries = 1; tries < silent && later.status === 503; tries += 1) later = await post(other);
        expect(later.status).toBe(201);
      } finally {
        await proxy.cut();
        await remote.stop();
      }
    },
  );

  it.each<[string, { environment?: typeof IMPATIENT; ofDatabase?: string }]>([
    ['the service', { environment: IMPATIENT }],
    ['the database', { ofDatabase: `lock_timeout = '100ms'` }],
  ])(
    'is answered with 503 when a request waits longer for a lock than %s allows, and nothing is stored (T4)',
    async (_whose, { environment, ofDatabase }) => {
      await using database = inBlock(await createDatabase());
      const name = new URL(database.url).pathname.slice(1);
      if (ofDatabase !== undefined) await database.sql(`ALTER DATABASE ${name} SET ${ofDatabase}`);
      await using impatient = inBlock(
        await startService({}, { database, ...(environment && { environment }) }),
      );
      const account = await impatient.given.importedAccount();
      const post = (): Promise<Reply> =>
        impatient.post('notes/create/', account.token, { ...account.ref, notes: [{ body: 'Late' }] });
      const release = await database.lock('note');
      const reply = await post();
      expectError(reply, 503, 'service_unavailable', []);
      expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      await release();
      expect(await database.sql('SELECT FROM import_request')).toEqual([]);
      expect((await post()).body).toMatchObject([{ status: 'NOTE_CREATION_SUCCESS' }]);
    },
  );

  it.each([
    ['the loss of a table', 'DROP TABLE note', '42P01'],
    [
      'a violated constraint whose detail contains the row',
      `ALTER TABLE note ADD CHECK (body <> 'Private words')`,
      '23514',
    ],
  ])(
    'is answered with a fixed 500 after %s, and logged without the data of the request (T2, T4)',
    async (_what, damage, state) => {
      const ownLog = memoryLog();
      await using broken = inBlock(await startService({}, { logger: ownLog.logger }));
      const account = await broken.given.importedAccount();
      await broken.database.sql(damage);
      const reply = await broken.post(
        'notes/create/',
        account.token,
        { ...account.ref, notes: [{ body: 'Private words' }] },
        { 'x-request-id': 'broken-1' },
      );
      expect([reply.status, reply.body]).toEqual([
        500,
        { detail: ERRORS.error.detail, code: 'error', errors: [] },
      ]);
      const [line] = ownLog.lines().filter(({ level }) => level === 'error');
      expect(line).toMatchObject({
        request_id: 'broken-1',
        msg: 'error',
        err: { code: state, query: 'notes.attach_express' },
      });
      expect(ownLog.text()).not.toContain('Private words');
    },
  );
});
