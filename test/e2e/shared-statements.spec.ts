import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { AccountQueriesRepository } from '../../src/accounts/account-queries.repository.js';
import { NotesRepository } from '../../src/notes/notes.repository.js';
import { StatementsRepository } from '../../src/statements/statements.repository.js';
import { TransactionsRepository } from '../../src/transactions/transactions.repository.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { expectError } from '../support/expect-error.js';
import {
  startService,
  unique,
  type AccountPair,
  type Reply,
  type TestService,
  type TestServiceParts,
} from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const { jest } = import.meta;

/** Lets requests that have arrived in a service go on together, in one turn of its event loop. */
class StartingGate {
  private expected = 0;
  private arrived: (() => void)[] = [];

  /** Goes with a service that is about to start. */
  readonly parts: TestServiceParts = {
    beforeListening: (app) => {
      app
        .getHttpAdapter()
        .getInstance<FastifyInstance>()
        .addHook('preHandler', (_request, _reply, done) => {
          this.arrive(done);
        });
    },
  };

  /** The next so many requests wait for each other. */
  expect(count: number): void {
    this.expected = count;
  }

  private arrive(goOn: () => void): void {
    this.arrived.push(goOn);
    if (this.arrived.length < this.expected) return;
    const together = this.arrived;
    this.arrived = [];
    this.expected = 0;
    for (const one of together) one();
  }
}

const KINDS = ['transactions', 'notes', 'statements'] as const;
type Kind = (typeof KINDS)[number];

const PATHS: Readonly<Record<Kind, string>> = {
  transactions: 'transactions/create/',
  notes: 'notes/create/',
  statements: 'historical-statements/create/',
};

/** A load of a test, and by whom. */
interface Sent {
  readonly kind: Kind;
  readonly token: string;
  readonly ref: AccountPair;
  readonly items: readonly object[];
  readonly query?: string;
  readonly requestId?: string;
}

function send(
  { call }: TestService,
  { kind, token, ref, items, query = '', requestId = unique('request') }: Sent,
): Promise<Reply> {
  return call(PATHS[kind] + query, {
    method: 'POST',
    headers: {
      authorization: `Token ${token}`,
      'content-type': 'application/json',
      'x-request-id': requestId,
    },
    body: JSON.stringify({ ...ref, [kind]: items }),
  });
}

const charge = (fields: object = {}): object => ({
  transaction_id: 't1',
  transaction_date: '2026-03-15',
  amount: 12.5,
  type: 'CHARGE',
  ...fields,
});
const bill = (fields: object = {}): object => ({
  statement_id: 's1',
  bill_period_from_date: '2025-01-01',
  bill_period_to_date: '2025-01-31',
  ...fields,
});

const THERE = ['there.pdf', 'deep/there.pdf'] as const;
const ROOT = 'documents of the strict';

