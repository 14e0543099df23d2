import { Clock } from '../../../../src/infrastructure/clock/clock.js';
import { RefusalsRepository } from '../../../../src/capabilities/request-log/refusals/refusals.repository.js';
import { createDatabase } from '../../../support/database.js';
import { expectError } from '../../../support/expect-error.js';
import { importOutside } from '../../../support/outside.js';
import { startService, type Reply, type TestService, type World } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { SupplierOperations } from '../../../support/supplier-operations.js';
import { waitUntil } from '../../../support/wait-until.js';

const { register } = await importOutside<typeof import('prom-client')>('prom-client');

const { jest } = import.meta;

interface Row {
  readonly external_account_number: string;
  readonly request_id: string;
}

const database = setUp(createDatabase);
let service: TestService;
beforeEach(async () => {
  service = await startService({ METRICS_PORT: '0', BODY_LIMIT_BYTES: '100000' }, { database });
});

/** The refusals recorded for a supplier, in order, once the service has stored all pending ones. */
async function recorded(supplier: string): Promise<Row[]> {
  await service.stop();
  return database
    .sql<Row & Record<string, unknown>>(
      `SELECT to_jsonb(r) - 'import_supplier_id' - 'id' - 'at' - 'field' - 'cause' - 'organisation_id' - 'items' AS row
       FROM import_refusal r
       JOIN import_supplier s ON s.id = r.import_supplier_id AND s.code = $1
      ORDER BY r.id`,
      [supplier],
    )
    .then((rows) => rows.map(({ row }) => row as Row));
}

function send({ token }: Pick<World, 'token'>, path: string, id: string, body: unknown): Promise<Reply> {
  return service.post(path, token, body, { 'x-request-id': id });
}

const NOTES = 'notes/create/';
const TRANSACTION = {
  transaction_id: 't',
  transaction_date: '2026-02-01',
  amount: 1,
  type: 'CHARGE',
  reason: 'IMPORTED_CHARGE',
};

