import { expectInvalid, expectError } from '../../support/expect-error.js';
import { type AccountPair, type Reply } from '../../support/service.js';
import { setUp } from '../../support/set-up.js';
import { sharedService } from '../../support/shared-service.js';

interface Statement {
  statement_id: string;
  bill_period_from_date: string;
  bill_period_to_date: string;
  issued_date?: string;
  number?: string;
  gross_amount?: number;
  statement_path?: string;
}

describe('POST historical-statements/create/', () => {
  const service = setUp(sharedService);
  const create = (token: string, payload: unknown, query = ''): Promise<Reply> =>
    service.post(`historical-statements/create/${query}`, token, payload);

  const JANUARY = { bill_period_from_date: '2024-01-01', bill_period_to_date: '2024-01-31' };
  const statement = (statement_id: string, more: object = {}): Statement => ({
    statement_id,
    ...JANUARY,
    ...more,
  });
  const EVERYTHING = {
    issued_date: '2024-02-03',
    number: 'R-2024/17',
    gross_amount: 118.9,
    statement_path: '2024/R-17 Müller.pdf',
  };

  /** The account's statements in the database, ordered by id. */
  function stored({ import_supplier, external_account_number }: AccountPair): Promise<object[]> {
    return service.database.sql(
      `SELECT statement_id, bill_period_from_date::text, bill_period_to_date::text, issued_date::text, number,
              gross_amount::text, statement_path, document_location, document_seen_at, import_request_id
         FROM statement t JOIN import_supplier s ON s.id = t.import_supplier_id
        WHERE s.code = $1 AND t.external_account_number = $2
        ORDER BY statement_id`,
      [import_supplier, external_account_number],
    );
  }

  async function storedIds(ref: AccountPair): Promise<string[]> {
    return (await stored(ref)).map((row) => (row as { statement_id: string }).statement_id);
  }

  describe('what is stored', () => {
    it('keeps every field, and answers the payload as it was sent (4.3, 2.5, H2)', async () => {
      const { token, ref } = await service.given.importedAccount();
      const payload = { ...ref, statements: [statement('S-1', EVERYTHING), statement('S-2')] };
      const reply = await create(token, payload);
      expect(reply).toMatchObject({ status: 201, body: payload });
      const empty = { issued_date: null, number: null, gross_amount: null, statement_path: null };
      expect(await stored(ref)).toMatchObject([
        { statement_id: 'S-1', ...JANUARY, ...EVERYTHING, gross_amount: '118.9', document_seen_at: null },
        { statement_id: 'S-2', ...JANUARY, ...empty, document_location: null },
      ]);
    });

    it('accepts a period of one day, and the first and last possible day (H1, T12)', async () => {
      const { token, ref } = await service.given.importedAccount();
      const period = (from: string, to: string): object => ({
        bill_period_from_date: from,
        bill_period_to_date: to,
      });
      const statements = [
        statement('day', period('2024-02-29', '2024-02-29')),
        statement('ever', period('0001-01-01', '9999-12-31')),
      ];
      expect(await create(token, { ...ref, statements })).toMatchObject({ status: 201 });
      expect(await stored(ref)).toMatchObject(statements);
    });
  });

  describe('a known statement_id', () => {
    it('accepts the same content again and stores it once (H3)', async () => {
      const { token, ref } = await service.given.importedAccount();
      const payload = { ...ref, statements: [statement('S-1', EVERYTHING), statement('S-2')] };
      await create(token, payload);
      const before = await stored(ref);
      expect(await create(token, payload)).toMatchObject({ status: 201, body: payload });
      expect(await stored(ref)).toEqual(before);
    });

    it('compares the amount by its value (H3)', async () => {
      const { token, ref } = await service.given.importedAccount();
      const body = (amount: string): string =>
        JSON.stringify({ ...ref, statements: [statement('S', { gross_amount: 0 })] }).replace(
          '"gross_amount":0',
          `"gross_amount":${amount}`,
        );
      for (const amount of ['10.5', '10.500', '1.05e1']) {
        expect(await create(token, body(amount))).toMatchObject({ status: 201 });
      }
      expectError(await create(token, body('10.51')), 400, 'validation_error', [
        ['historical_statement_already_exists', 'statements.0.statement_id'],
      ]);
    });

    it.each(Object.keys(EVERYTHING))(
      'refuses one without %s, and stores nothing of the request (H3)',
      async (field) => {
        const { token, ref } = await service.given.importedAccount();
        await create(token, { ...ref, statements: [statement('S', EVERYTHING)] });
        const before = await stored(ref);
        const changed = statement('S', { ...EVERYTHING, [field]: undefined });
        const reply = await create(token, { ...ref, statements: [statement('new'), changed] });
        expectInvalid(reply, ['historical_statement_already_exists', 'statements.1.statement_id']);
        expect(await stored(ref)).toEqual(before);
      },
    );

    it('names each one that has changed, in the order of the payload (H3, T6)', async () => {
      const { token, ref } = await service.given.importedAccount();
      await create(token, { ...ref, statements: [statement('a'), statement('b'), statement('c')] });
      const changed = { gross_amount: 1 };
      const reply = await create(token, {
        ...ref,
        statements: [statement('c', changed), statement('b'), statement('new'), statement('a', changed)],
      });
      expectError(reply, 400, 'validation_error', [
        ['historical_statement_already_exists', 'statements.0.statement_id'],
        ['historical_statement_already_exists', 'statements.3.statement_id'],
      ]);
      expect(await storedIds(ref)).toEqual(['a', 'b', 'c']);
    });

    it('refuses one that is repeated in the payload, same content or not (H3)', async () => {
      const { token, ref } = await service.given.importedAccount();
      const statements = [
        statement('a'),
        statement('b'),
        statement('a'),
        statement('A'),
        statement('a', EVERYTHING),
      ];
      expectError(await create(token, { ...ref, statements }), 400, 'validation_error', [
        ['duplicate_statement_ids', 'statements.2.statement_id'],
        ['duplicate_statement_ids', 'statements.4.statement_id'],
      ]);
      expect(await stored(ref)).toEqual([]);
    });

    it('distinguishes repeated ids from items that are not statements (H3, T6)', async () => {
      const { token, ref } = await service.given.importedAccount();
      const statements = [statement('a'), null, { ...statement('a'), statement_id: 7 }, statement('a')];
      expectError(await create(token, { ...ref, statements }), 400, 'validation_error', [
        ['null', 'statements.1'],
        ['invalid', 'statements.2.statement_id'],
        ['duplicate_statement_ids', 'statements.3.statement_id'],
      ]);
    });
  });

  describe('concurrent requests', () => {
    describe('when another request stores a statement between the check and the insert', () => {
      /** Post while another transaction has inserted the statement `S` but not committed; commit once the request waits. */
      async function race(query: string, statements: Statement[]): Promise<{ reply: Reply; ids: string[] }> {
        const { token, ref } = await service.given.importedAccount();
        await using other = await service.database.connect();
        await other.query('BEGIN');
        await other.query(
          `INSERT INTO statement (import_supplier_id, external_account_number, statement_id, bill_period_from_date,
                                  bill_period_to_date, import_request_id)
           SELECT id, $2, 'S', '2024-01-01', '2024-01-31', uuidv7() FROM import_supplier WHERE code = $1`,
          [ref.import_supplier, ref.external_account_number],
        );
        const answer = create(token, { ...ref, statements }, query);
        await service.database.blocked(1);
        await other.query('COMMIT');
        return { reply: await answer, ids: await storedIds(ref) };
      }

      it.each(['', '?dry_run=true'])('accepts the same content%s (H3, R1)', async (query) => {
        const { reply, ids } = await race(query, [statement('A'), statement('S'), statement('Z')]);
        expect(reply.status).toBe(201);
        expect(ids).toEqual(query === '' ? ['A', 'S', 'Z'] : ['S']);
      });

      it.each(['', '?dry_run=true'])('refuses other content and stores nothing%s (H3, R1)', async (query) => {
        const changed = statement('S', EVERYTHING);
        const { reply, ids } = await race(query, [statement('A'), changed, statement('Z')]);
        expectInvalid(reply, ['historical_statement_already_exists', 'statements.1.statement_id']);
        expect(ids).toEqual(['S']);
      });
    });
  });

  describe('what is refused', () => {
    it.each<[object, string, string]>([
      [JANUARY, 'required', '.statement_id'],
      [statement('S', { bill_period_from_date: '2023-02-29' }), 'invalid', '.bill_period_from_date'],
      [
        statement('S', { bill_period_from_date: '2024-02-01' }),
        'start_date_later_than_end_date',
        '.bill_period_from_date',
      ],
      [statement('S', { issued_date: null }), 'null', '.issued_date'],
      [statement('S', { gross_amount: 0.00000000001 }), 'max_decimal_places', '.gross_amount'],
      [statement('S', { statement_path: 'a/../../b.pdf' }), 'invalid_document_path', '.statement_path'],
      [[], 'invalid', ''],
    ])('item %#: %j (T5, T8, T9, T14, H1, F2)', async (item, code, attr) => {
      const { token, ref } = await service.given.importedAccount();
      const reply = await create(token, { ...ref, statements: [statement('fine'), item] });
      expectInvalid(reply, [code, `statements.1${attr}`]);
      expect(await stored(ref)).toEqual([]);
    });

    it('a repeated statement is reported before an unknown account (T10)', async () => {
      const { token, ref } = await service.given.stagedAccount();
      const reply = await create(token, { ...ref, statements: [statement('S'), statement('S')] });
      expectInvalid(reply, ['duplicate_statement_ids', 'statements.1.statement_id']);
    });
  });
});