describe('requests that share a statement', () => {
  const gate = new StartingGate();
  let service: TestService;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'data-import-test-shared-'));
    for (const path of THERE) {
      await mkdir(dirname(join(folder, ROOT, path)), { recursive: true });
      await writeFile(join(folder, ROOT, path), '%PDF-1.7');
    }
    service = await startService({ DOCUMENT_STORE: pathToFileURL(folder).href }, gate.parts);
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Send all of them so that they reach their queue in the same turn. */
  function sendTogether(all: readonly Sent[]): Promise<Reply[]> {
    gate.expect(all.length);
    return Promise.all(all.map((one) => send(service, one)));
  }

  /** How many requests each statement of one kind was about, from now on. */
  function watch(kind: Kind | 'status'): () => number[] {
    const get = <T>(repository: new (...args: never[]) => T): T =>
      service.app.get<T>(repository, { strict: false });
    const calls = {
      transactions: () => jest.spyOn(get(TransactionsRepository), 'book').mock.calls,
      notes: () => jest.spyOn(get(NotesRepository), 'attach').mock.calls,
      statements: () => jest.spyOn(get(StatementsRepository), 'attach').mock.calls,
      status: () => jest.spyOn(get(AccountQueriesRepository), 'findStatus').mock.calls,
    }[kind]();
    return () => calls.map(([, requests]) => requests.length);
  }

  /** What was stored of an account of one supplier: rows of the kind, and who is recorded to have loaded them. */
  async function stored(kind: Kind, ref: AccountPair): Promise<{ rows: number; requests: string[] }> {
    const table = { transactions: 'transaction', notes: 'note', statements: 'statement' }[kind];
    const [found] = await service.database.sql<{ rows: number; requests: string[] }>(
      `SELECT (SELECT count(*)::integer FROM ${table} t WHERE ${OF_ACCOUNT}) AS rows,
              ARRAY(SELECT t.request_id FROM load t WHERE ${OF_ACCOUNT} ORDER BY t.request_id) AS requests`,
      [ref.import_supplier, ref.external_account_number],
    );
    return found!;
  }

  describe('and are refused', () => {
    const NOTHING = { rows: 0, requests: [] };

    it.each(KINDS)(
      'leave no trace, and the others of their statement are stored: %s (S2, S8, A8)',
      async (kind) => {
        const items = {
          transactions: [charge(), charge({ transaction_id: 't2' })],
          notes: [{ body: 'one' }, { body: 'two' }],
          statements: [bill(), bill({ statement_id: 's2' })],
        }[kind];
        const number = unique('account');
        const { given } = service;
        const [good, paused, strange, pending, better] = [
          await given.importedAccount({ number }),
          await given.importedAccount({ number, world: await given.supplier({ status: 'paused' }) }),
          await given.importedAccount({ number }),
          await given.stagedAccount(undefined, number),
          await given.importedAccount({ number }),
        ];
        const sent: Sent[] = [
          { kind, token: paused.token, ref: paused.ref, items },
          { kind, token: good.token, ref: good.ref, items, requestId: 'the-good-one' },
          { kind, token: good.token, ref: strange.ref, items },
          { kind, token: pending.token, ref: pending.ref, items },
          { kind, token: better.token, ref: better.ref, items: items.slice(1), requestId: 'the-better-one' },
          { kind, token: good.token, ref: { ...good.ref, external_account_number: 'none' }, items },
        ];
        const sizes = watch(kind);
        const replies = await sendTogether(sent);
        expect(sizes()).toEqual([6]);
        expect(replies.map(({ status }) => status)).toEqual([400, 201, 404, 404, 201, 404]);
        expectError(replies[0]!, 400, 'validation_error', [
          ['import_supplier_migration_not_ongoing', 'import_supplier'],
        ]);
        for (const index of [2, 3, 5]) expectError(replies[index]!, 404, 'account_not_found');
        expect(await stored(kind, good.ref)).toEqual({ rows: 2, requests: ['the-good-one'] });
        expect(await stored(kind, better.ref)).toEqual({ rows: 1, requests: ['the-better-one'] });
        for (const { ref } of [paused, strange, pending]) expect(await stored(kind, ref)).toEqual(NOTHING);
        const loads = await service.database.sql(
          `SELECT l.api_key_id, l.stored FROM load l WHERE l.external_account_number = $1 ORDER BY l.stored`,
          [number],
        );
        expect(loads).toEqual([
          { api_key_id: better.apiKeyId, stored: 1 },
          { api_key_id: good.apiKeyId, stored: 2 },
        ]);
      },
    );

    it('for a day outside the open period are told theirs, and the others are stored or moved (X7, X8)', async () => {
      const kind = 'transactions';
      const [first, second] = [
        await service.given.importedAccount({ from: '2026-03-01', to: '2026-03-31' }),
        await service.given.importedAccount({ from: '2026-05-01', to: '2026-05-31' }),
      ];
      const third = await service.given.importedAccount({ from: '2026-07-01', to: '2026-07-31' });
      const [march, may] = [charge(), charge({ transaction_id: 't2', transaction_date: '2026-05-15' })];
      const query = '?force_add_to_current_statement=false';
      const sizes = watch(kind);
      const replies = await sendTogether([
        { kind, token: first.token, ref: first.ref, items: [march], query },
        { kind, token: second.token, ref: second.ref, items: [may, march], query },
        { kind, token: third.token, ref: third.ref, items: [march, may] },
      ]);
      expect(sizes()).toEqual([3]);
      expect(replies.map(({ status }) => status)).toEqual([201, 400, 201]);
      expectError(replies[1]!, 400, 'transaction_import_error', [
        ['outside_open_statement_period', 'transactions.1.transaction_date'],
      ]);
      expect((replies[1]!.body as { error_detail: string }).error_detail).toContain(
        '2026-05-01 to 2026-05-31',
      );
      expect(await stored(kind, second.ref)).toEqual(NOTHING);
      expect((await stored(kind, first.ref)).rows).toBe(1);
      expect((await stored(kind, third.ref)).rows).toBe(2);
      expect([(await stored('notes', first.ref)).rows, (await stored('notes', third.ref)).rows]).toEqual([
        0, 1,
      ]);
    });

    it('for a statement that has changed or a document that is missing are told theirs (H3, F3)', async () => {
      const kind = 'statements';
      const world = await service.given.supplier({ document_check: 'reject', document_root: ROOT });
      const accounts = [];
      for (let count = 1; count <= 4; count += 1)
        accounts.push(await service.given.importedAccount({ world }));
      const refs = accounts.map(({ ref }) => ref);
      const { token } = world;
      await send(service, { kind, token, ref: refs[0]!, items: [bill()] });
      const sizes = watch(kind);
      const replies = await sendTogether([
        { kind, token, ref: refs[1]!, items: [bill({ number: 'other' })] },
        { kind, token, ref: refs[0]!, items: [bill({ statement_id: 's2' }), bill({ number: 'other' })] },
        {
          kind,
          token,
          ref: refs[2]!,
          items: [bill(), bill({ statement_id: 's2', statement_path: 'none.pdf' })],
        },
        { kind, token, ref: refs[3]!, items: [bill({ statement_path: THERE[0] })] },
      ]);
      expect(sizes()).toEqual([4, 1]);
      expect(replies.map(({ status }) => status)).toEqual([201, 400, 400, 201]);
      expectError(replies[1]!, 400, 'validation_error', [
        ['historical_statement_already_exists', 'statements.1.statement_id'],
      ]);
      expectError(replies[2]!, 400, 'validation_error', [
        ['path_does_not_exist_in_file_store', 'statements.1.statement_path'],
      ]);
      const rows = await Promise.all(refs.map(async (ref) => (await stored(kind, ref)).rows));
      expect(rows).toEqual([1, 1, 0, 1]);
    });

    it('by PostgreSQL itself do no harm to the others, which are stored once', async () => {
      const kind = 'transactions';
      const accounts = [];
      for (let count = 1; count <= 3; count += 1) accounts.push(await service.given.importedAccount());
      const constraint = 'ALTER TABLE transaction';
      await service.database.sql(`${constraint} ADD CONSTRAINT no_evil CHECK (transaction_id <> 'evil')`);
      const sizes = watch(kind);
      const replies = await sendTogether(
        accounts.map(({ token, ref }, index) => ({
          kind,
          token,
          ref,
          items: [charge(), charge({ transaction_id: index === 1 ? 'evil' : 't2' })],
          // A key does not keep these from being stored twice.
          query: '?check_previously_added=false',
        })),
      );
      await service.database.sql(`${constraint} DROP CONSTRAINT no_evil`);
      expect(sizes()).toEqual([3, 1, 1, 1]);
      expect(replies.map(({ status }) => status)).toEqual([201, 500, 201]);
      expectError(replies[1]!, 500, 'error', []);
      const rows = await Promise.all(accounts.map(async ({ ref }) => (await stored(kind, ref)).rows));
      expect(rows).toEqual([2, 0, 2]);
    });
  });

  it('ask for the status of accounts, each of the own organisation only (S3, A8)', async () => {
    const number = unique('account');
    const [one, two] = [
      await service.given.importedAccount({ number }),
      await service.given.importedAccount({ number }),
    ];
    const pending = await service.given.stagedAccount(one);
    const ask = (token: string, ref: AccountPair): Promise<Reply> =>
      service.get(`account-transfer-status/${ref.import_supplier}/${ref.external_account_number}/`, token);
    const sizes = watch('status');
    gate.expect(5);
    const replies = await Promise.all([
      ask(two.token, one.ref),
      ask(two.token, two.ref),
      ask(one.token, pending.ref),
      ask(one.token, one.ref),
      ask(one.token, one.ref),
    ]);
    expect(sizes()).toEqual([5]);
    expectError(replies[0]!, 404, 'account_not_found');
    const imported = { status: 'COMPLETED', service_account_number: one.serviceAccountNumber };
    expect(replies.slice(1).map(({ body }) => body)).toEqual([
      { status: 'COMPLETED', service_account_number: two.serviceAccountNumber },
      { status: 'UNKNOWN', service_account_number: '' },
      imported,
      imported,
    ]);
  });
});

/** Of a row `t`; parameters: the supplier's code, the account's number. */
const OF_ACCOUNT = `t.external_account_number = $2
  AND t.import_supplier_id = (SELECT s.id FROM import_supplier s WHERE s.code = $1)`;
