import { Clock } from '../../../src/infrastructure/clock/clock.js';
import { MOVED_TRANSACTIONS_IMPORT } from '../../../src/transactions/moved-transactions.repository.js';
import { expectError } from '../../support/expect-error.js';
import { outside } from '../../support/outside.js';
import { startService, unique, type AccountPair, type Reply, type World } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { setUp } from '../../support/set-up.js';

const { jest } = import.meta;

interface Answer {
  results: { status: string; transaction_data: Record<string, unknown> }[];
}

interface Transaction {
  transaction_id: string;
  transaction_date: string;
  amount: number;
  type: string;
  [field: string]: unknown;
}

const [ADDED, KNOWN] = ['TRANSACTION_ADDED_TO_ACCOUNT', 'TRANSACTION_ALREADY_EXISTS'];
const SUCCESS = 'TRANSACTION_IMPORT_SUCCESS';

/** The open statement period of every account of these tests, both days included. */
const PERIOD = { from: '2026-03-01', to: '2026-03-31' };

function charge(fields: Partial<Transaction> = {}): Transaction {
  return {
    transaction_id: unique('t'),
    transaction_date: '2026-03-15',
    amount: 12.5,
    type: 'CHARGE',
    reason: 'IMPORTED_CHARGE',
    ...fields,
  };
}

const LINE_ITEM = {
  rate_band: 'CONSUMPTION_STANDARD',
  start_date: '2026-02-01',
  end_date: '2026-02-28',
  number_of_units: 120.5,
  net_amount: 30.125,
  price_per_unit: 0.25,
  units: [60.25, 60.25],
};
const TAX_ITEM = { amount: 1.5, tax_type: 'VAT', value_taxed: 30.125, rate: 0.05, unit_type: 'PROPORTION' };

function supplyCharge(fields: Partial<Transaction> = {}): Transaction {
  return {
    ...charge({ type: 'SUPPLY_CHARGE', reason: 'DEFAULT' }),
    product_code: 'STANDARD',
    line_items: [LINE_ITEM],
    tax_items: [TAX_ITEM],
    ...fields,
  };
}