describe('a refused import request', () => {
  it('is recorded with its caller, account, status, code and first field, on all four endpoints (O6)', async () => {
    const world = await service.given.importedAccount({ from: '2026-01-01', to: '2026-01-31' });
    const { ref, apiKeyId } = world;
    const sent = [
      send(world, NOTES, 'shape', { ...ref, notes: [{ body: 'ok' }, { body: 7 }, {}] }),
      send(world, 'transactions/create/?force_add_to_current_statement=false', 'business', {
        ...ref,
        transactions: [TRANSACTION],
      }),
      send(world, 'historical-statements/create/', 'staged', {
        ...(await service.given.stagedAccount(world)).ref,
        statements: [
          { statement_id: 's', bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31' },
        ],
      }),
      send(world, 'payment-instruction/create/?dry_run=true', 'dry', ref),
    ];
    for (const one of sent) expect([400, 404]).toContain((await one).status);
    const account = {
      external_account_number: ref.external_account_number,
      api_key_id: apiKeyId,
      trace_id: null,
      value: null,
    };
    const rows = await recorded(world.supplier);
    expect(rows.sort((one, other) => (one.request_id < other.request_id ? -1 : 1))).toEqual([
      {
        ...account,
        request_id: 'business',
        kind: 'transactions',
        status: 400,
        code: 'transaction_import_error',
        attr: 'transactions.0.transaction_date',
        field_code: 'outside_open_statement_period',
        is_dry_run: false,
      },
      expect.objectContaining({ request_id: 'dry', kind: 'payment_instruction', is_dry_run: true }),
      {
        ...account,
        request_id: 'shape',
        kind: 'notes',
        status: 400,
        code: 'validation_error',
        attr: 'notes.1.body',
        field_code: 'invalid',
        is_dry_run: false,
      },
      expect.objectContaining({
        request_id: 'staged',
        kind: 'statements',
        status: 404,
        code: 'account_not_found',
        attr: null,
        field_code: null,
      }),
    ]);
  });

  it('is not recorded for a supplier that is not granted to the caller, or does not exist (A8)', async () => {
    const world = await service.given.importedAccount();
    const stranger = await service.given.supplier();
    const replies = [
      await send(stranger, NOTES, 'foreign', { ...world.ref, notes: [] }),
      await send(stranger, NOTES, 'foreign', { ...world.ref, notes: [{ body: 'a' }] }),
      await send(stranger, NOTES, 'unknown', { ...world.ref, import_supplier: 'none', notes: [] }),
      await send(stranger, NOTES, 'own', {
        import_supplier: stranger.supplier,
        external_account_number: '1',
      }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([400, 404, 400, 400]);
    expect(await recorded(world.supplier)).toEqual([]);
    const [{ ids }] = (await database.sql(
      `SELECT array_agg(request_id) AS ids FROM import_refusal WHERE request_id IN ('foreign', 'unknown', 'own')`,
    )) as [{ ids: string[] }];
    expect(ids).toEqual(['own']);
  });

  it('is not recorded without a valid token, a readable body or a supplier, nor when the route does not exist (O6)', async () => {
    const world = await service.given.importedAccount();
    const { ref } = world;
    const replies = [
      await send({ token: 'wrong' }, NOTES, 'token', ref),
      await send(world, NOTES, 'size', JSON.stringify({ ...ref, notes: 'x'.repeat(100_000) })),
      await send(world, NOTES, 'json', `{"import_supplier":"${ref.import_supplier}"`),
      await send(world, NOTES, 'supplier', { ...ref, import_supplier: [ref.import_supplier] }),
      await send(world, 'nothing/create/', 'route', ref),
      await service.get(`account-transfer-status/${ref.import_supplier}/unknown/`, world.token),
    ];
    expect(replies.map(({ status }) => status)).toEqual([401, 413, 400, 400, 404, 404]);
    expect(await recorded(world.supplier)).toEqual([]);
  });

  it('does not prevent others from being recorded, whatever it contains (O6)', async () => {
    const world = await service.given.supplier();
    const numbers = ['a\0b', '\ud800', 'x'.repeat(50_000), 5, undefined, '{"a","\\"}', ''];
    for (const number of numbers) {
      const body = {
        import_supplier: world.supplier,
        external_account_number: number,
        ['\0{"\\'.repeat(99)]: 1,
      };
      const reply = await send(world, NOTES, 'odd', body);
      expectError(reply, 400, 'validation_error');
    }
    const rows = await recorded(world.supplier);
    expect(rows.map((row) => row.external_account_number)).toEqual([
      'a\uFFFDb',
      '\uFFFD',
      'x'.repeat(128),
      '',
      '',
      '{"a","\\"}',
      '',
    ]);
  });

  it('is counted when it is dropped (O6)', async () => {
    expect(await register.metrics()).toContain('data_import_refusals_dropped_total 0');
    await service.stop();
  });

  it.each([
    ['the account', (number: string): string | null => number],
    ['everything of the supplier', (): null => null],
  ])(
    'is not stored after waiting for an erasure of %s, but one that was sent later is (S10, O6)',
    async (_what, erased) => {
      const world = await service.given.importedAccount();
      const number = world.ref.external_account_number;
      const operations = new SupplierOperations(service, world);
      const repository = service.app.get(RefusalsRepository, { strict: false });
      const insert = repository.insert.bind(repository);
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const storing = jest.spyOn(repository, 'insert').mockImplementation(async (...args) => {
        await released;
        return insert(...args);
      });
      expect((await send(world, NOTES, 'before', { ...world.ref, notes: [{}] })).status).toBe(400);
      await waitUntil('the refusal is about to be stored', () =>
        Promise.resolve(storing.mock.calls.length > 0),
      );
      expect(await operations.erase(erased(number))).toBe(true);
      // A refusal right at the beginning of the transaction might count as sent before the erasure.
      const clock = jest
        .spyOn(service.app.get(Clock, { strict: false }), 'now')
        .mockImplementation(() => new Date(Date.now() + 60_000));
      expect((await send(world, NOTES, 'after', { ...world.ref, notes: [{}] })).status).toBe(400);
      clock.mockRestore();
      release();
      expect((await recorded(world.supplier)).map(({ request_id }) => request_id)).toEqual(['after']);
    },
  );
});
