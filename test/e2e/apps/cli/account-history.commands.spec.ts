import { createDatabase } from '../../../support/database.js';
import { runCommand, runJson } from '../../../support/cli.js';
import {
  givenIn,
  startService,
  unique,
  type AccountPair,
  type TestService,
} from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';

const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string;
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const NOTHING = { notes: 0, transactions: 0, statements: 0, payment_instructions: 0 };

type Event = Readonly<Record<string, unknown>> & { readonly at: string; readonly event: string };

describe('data-import accounts history', () => {
  const database = setUp(createDatabase);

  async function historyOf({ import_supplier, external_account_number }: AccountPair): Promise<Event[]> {
    const { json, exitCode } = await runJson(database, [
      'accounts',
      'history',
      import_supplier,
      external_account_number,
    ]);
    expect(exitCode).toBe(0);
    return json as Event[];
  }

  /** An operator change of an account, or of its supplier. */
  async function change(action: string, supplier: string, number: string | null): Promise<void> {
    await database.sql(
      `INSERT INTO audit_entry (id, operator, action, subject, import_supplier, external_account_number, details)
       VALUES (gen_random_uuid(), 'Ann', $1, 'x', $2, $3, '{"from": 1}')`,
      [action, supplier, number],
    );
  }

  describe('of an account that was imported', () => {
    let service: TestService;
    beforeEach(async () => {
      service = await startService({}, { database });
    });

    it('lists staging, import, every request with its counts, refusals and operator changes, oldest first (O6)', async () => {
      const { given } = service;
      const world = await given.supplier();
      const number = unique('account');
      const code = world.supplier;
      await runCommand(
        database,
        ['accounts', 'stage', code, '-'],
        `{"external_account_number":"${number}"}\n`,
      );
      const ref = { import_supplier: code, external_account_number: number };
      const post = async (path: string, id: string, content: object): Promise<number> => {
        const headers = {
          authorization: `Token ${world.token}`,
          'content-type': 'application/json',
          'x-request-id': id,
          traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01`,
        };
        const body = JSON.stringify({ ...ref, ...content });
        return (await service.call(path, { method: 'POST', headers, body })).status;
      };
      expect(await post('notes/create/', 'too-early', { notes: [{ body: 'a' }] })).toBe(404);
      await runCommand(database, ['accounts', 'import', code]);
      await change('account.set_period', code, number);
      await change('account.set_period', code, 'another');
      const transactions = ['t1', 't2'].map((transaction_id) => ({
        transaction_id,
        transaction_date: '2020-02-03',
        amount: 1,
        type: 'CHARGE',
        reason: 'IMPORTED_CHARGE',
      }));
      const month = { bill_period_from_date: '2020-01-01', bill_period_to_date: '2020-01-31' };
      const notes = { notes: [{ body: 'a' }, { body: 'b' }, { body: 'c' }] };
      const sent = [
        await post('notes/create/', 'r1', notes),
        await post('notes/create/', 'again', notes),
        await post('transactions/create/', 'r2', { transactions }),
        await post('historical-statements/create/', 'r3', { statements: [{ statement_id: 's', ...month }] }),
        await post('payment-instruction/create/', 'r4', {
          vendor: 'SANDBOX',
          reference: 'ok_1',
          type: 'CARD',
        }),
        await post('notes/create/?dry_run=true', 'r5', { notes: [{ body: 'a' }, { body: 7 }] }),
      ];
      expect(sent).toEqual([201, 201, 201, 201, 201, 400]);
      await service.stop();

      const events = await historyOf(ref);
      const request = {
        ...{ at: MOMENT, event: 'import_request', trace_id: TRACE_ID, api_key_id: world.apiKeyId },
        undone_at: null,
      };
      const refusal = {
        at: MOMENT,
        event: 'refusal',
        trace_id: TRACE_ID,
        api_key_id: world.apiKeyId,
        kind: 'notes',
        items: null,
      };
      expect(events).toEqual([
        { at: MOMENT, event: 'staged' },
        {
          ...refusal,
          request_id: 'too-early',
          status: 404,
          code: 'account_not_found',
          attr: null,
          field_code: null,
          dry_run: false,
        },
        {
          at: MOMENT,
          event: 'imported',
          service_account_number: expect.stringMatching(/^A-/) as string,
        },
        {
          at: MOMENT,
          event: 'operator_change',
          operator: 'Ann',
          action: 'account.set_period',
          details: { from: 1 },
        },
        { ...request, request_id: 'r1', kind: 'notes', counts: { ...NOTHING, notes: 3 } },
        // One note is pinned for the transactions that were moved.
        {
          ...request,
          request_id: 'r2',
          kind: 'transactions',
          counts: { ...NOTHING, notes: 1, transactions: 2 },
        },
        { ...request, request_id: 'r3', kind: 'statements', counts: { ...NOTHING, statements: 1 } },
        {
          ...request,
          request_id: 'r4',
          kind: 'payment_instruction',
          counts: { ...NOTHING, payment_instructions: 1 },
        },
        {
          ...refusal,
          request_id: 'r5',
          status: 400,
          code: 'validation_error',
          attr: 'notes.1.body',
          field_code: 'invalid',
          dry_run: true,
          items: {
            at_fault: [{ at: 'notes.1', errors: [{ attr: 'body', code: 'invalid', form: 'number' }] }],
          },
        },
      ]);
      const { json } = await runJson(database, ['accounts', 'show', code, number]);
      expect(json).toMatchObject({
        counts: { notes: 4, transactions: 2, statements: 1, payment_instructions: 1 },
      });
    });

    it('is printed as a line for each event, without terminal control characters (O6)', async () => {
      const { ref, token, supplier } = await service.given.importedAccount();
      const field = '\u001b[2J';
      const reply = await service.post('notes/create/', token, {
        ...ref,
        [field]: 1,
        notes: [{ body: 'a' }],
      });
      expect(reply.status).toBe(400);
      await service.stop();
      const args = ['accounts', 'history', supplier, ref.external_account_number];
      const { stdout, exitCode } = await runCommand(database, args);
      expect(exitCode).toBe(0);
      const [head, ...lines] = stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(/^\S+ +/, ''));
      expect(head).toBe('Event     Details');
      expect(lines.sort()).toEqual([
        expect.stringMatching(/^imported {2}service_account_number=A-/),
        expect.stringMatching(
          /^refusal {3}request_id=\S+ api_key_id=\S+ \(\w+\) kind=notes status=400 code=validation_error attr=\uFFFD\[2J field_code=unexpected_field dry_run=false$/,
        ),
        'staged',
      ]);
    });
  });

  it('says why an import failed (O6)', async () => {
    const { ref } = await givenIn(database).stagedAccount();
    await database.sql(
      `UPDATE account_import SET status = 'failed', failure = 'It is closed.', failed_at = now() WHERE external_account_number = $1`,
      [ref.external_account_number],
    );
    expect(await historyOf(ref)).toEqual([
      { at: MOMENT, event: 'staged' },
      { at: MOMENT, event: 'import_failed', failure: 'It is closed.' },
    ]);
  });

  it('streams 5,000 requests and as many refusals in order (O6)', async () => {
    const { ref, supplier } = await givenIn(database).importedAccount();
    const at = `now() + n * interval '1 s'`;
    // The same time as in the other column, however long the query takes.
    const shifted = `uuidv7(${at} - clock_timestamp())`;
    const columns = `import_supplier_id, external_account_number, id, kind, api_key_id, request_id`;
    const values = `s.id, $2, ${shifted}, 'notes', uuidv7()`;
    const from = `FROM import_supplier s, generate_series(1, 5000) AS n WHERE s.code = $1`;
    await database.sql(
      `INSERT INTO import_request (${columns}, stored, stored_at) SELECT ${values}, 'request ' || n, n, ${at} ${from}`,
      [supplier, ref.external_account_number],
    );
    await database.sql(
      `INSERT INTO import_refusal (${columns}, organisation_id, at, status, code, is_dry_run)
       SELECT ${values}, 'refusal ' || n, uuidv7(), ${at}, 404, 'account_not_found', false ${from}`,
      [supplier, ref.external_account_number],
    );
    const events = await historyOf(ref);
    expect(
      events
        .map(({ event }) => event)
        .slice(0, 2)
        .sort(),
    ).toEqual(['imported', 'staged']);
    const moments = events.map(({ at: moment }) => Date.parse(moment));
    const steps = moments.slice(1).map((moment, index) => moment - moments[index]!);
    // An id has only milliseconds, so events of the same one may be in either order.
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(-1_000);
    expect(new Set(events.map(({ request_id }) => request_id)).size).toBe(10_001);
    expect(events).toHaveLength(10_002);
  });

  it('of an erased account has its erasure and later events (O6)', async () => {
    const { supplier } = await givenIn(database).supplier();
    const actions = async (number: string): Promise<unknown[]> =>
      (await historyOf({ import_supplier: supplier, external_account_number: number })).map(
        ({ action }) => action,
      );
    const [period, erasure] = ['account.set_period', 'account.erase'];
    await change(period, supplier, 'erased');
    await change(period, supplier, 'another');
    // An erasure is recorded when it begins and when it has ended.
    await change(erasure, supplier, 'erased');
    await change(erasure, supplier, 'erased');
    expect(await actions('erased')).toEqual([erasure, erasure]);
    await change(period, supplier, 'erased');
    expect(await actions('erased')).toEqual([erasure, erasure, period]);
    expect(await actions('another')).toEqual([period]);
    await change('supplier.erase', supplier, null);
    expect(await actions('erased')).toEqual([erasure, erasure]);
    const { exitCode, json } = await runJson(database, ['accounts', 'history', supplier, 'another']);
    expect([exitCode, json]).toEqual([
      1,
      { error: expect.objectContaining({ code: 'account_not_found' }) as object },
    ]);
  });
});