describe('POST transactions/create/', () => {
  const service = setUp(sharedService);
  const create = (token: string, payload: unknown, query = ''): Promise<Reply<Answer>> =>
    service.post<Answer>(`transactions/create/${query}`, token, payload);
  const account = (world?: World): ReturnType<typeof service.given.importedAccount> =>
    service.given.importedAccount({ ...PERIOD, ...(world && { world }) });
  const statuses = (reply: Reply<Answer>): string[] => reply.body.results.map(({ status }) => status);

  interface Stored {
    transaction_id: string;
    occurrence: string;
    transaction_date: string;
    sent_date: string | null;
    amount: string;
    [column: string]: unknown;
  }
  const stored = ({ external_account_number }: AccountPair): Promise<Stored[]> =>
    service.database
      .sql<Stored>(
        `SELECT to_jsonb(t) - 'import_supplier_id' - 'external_account_number' - 'import_request_id' AS row, t.amount::text
         FROM transaction t WHERE external_account_number = $1 ORDER BY transaction_id, occurrence`,
        [external_account_number],
      )
      .then((rows) => rows.map(({ row, amount }) => ({ ...(row as Stored), amount })));
  const notes = ({ external_account_number }: AccountPair): Promise<{ body: string; is_pinned: boolean }[]> =>
    service.database.sql(`SELECT body, is_pinned FROM note WHERE external_account_number = $1`, [
      external_account_number,
    ]);

  describe('what is stored', () => {
    it('adds transactions of all five types with every documented field (4.2, 2.4, X9)', async () => {
      const { token, ref } = await account();
      const transactions = [
        charge({ display_note: 'For you', note: 'For us', amount: 100 }),
        charge({ type: 'CREDIT', reason: 'IMPORTED_CREDIT', amount: -0.01 }),
        charge({
          ...{ type: 'PAYMENT', reason: 'ACCOUNT_CHARGE_PAYMENT' },
          ...{ payment_type: 'DD_REGULAR_COLLECTION', reference: 'r1' },
        }),
        charge({
          ...{ type: 'REPAYMENT', reason: 'FULL_CREDIT_REFUND' },
          ...{ payment_type: 'DIRECT_CREDIT', reference: 'r2' },
        }),
        supplyCharge(),
      ];
      const reply = await create(token, { ...ref, transactions });
      expect(reply.status).toBe(201);
      expect(reply.body).toEqual({
        results: transactions.map((transaction) => ({
          status: ADDED,
          transaction_data: { ...transaction, amount: transaction.amount.toFixed(2), status: SUCCESS },
        })),
      });
      const byId = new Map((await stored(ref)).map((row) => [row.transaction_id, row]));
      for (const transaction of transactions) {
        const row = byId.get(transaction.transaction_id)!;
        expect(row).toMatchObject({ ...transaction, amount: transaction.amount.toFixed(2), sent_date: null });
      }
    });

    it('keeps the numbers of line and tax items exactly (X2, T13)', async () => {
      const { token, ref } = await account();
      const line = { ...LINE_ITEM, number_of_units: 123456789012345, net_amount: 0.0000000001 };
      const fine = {
        ...LINE_ITEM,
        rate_band: '":1e-10',
        number_of_units: 99999.9999999999,
        net_amount: -1e21,
      };
      const sent = supplyCharge({ line_items: [line, fine] });
      const reply = await create(token, { ...ref, transactions: [sent] });
      expect(reply.body.results[0]!.transaction_data.line_items).toEqual(sent.line_items);
      const written = JSON.stringify(sent.line_items);
      const [row] = await service.database.sql(
        `SELECT line_items::text AS text, line_items::jsonb = $2 AS "isSame" FROM transaction WHERE external_account_number = $1`,
        [ref.external_account_number, written],
      );
      const text = written.replace('1e-10', '0.0000000001').replace('-1e+21', `-1${'0'.repeat(21)}`);
      expect(row).toEqual({ text, isSame: true });
    });
  });

  describe('what was added earlier', () => {
    it('skips it, and answers the same data (X5, X9)', async () => {
      const { token, ref } = await account();
      const [old, fresh] = [charge(), charge()];
      await create(token, { ...ref, transactions: [old] });
      const reply = await create(token, { ...ref, transactions: [fresh, old] });
      expect(statuses(reply)).toEqual([ADDED, KNOWN]);
      expect(reply.body.results[1]!.transaction_data).toEqual({ ...old, amount: '12.50', status: SUCCESS });
      expect([await stored(ref), await notes(ref)]).toMatchObject([{ length: 2 }, { length: 0 }]);
    });

    it('adds it again when the request switches the check off (X6)', async () => {
      const { token, ref } = await account();
      const transaction = charge();
      await create(token, { ...ref, transactions: [transaction] });
      const again = await create(
        token,
        { ...ref, transactions: [transaction] },
        '?check_previously_added=false',
      );
      expect(statuses(again)).toEqual([ADDED]);
      await create(token, { ...ref, transactions: [transaction] }, '?check_previously_added=0');
      expect(await stored(ref)).toHaveLength(3);
      expect(statuses(await create(token, { ...ref, transactions: [transaction] }))).toEqual([KNOWN]);
    });

    it('is known when it was added without a check (X6)', async () => {
      const { token, ref } = await account();
      const payload = { ...ref, transactions: [charge()] };
      expect(statuses(await create(token, payload, '?check_previously_added=false'))).toEqual([ADDED]);
      expect(statuses(await create(token, payload))).toEqual([KNOWN]);
      expect(await stored(ref)).toHaveLength(1);
    });

    it('is recorded with the exact amount of what was added (C12)', async () => {
      const { token, ref } = await account();
      const [first, second] = [
        [0.29, 1.15, 4.35, -0.07].map((amount) => charge({ amount })),
        charge({ amount: 8.2 }),
      ];
      await create(token, { ...ref, transactions: first });
      await create(token, { ...ref, transactions: [...first, second] });
      const requests = await service.database.sql(
        `SELECT r.amount::text, r.stored FROM import_request r
          WHERE r.external_account_number = $1 ORDER BY r.id`,
        [ref.external_account_number],
      );
      expect(requests).toEqual([
        { amount: '5.72', stored: 4 },
        { amount: '8.20', stored: 1 },
      ]);
    });

    it('is never lost when it is added without a check, even if its key is taken (X6)', async () => {
      const { token, ref } = await account();
      const transactions = [charge(), charge()];
      const same = jest.spyOn(outside.Math, 'random').mockReturnValue(0.25);
      const add = (list: object[]): Promise<Reply<Answer>> =>
        create(token, { ...ref, transactions: list }, '?check_previously_added=false');
      expect(statuses(await add(transactions.slice(1)))).toEqual([ADDED]);
      // The same random number is drawn again, perhaps also for pauses before the next attempt.
      let left = 2;
      same.mockImplementation(() => ((left -= 1) >= 0 ? 0.25 : 0.75));
      expect(statuses(await add(transactions))).toEqual([ADDED, ADDED]);
      expect(left).toBeLessThan(0);
      expect((await stored(ref)).map(({ transaction_id }) => transaction_id)).toEqual(
        [...transactions, transactions[1]!].map(({ transaction_id }) => transaction_id).sort(),
      );
    });

    it('compares ids exactly (T14)', async () => {
      const { token, ref } = await account();
      const transactions = ['id', 'ID', 'id ', 'íd', 'i\u0301d'].map((transaction_id) =>
        charge({ transaction_id }),
      );
      expect(statuses(await create(token, { ...ref, transactions }))).toEqual(transactions.map(() => ADDED));
    });
  });

  describe('the open statement period', () => {
    const days = ['2026-02-28', '2026-03-01', '2026-03-31', '2026-04-01'];

    it('moves a date to the nearer end, keeps the original day, and explains it (4.2, X7)', async () => {
      const { token, ref } = await account();
      const transactions = days.map((transaction_date, n) =>
        charge({ transaction_id: `t${n}`, transaction_date, note: 'Ours.' }),
      );
      const reply = await create(token, { ...ref, transactions });
      const data = reply.body.results.map(({ transaction_data }) => transaction_data);
      expect(statuses(reply)).toEqual(days.map(() => ADDED));
      expect(data.map(({ transaction_date }) => transaction_date)).toEqual([
        ...['2026-03-01', '2026-03-01', '2026-03-31', '2026-03-31'],
      ]);
      expect(data[1]!.note).toBe('Ours.');
      expect(data[0]!.note).toMatch(/^Ours\. .*2026-02-28.*2026-03-01/);
      expect(data[3]!.note).toMatch(/^Ours\. .*2026-04-01.*2026-03-31/);
      expect(await stored(ref)).toMatchObject([
        { transaction_date: '2026-03-01', sent_date: '2026-02-28', note: data[0]!.note },
        { transaction_date: '2026-03-01', sent_date: null },
        { transaction_date: '2026-03-31', sent_date: null },
        { transaction_date: '2026-03-31', sent_date: '2026-04-01', note: data[3]!.note },
      ]);
      const pinned = await notes(ref);
      expect(pinned).toEqual([
        {
          is_pinned: true,
          body: expect.stringMatching(
            /2 of the .*2026-03-01 to 2026-03-31.*: t0, t3\. Import request [\da-f-]{36}\.$/,
          ) as string,
        },
      ]);
    });

    it('pins a note for each request, even for two in the same second with the same text (X6, X7)', async () => {
      jest.spyOn(service.app.get(Clock, { strict: false }), 'now').mockReturnValue(new Date());
      const { token, ref } = await account();
      const payload = { ...ref, transactions: [charge({ transaction_date: '2026-02-28' })] };
      for (let times = 0; times < 2; times += 1) {
        expect(statuses(await create(token, payload, '?check_previously_added=false'))).toEqual([ADDED]);
      }
      expect(await notes(ref)).toHaveLength(2);
    });

    describe('while others change the account', () => {
      const moved = (fields: Partial<Transaction> = {}): Transaction =>
        charge({ transaction_date: '2026-02-28', ...fields });
      /** Insert a transaction directly, on a separate connection. */
      const ADD = `INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, occurrence, import_request_id,
                                            transaction_date, amount, type)
                   SELECT id, $2, $3, 0, uuidv7(), '2026-03-15', 1, 'CHARGE' FROM import_supplier WHERE code = $1`;
      const add = ({ import_supplier, external_account_number }: AccountPair, id: string): Promise<unknown> =>
        service.database.sql(ADD, [import_supplier, external_account_number, id]);
      const setPeriod = ({ external_account_number }: AccountPair, from: string): Promise<unknown> =>
        service.database.sql(
          'UPDATE account_import SET open_statement_from = $2 WHERE external_account_number = $1',
          [external_account_number, from],
        );

      /** Do something before the second query of each following request. @returns how often it happened */
      function beforeMoving(change: (times: number) => Promise<unknown>): () => number {
        let times = 0;
        const query = MOVED_TRANSACTIONS_IMPORT.query.bind(MOVED_TRANSACTIONS_IMPORT);
        jest.spyOn(MOVED_TRANSACTIONS_IMPORT, 'query').mockImplementation(async (...given) => {
          times += 1;
          await change(times);
          return query(...given);
        });
        return () => times;
      }

      it('pins no second note for a repeated request, whichever dates it moves (X5, X7)', async () => {
        const { token, ref } = await account();
        const [one, two] = [moved(), moved()];
        const first = await create(token, { ...ref, transactions: [one, charge(), two] });
        const again = await create(token, { ...ref, transactions: [one, charge(), two] });
        expect([statuses(first), statuses(again)]).toEqual([
          [ADDED, ADDED, ADDED],
          [KNOWN, ADDED, KNOWN],
        ]);
        expect(statuses(await create(token, { ...ref, transactions: [one] }))).toEqual([KNOWN]);
        expect(again.body.results[0]!.transaction_data.transaction_date).toBe(one.transaction_date);
        expect(await notes(ref)).toHaveLength(1);
      });

      it('names only the transactions that it adds, when another request comes between the two queries (X5, X7)', async () => {
        const { token, ref } = await account();
        const [one, two] = [moved(), moved()];
        const tries = beforeMoving((times) =>
          times === 1 ? add(ref, one.transaction_id) : Promise.resolve(),
        );
        const reply = await create(token, { ...ref, transactions: [one, two] });
        expect(statuses(reply)).toEqual([KNOWN, ADDED]);
        expect(tries()).toBe(2);
        const [note, ...others] = await notes(ref);
        expect(others).toEqual([]);
        expect(note!.body).toMatch(/^1 of the /);
        expect(note!.body).toContain(two.transaction_id);
        expect(note!.body).not.toContain(one.transaction_id);
      });

      it('names only the transactions that it adds, when another request ends during the second query (X5, X7)', async () => {
        const { token, ref } = await account();
        const [one, two] = [moved(), moved()];
        await using other = await service.database.connect();
        await other.query('BEGIN');
        await other.query(ADD, [ref.import_supplier, ref.external_account_number, one.transaction_id]);
        const answer = create(token, { ...ref, transactions: [one, two] });
        await service.database.blocked(1);
        await other.query('COMMIT');
        expect(statuses(await answer)).toEqual([KNOWN, ADDED]);
        const [note, ...others] = await notes(ref);
        expect(others).toEqual([]);
        expect(note!.body).toMatch(/^1 of the /);
        expect(await stored(ref)).toHaveLength(2);
      });

      it('moves no date that the account’s period has at the time of storing (S9, X7)', async () => {
        const { token, ref } = await account();
        beforeMoving((times) => (times === 1 ? setPeriod(ref, '2026-02-01') : Promise.resolve()));
        expect(statuses(await create(token, { ...ref, transactions: [moved()] }))).toEqual([ADDED]);
        expect(await stored(ref)).toMatchObject([{ transaction_date: '2026-02-28', sent_date: null }]);
        expect(await notes(ref)).toEqual([]);
      });

      it('moves into the account’s period at the time of storing, and stores nothing else (S9, X7)', async () => {
        const { token, ref } = await account();
        beforeMoving((times) => (times === 1 ? setPeriod(ref, '2026-03-10') : Promise.resolve()));
        const transactions = [moved(), charge({ transaction_date: '2026-03-05' })];
        const { body } = await create(token, { ...ref, transactions });
        expect(body.results.map(({ transaction_data }) => transaction_data.transaction_date)).toEqual([
          '2026-03-10',
          '2026-03-10',
        ]);
        expect(await notes(ref)).toEqual([
          { is_pinned: true, body: expect.stringMatching(/^2 .* 2026-03-10 to 2026-03-31;/) as string },
        ]);
      });

      it('is 503 and stores nothing when the account changes each time (S9, T4)', async () => {
        const { token, ref } = await account();
        const tries = beforeMoving((times) => setPeriod(ref, `2026-03-0${1 + times}`));
        const reply = await create(token, { ...ref, transactions: [moved(), charge()] });
        expectError(reply, 503, 'service_unavailable');
        expect(tries()).toBe(3);
        expect([await stored(ref), await notes(ref)]).toEqual([[], []]);
      });

      it('is not refused for an existing transaction when moving is switched off (X5, X8)', async () => {
        const { token, ref } = await account();
        const known = moved();
        await create(token, { ...ref, transactions: [known] });
        const query = '?force_add_to_current_statement=false';
        expect(statuses(await create(token, { ...ref, transactions: [known, charge()] }, query))).toEqual([
          KNOWN,
          ADDED,
        ]);
        expectError(
          await create(token, { ...ref, transactions: [known, charge(), moved()] }, query),
          400,
          'transaction_import_error',
          [['outside_open_statement_period', 'transactions.2.transaction_date']],
        );
        expect(await notes(ref)).toHaveLength(1);
      });
    });

    it('refuses the whole request when moving is not wanted, describing the first failing one; both ends are inside (7.2, S6, X8)', async () => {
      const { token, ref } = await account();
      const transactions = [
        charge({ transaction_date: PERIOD.from }),
        charge({ transaction_date: '2026-04-01' }),
        charge({ transaction_date: PERIOD.to }),
        charge({ transaction_date: '2026-02-28' }),
      ];
      const reply = await create(token, { ...ref, transactions }, '?force_add_to_current_statement=false');
      expectError(reply, 400, 'transaction_import_error', [
        ['outside_open_statement_period', 'transactions.1.transaction_date'],
        ['outside_open_statement_period', 'transactions.3.transaction_date'],
      ]);
      const first = transactions[1]!;
      expect(reply.body).toMatchObject({
        status: 'TRANSACTION_IMPORT_ERROR',
        transaction_data: { ...first, amount: '12.50' },
      });
      const { error_detail } = reply.body as unknown as { error_detail: string };
      for (const part of [first.transaction_id, '2026-04-01', '2026-03-01', '2026-03-31'])
        expect(error_detail).toContain(part);
      expect(await stored(ref)).toEqual([]);
      expect(await notes(ref)).toEqual([]);
    });

    it('is only its first day while that is in the future (S6, X7)', async () => {
      const { token, ref } = await service.given.importedAccount({ from: '9000-01-01', to: null });
      const transactions = ['2026-01-01', '9000-01-01', '9000-01-02'].map((transaction_date) =>
        charge({ transaction_date }),
      );
      const { body } = await create(token, { ...ref, transactions });
      expect(body.results.map(({ transaction_data }) => transaction_data.transaction_date)).toEqual(
        Array(3).fill('9000-01-01'),
      );
    });
  });

  describe('what is refused', () => {
    it.each<[object, string, string]>([
      [{ transaction_id: undefined }, 'required', 'transaction_id'],
      [{ transaction_date: '2026-02-30' }, 'invalid', 'transaction_date'],
      [{ amount: 10.505 }, 'max_decimal_places', 'amount'],
      [{ type: 'charge' }, 'invalid_choice', 'type'],
      [{ reason: 'NO_REASON' }, 'invalid_choice', 'reason'],
      [{ line_items: [{}] }, 'required', 'line_items.0.start_date'],
      [
        { line_items: [{ ...LINE_ITEM, end_date: '2026-01-31' }] },
        'start_date_later_than_end_date',
        'line_items.0.start_date',
      ],
      [{ line_items: [{ ...LINE_ITEM, units: [1, null] }] }, 'null', 'line_items.0.units.1'],
      [{ tax_items: [{ ...TAX_ITEM, rate: undefined }] }, 'required', 'tax_items.0.rate'],
      [{ tax_items: [{ ...TAX_ITEM, rate: 1e-11 }] }, 'max_decimal_places', 'tax_items.0.rate'],
      [{ type: 'SUPPLY_CHARGE', line_items: [LINE_ITEM] }, 'required', 'product_code'],
      [{ type: 'SUPPLY_CHARGE', product_code: 'P', line_items: [] }, 'min_length', 'line_items'],
    ])('%j: %s (X1 to X3, T5, T8, T9, T14)', async (fields, code, attr) => {
      const { token, ref } = await account();
      const reply = await create(token, { ...ref, transactions: [charge(), { ...charge(), ...fields }] });
      const [first] = (reply.body as unknown as { errors: { code: string; attr: string }[] }).errors;
      expectError(reply, 400, 'validation_error');
      expect([first!.code, first!.attr]).toEqual([code, `transactions.1.${attr}`]);
      expect(await stored(ref)).toEqual([]);
    });

    it.each(['1234567890123456', '0.1234567890123456', '1e400', '1e-400', '12345678901234567890e-18'])(
      'the number %s, which could not be kept exactly (T13)',
      async (number) => {
        const { token, ref } = await account();
        const text = JSON.stringify({
          ...ref,
          transactions: [supplyCharge({ amount: 4711, tax_items: [{ ...TAX_ITEM, rate: 4711 }] })],
        });
        const reply = await create(token, text.replaceAll('4711', number));
        expectError(reply, 400, 'validation_error', [
          ['max_digits', 'transactions.0.amount'],
          ['max_digits', 'transactions.0.tax_items.0.rate'],
        ]);
      },
    );

    it.each(['', '?check_previously_added=false'])('a repeated id in one payload, %s (X4)', async (query) => {
      const { token, ref } = await account();
      const transactions = [
        charge({ transaction_id: 'a' }),
        charge({ transaction_id: 'b' }),
        charge({ transaction_id: 'a' }),
        charge({ transaction_id: 'a', amount: 1.001 }),
      ];
      expectError(await create(token, { ...ref, transactions }, query), 400, 'validation_error', [
        ['duplicate_transaction_ids', 'transactions.2.transaction_id'],
        ['max_decimal_places', 'transactions.3.amount'],
        ['duplicate_transaction_ids', 'transactions.3.transaction_id'],
      ]);
    });
  });
});

describe('an open statement period without an end', () => {
  const service = setUp(() => startService({ PLATFORM_TIMEZONE: 'Pacific/Kiritimati' }));

  it.each([
    ['2026-03-04T09:59:59.999Z', '2026-03-04'],
    ['2026-03-04T10:00:00Z', '2026-03-05'],
  ])('ends at %s on %s, fourteen hours ahead of UTC (S6)', async (now, today) => {
    const { token, ref } = await service.given.importedAccount({ from: '2026-01-01', to: null });
    jest.spyOn(service.app.get(Clock, { strict: false }), 'now').mockReturnValue(new Date(now));
    const reply = await service.post<Answer>('transactions/create/', token, {
      ...ref,
      transactions: [charge({ transaction_date: '9999-12-31' })],
    });
    expect(reply.body.results[0]!.transaction_data.transaction_date).toBe(today);
  });
});
