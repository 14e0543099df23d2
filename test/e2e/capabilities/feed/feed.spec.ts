import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type ClientRequest } from 'node:http';
import { Budget } from '../../../../src/infrastructure/limits/budget.js';
import { FeedWatch } from '../../../../src/capabilities/feed/feed-watch.js';
import { NOTE } from '../../../../src/ingest/kinds/note.item.js';
import { ChangesRepository } from '../../../../src/capabilities/feed/changes.repository.js';
import { expectError } from '../../../support/expect-error.js';
import type { Reply } from '../../../support/service.js';
import { validatorOf } from '../../../support/schema-validator.js';
import { setUp } from '../../../support/set-up.js';
import type { SupplierOperations } from '../../../support/supplier-operations.js';
import { observedSupplier, startWithoutCarryOver } from '../../../support/totals.js';
import { waitUntil } from '../../../support/wait-until.js';

const { jest } = import.meta;

interface Change {
  readonly sequence: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
}
interface Page {
  readonly changes: Change[];
  readonly cursor: string;
  readonly more: boolean;
}

const text = (sequence: number): string => String(sequence).padStart(19, '0');
const REMOVED = { removed: true };

describe('the feed of a supplier', () => {
  const service = setUp(() => startWithoutCarryOver({ DATABASE_POOL_MAX: '10' }));
  const { components } = JSON.parse(readFileSync('contract/platform.json', 'utf8')) as { components: object };
  let valid: ReturnType<typeof validatorOf> | undefined;
  let token: string;
  beforeAll(async () => {
    ({ token } = await service.given.platformToken());
  });

  /** Create a supplier with imported accounts. */
  async function supplier(
    ...numbers: string[]
  ): Promise<{ of: SupplierOperations; code: string; number: () => Promise<void> }> {
    const { of, totals } = await observedSupplier(service);
    await of.stage(numbers);
    await of.import();
    return { of, code: of.world.supplier, number: () => totals.service.carryOver(totals.id) };
  }

  const addressOf = (code: string, query = ''): string =>
    `/v1/platform/import-suppliers/${encodeURIComponent(code)}/changes/${query === '' ? '' : `?${query}`}`;
  const read = <Body = Page>(code: string, query = ''): Promise<Reply<Body>> =>
    service.get<Body>(addressOf(code, query), token);
  const page = async (code: string, query = ''): Promise<Page> => {
    const reply = await read(code, query);
    expect(reply.status).toBe(200);
    return reply.body;
  };
  /** All changes, after checking them against contract/platform.json. */
  const changes = async (code: string): Promise<Change[]> => {
    const body = await page(code);
    const schema = { $ref: '#/components/schemas/ChangesPage', components };
    const isValid = (valid ??= validatorOf(schema));
    expect([isValid(body), isValid.errors]).toEqual([true, null]);
    return body.changes;
  };
  const stream = (code: string, query = ''): Promise<Response> =>
    fetch(service.baseUrl + addressOf(code, query), {
      headers: { authorization: `Token ${token}`, accept: 'application/x-ndjson' },
    });
  /** A reader on a separate connection that reads nothing of the answer. */
  const neverRead = (code: string, query = ''): ClientRequest =>
    get(service.baseUrl + addressOf(code, query), {
      agent: false,
      headers: { authorization: `Token ${token}`, accept: 'application/x-ndjson' },
    }).on('error', () => undefined);

  const transaction = (id: string, more: object = {}): object => ({
    ...{ transaction_id: id, transaction_date: '2026-01-15', amount: 12.5, type: 'CHARGE', ...more },
  });
  const note = (body: string): object => ({ notes: [{ body }] });

  it('shows added items as stored, with the account’s numbers and the request (E2)', async () => {
    const { of, code, number } = await supplier('1');
    const lineItem = {
      start_date: '2026-01-01',
      end_date: '2026-01-31',
      number_of_units: 12.25,
      net_amount: 0.25,
      rate_band: 'a":[5]',
      units: [1, -2.5],
    };
    await of.post('notes/create/', '1', {
      notes: [
        {
          body: 'with a document',
          document_paths: [{ document_path: 'a.pdf' }],
          created_at: '2026-01-02T03:04:05Z',
          is_pinned: true,
        },
      ],
    });
    await of.post('notes/create/', '1', note('without a time'));
    await of.post('transactions/create/', '1', {
      transactions: [transaction('t', { type: 'SUPPLY_CHARGE', product_code: 'P', line_items: [lineItem] })],
    });
    const period = { bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31' };
    await of.post('historical-statements/create/', '1', {
      statements: [{ statement_id: 's', ...period, gross_amount: 3.25, statement_path: 's.pdf' }],
    });
    await of.post('payment-instruction/create/', '1', { vendor: 'SANDBOX', type: 'CARD', reference: 'ok_1' });
    await number();
    const reply = await read(code);
    const [imported, ...added] = await changes(code);
    const epoch = reply.headers.get('feed-epoch') ?? '';
    expect(reply.body.cursor).toBe(`${epoch}-${text(6)}`);
    expect([reply.headers.get('vary'), reply.body.more]).toEqual(['Accept, accept-encoding', false]);
    const { data: account } = imported!;
    const envelope = (sequence: number, type: string, data: object): object => ({
      ...{ specversion: '1.0', id: text(sequence), sequence: text(sequence), type, subject: '1' },
      source: `/v1/platform/import-suppliers/${code}/changes/${epoch}`,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
      ...{ datacontenttype: 'application/json', data },
    });
    const numbers = { external_account_number: '1', service_account_number: account.service_account_number };
    const open = { open_statement_from: '2026-01-01', open_statement_to: null };
    expect(imported).toEqual(envelope(1, 'account.imported', { ...numbers, ...open }));
    const ids = await service.database.sql(
      `SELECT r.id AS import_request_id, r.request_id
         FROM import_request r JOIN import_supplier s ON s.id = r.import_supplier_id WHERE s.code = $1 ORDER BY r.stored_at`,
      [code],
    );
    const change = (index: number, type: string, item: object): object =>
      envelope(index + 2, type, { ...numbers, ...ids[index], items: [item] });
    const unsent = Object.fromEntries(
      Object.entries(NOTE.fields).flatMap(([name, field]) => ('nullable' in field ? [[name, null]] : [])),
    );
    const located = (path: string): unknown => expect.stringContaining(`root of ${code}/${path}`);
    expect(added).toEqual([
      change(0, 'notes.added', {
        ...unsent,
        body: 'with a document',
        document_paths: [{ document_path: 'a.pdf', location: located('a.pdf'), found: null }],
        ...{ created_at: '2026-01-02T03:04:05Z', is_pinned: true, unpin_at: null },
      }),
      change(1, 'notes.added', {
        ...unsent,
        ...{ body: 'without a time', document_paths: [], created_at: expect.any(String) as string },
        ...{ is_pinned: false, unpin_at: null, sent: { created_at: null } },
      }),
      change(2, 'transactions.added', {
        ...{ transaction_id: 't', transaction_date: '2026-01-15', amount: '12.50', type: 'SUPPLY_CHARGE' },
        ...{ product_code: 'P', reason: null, reference: null, payment_type: null },
        ...{ display_note: null, note: null, tax_items: null },
        line_items: [{ ...lineItem, number_of_units: '12.25', net_amount: '0.25', units: ['1', '-2.5'] }],
      }),
      change(3, 'statements.added', {
        ...{ statement_id: 's', ...period, issued_date: null, number: null, gross_amount: '3.25' },
        ...{ statement_path: 's.pdf', document_location: located('s.pdf'), document_found: null },
      }),
      change(4, 'payment_instruction.added', { vendor: 'SANDBOX', type: 'CARD', reference: 'ok_1' }),
    ]);
  });

  it('shows of a moved transaction both stored and sent values, and the pinned note (E2, X7)', async () => {
    const { of, code, number } = await supplier('1');
    const transactions = [
      transaction('moved', { transaction_date: '2025-12-31', note: 'mine' }),
      transaction('not moved'),
    ];
    await of.post('transactions/create/', '1', { transactions }, 'force_add_to_current_statement=true');
    await number();
    const [, { data }] = (await changes(code)) as [
      Change,
      { data: { items: object[]; pinned_note: object } },
    ];
    expect(data.items).toEqual([
      expect.objectContaining({
        transaction_date: '2026-01-01',
        note: expect.stringMatching(/^mine The transaction date was changed/) as string,
        sent: { transaction_date: '2025-12-31', note: 'mine' },
      }),
      expect.not.objectContaining({ sent: expect.anything() as object }),
    ]);
    expect(data.pinned_note).toMatchObject({
      is_pinned: true,
      body: expect.stringContaining('moved') as string,
    });
  });

  it('shows one change per request, the supplier’s status, and the current period of an account (E2)', async () => {
    const { of, code, number } = await supplier('1');
    const many = Array.from({ length: 50 }, (_, index) => transaction(`t${index}`));
    await of.post('transactions/create/', '1', { transactions: many });
    await of.setStatus('paused');
    await service.database.sql(
      `WITH account AS (
         UPDATE account_import a SET open_statement_from = '2026-02-01', open_statement_to = '2026-02-28'
           FROM import_supplier s WHERE s.id = a.import_supplier_id AND s.code = $1 RETURNING a.*
       )
       INSERT INTO supplier_change (import_supplier_id, external_account_number, type)
       SELECT import_supplier_id, external_account_number, 'account.period_changed' FROM account`,
      [code],
    );
    await number();
    const all = await changes(code);
    expect(all.map(({ type }) => type)).toEqual([
      'supplier.status_changed',
      'account.imported',
      'account.period_changed',
      'transactions.added',
    ]);
    expect(all[0]).toMatchObject({ data: { status: 'paused' } });
    expect(all[0]).not.toHaveProperty('subject');
    const present = { open_statement_from: '2026-02-01', open_statement_to: '2026-02-28' };
    expect([all[1]!.data, all[2]!.data]).toMatchObject([present, present]);
    expect(all[3]!.data.items).toHaveLength(50);
    // The account's object is removed after its retention time (S10).
    await service.database.sql(
      'UPDATE account_import a SET account = NULL FROM import_supplier s WHERE s.id = a.import_supplier_id AND s.code = $1',
      [code],
    );
    expect((await changes(code))[1]!.data).not.toHaveProperty('account');
  });

  it('shows shells of changes that an undo removes, with the undo’s number once it has one (E4)', async () => {
    const { of, code, number } = await supplier('1', '2');
    for (const account of ['1', '2']) await of.post('notes/create/', account, note('a'));
    await number();
    const [, , first] = await changes(code);
    await of.setStatus('paused');
    await of.undo('--account', '1');
    const shell = { sequence: text(3), type: 'notes.added', data: REMOVED };
    expect((await changes(code))[2]).toEqual(shell);
    await number();
    const all = await changes(code);
    expect(all[2]).toEqual({ ...shell, data: { ...REMOVED, removed_by: text(6) } });
    expect(all[3]!.data.items).toHaveLength(1);
    const { import_request_id, request_id } = first!.data;
    expect(all[5]).toMatchObject({
      type: 'import.undone',
      subject: '1',
      data: { external_account_number: '1', import_request_id, request_id },
    });
  });

  it('shows shells for an account from the first transaction of its erasure, and only the erasure names it (E4)', async () => {
    const { of, code, number } = await supplier('1', '2');
    for (const account of ['1', '2'])
      await of.post('notes/create/', account, {
        notes: [{ body: 'a', document_paths: [{ document_path: 'a.pdf' }] }],
      });
    await number();
    const before = await changes(code);
    // The erasure is interrupted after its first transaction, when it has read the first location.
    expect(await of.erase('1', 1)).toBe(false);
    const shells = [1, 3].map((n) => ({ sequence: text(n), type: before[n - 1]!.type, data: REMOVED }));
    const under = await changes(code);
    expect([under[0], under[2]]).toEqual(shells);
    expect(await of.erase('1')).toBe(true);
    await of.stage(['1']);
    await of.import();
    await of.post('notes/create/', '1', note('again'));
    await number();
    const all = await changes(code);
    expect([all[0], all[2]]).toEqual(shells);
    expect([all[1], all[3]]).toEqual([before[1], before[3]]);
    expect(all.slice(4)).toMatchObject([
      { type: 'account.erased', subject: '1', data: { external_account_number: '1' } },
      { type: 'account.imported', subject: '1' },
      { type: 'notes.added', subject: '1', data: { items: [{ body: 'again' }] } },
    ]);
  });

  it('does not name an undo as removed by itself while the account is being erased (E4)', async () => {
    const { of, code, number } = await supplier('1');
    await of.post('notes/create/', '1', note('a'));
    await of.setStatus('paused');
    await of.undo('--account', '1');
    await of.setStatus('ongoing');
    await of.post('notes/create/', '1', {
      notes: [{ body: 'b', document_paths: [{ document_path: 'a.pdf' }] }],
    });
    await number();
    expect(await of.erase('1', 1)).toBe(false);
    const undone = (await changes(code)).find(({ type }) => type === 'import.undone');
    expect(undone?.data).toEqual(REMOVED);
  });

  it('comes in pages of a given size, or as a stream of the same lines (E1)', async () => {
    const { of, code, number } = await supplier('1', '2');
    for (const body of ['a', 'b', 'c', 'd', 'e'])
      await of.post('notes/create/', body < 'c' ? '1' : '2', note(body));
    await number();
    const all = await page(code);
    expect(all.changes).toHaveLength(7);
    const read_: Change[] = [];
    for (let next: Page = { changes: [], cursor: '', more: true }; next.more;) {
      next = await page(code, `limit=3${next.cursor === '' ? '' : `&cursor=${next.cursor}`}`);
      expect(next.changes.length).toBeLessThanOrEqual(3);
      read_.push(...next.changes);
    }
    expect(read_).toEqual(all.changes);
    expect(await page(code, `cursor=${all.cursor}`)).toEqual({
      changes: [],
      cursor: all.cursor,
      more: false,
    });

    const response = await stream(code);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await response.text()).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line) as Change)).toEqual(all.changes);
    const cursor = `${response.headers.get('feed-epoch') ?? ''}-${all.changes[4]!.sequence}`;
    expect((await (await stream(code, `cursor=${cursor}&limit=1`)).text()).trim()).toBe(lines[5]);
    expect(await (await stream(code, `cursor=${all.cursor}`)).text()).toBe('');
    const answerTo = async (headers: Record<string, string>): Promise<(string | null)[]> => {
      const { headers: own } = await fetch(service.baseUrl + addressOf(code), {
        headers: { authorization: `Token ${token}`, ...headers },
      });
      return [own.get('content-type'), own.get('content-encoding')];
    };
    const json = 'application/json; charset=utf-8';
    const encoding = { 'accept-encoding': 'gzip' };
    expect(await answerTo({ accept: 'application/x-ndjson;q=0, */*', ...encoding })).toEqual([json, 'gzip']);
    expect(await answerTo({ accept: 'application/x-ndjson', ...encoding })).toEqual([
      'application/x-ndjson',
      'gzip',
    ]);
  });

  it('reads at most a page at a time, estimated by the sent bytes, and a quarter if that takes too long (E1)', async () => {
    const { of, code, number } = await supplier('1');
    // Each has 2 MB in few items, which their documents make larger.
    const line = { start_date: '2026-01-01', end_date: '2026-01-31', number_of_units: 1, net_amount: 1 };
    const lines = Array.from({ length: 1_000 }, () => ({ ...line, rate_band: 'x'.repeat(100) }));
    const more = { type: 'SUPPLY_CHARGE', product_code: 'P', line_items: lines };
    for (const part of [1, 2, 3, 4, 5, 6]) {
      const transactions = Array.from({ length: 10 }, (_, index) => transaction(`${part}-${index}`, more));
      await of.post('transactions/create/', '1', { transactions });
    }
    await number();
    const recorded = await service.database.sql<{ bytes: number }>(
      `SELECT r.bytes FROM import_request r JOIN import_supplier s ON s.id = r.import_supplier_id WHERE s.code = $1`,
      [code],
    );
    expect(Math.min(...recorded.map(({ bytes }) => bytes))).toBeGreaterThan(1_900_000);
    const batches: number[] = [];
    const repository = service.app.get(ChangesRepository, { strict: false });
    const own = repository.read.bind(repository);
    jest.spyOn(repository, 'read').mockImplementation(async (...call) => {
      if (call[3] > 2) throw Object.assign(new Error('canceling statement'), { code: '57014' });
      const batch = await own(...call);
      batches.push(batch?.changes.length ?? 0);
      return batch;
    });
    expect(await page(code, 'limit=6')).toMatchObject({ changes: { length: 2 }, more: true });
    expect((await (await stream(code, 'limit=6')).text()).trim().split('\n')).toHaveLength(6);
    expect(batches).toEqual([2, 2, 2, 2]);
  });

  it('ends a page at 8 MiB, with at least one change (E1)', async () => {
    const { of, code, number } = await supplier('1');
    const body = 'é'.repeat(50_000);
    for (const part of [0, 1, 2]) {
      const notes = Array.from({ length: 40 }, (_, index) => ({ body: body.slice(5) + `${part}-${index}` }));
      await of.post('notes/create/', '1', { notes });
    }
    await number();
    // Each has 4 MB and is expected to have documents, for which more is read than was sent.
    let { cursor, more, changes: read_ } = await page(code);
    for (; more && read_.length < 4;) {
      const next = await page(code, `cursor=${cursor}`);
      expect(next.changes).toHaveLength(1);
      ({ cursor, more } = next);
      read_ = [...read_, ...next.changes];
    }
    expect([read_.length, more]).toEqual([4, false]);
    const lines = (await (await stream(code)).text()).trim().split('\n');
    expect(lines).toHaveLength(4);
  });

  it('holds an empty answer until a change comes or the time is over, and shares one poll among readers (E1)', async () => {
    const { of, code, number } = await supplier('1');
    await number();
    const { cursor } = await page(code);
    const startedMs = performance.now();
    expect(await page(code, `cursor=${cursor}&wait=1`)).toEqual({ changes: [], cursor, more: false });
    expect(performance.now() - startedMs).toBeGreaterThan(990);
    const waiting = Array.from({ length: 5 }, () => page(code, `cursor=${cursor}&wait=30`));
    const watch = service.app.get(FeedWatch, { strict: false });
    await waitUntil('they wait', () => watch.count === 5);
    await of.post('notes/create/', '1', note('a'));
    for (const { changes: found } of await Promise.all(waiting))
      expect(found).toMatchObject([{ type: 'notes.added' }]);
    // Nobody reads the answer.
    const abandoned = neverRead(code, `cursor=${(await page(code)).cursor}&wait=30`);
    await waitUntil('it waits', () => watch.count === 1);
    abandoned.destroy();
    await waitUntil('it waits no longer', () => watch.count === 0);
  });

  it('lets one key wait for 32 suppliers concurrently, without holding bytes of an answer (E1, T18)', async () => {
    const { of, code, number } = await supplier('1');
    await number();
    const { cursor } = await page(code);
    const watch = service.app.get(FeedWatch, { strict: false });
    const waiting = Array.from({ length: 32 }, () => read(code, `cursor=${cursor}&wait=30`));
    await waitUntil('they wait', () => watch.count === waiting.length);
    expectError(await read<object>(code, `cursor=${cursor}&wait=30`), 503, 'service_unavailable', []);
    // It may still read existing changes.
    expect(await page(code, `cursor=${cursor}`)).toMatchObject({ changes: [] });
    const { inHand } = service.app.get(Budget);
    expect(inHand).toMatchObject({ requests: 32, feed_waits: 32, bytes: 0 });
    await of.post('notes/create/', '1', note('a'));
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
    await waitUntil('nothing is pending', () => new Set(Object.values(inHand)).size === 1);
  });

  it('holds no database connection while a reader reads nothing (E1)', async () => {
    const { of, code, number } = await supplier('1');
    // More than the buffers of a connection hold.
    for (let part = 0; part < 4; part += 1) {
      const notes = Array.from({ length: 100 }, (_, index) => ({ body: `${part}-${index}` }));
      await of.post('notes/create/', '1', { notes });
    }
    await service.database.sql(
      `UPDATE note n SET body = n.body || repeat('x', 49000) FROM import_supplier s WHERE s.id = n.import_supplier_id AND s.code = $1`,
      [code],
    );
    await number();
    const readers = Array.from({ length: 2 }, () => neverRead(code));
    await Promise.all(readers.map((reader) => once(reader, 'response')));
    await waitUntil('none of the readers holds a connection', async () => {
      const rows = await service.database.sql(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'data-import' AND state <> 'idle'`,
      );
      return rows.length === 0;
    });
    expect(await of.post('notes/create/', '1', note('another'))).toBe(201);
    for (const reader of readers) reader.destroy();
  });

  it.each([
    ['a limit of 0', 'limit=0', 'limit'],
    ['a limit above 1,000', 'limit=1001', 'limit'],
    ['a wait of more than 30 seconds', 'wait=31', 'wait'],
    ['a name that is too long', `reader=${'x'.repeat(129)}`, 'reader'],
    ['an unknown parameter', 'after=1', 'after'],
  ])('refuses %s (E1)', async (_what, query, attr) => {
    const { code } = await supplier();
    const reply = await read<object>(code, query);
    expect(reply).toMatchObject({ status: 400, body: { code: 'validation_error', errors: [{ attr }] } });
  });

  it('reports an invalid cursor together with other format errors, before it looks up the supplier (E1)', async () => {
    for (const text of ['abc', '01a20fa7-d5e2-78a9-836f-2c5b8f71f568', '', 'a&cursor=b']) {
      const wrong = await read<{ errors: { code: string; attr: string }[] }>(
        'NOBODY',
        `limit=0&cursor=${text}&wait=31`,
      );
      expect(wrong.status).toBe(400);
      const attrs = wrong.body.errors.map(({ code, attr }) => [code, attr]);
      expect(attrs).toEqual([
        ['invalid_cursor', 'cursor'],
        ['min_value', 'limit'],
        ['max_value', 'wait'],
      ]);
    }
  });

  it('refuses a cursor of another supplier or beyond the newest change, and answers 404 for an unknown supplier (E1)', async () => {
    const { code, number } = await supplier('1');
    await number();
    const other = await supplier('1');
    await other.number();
    const { cursor } = await page(code);
    const wrong = {
      status: 400,
      body: { code: 'validation_error', errors: [{ code: 'invalid_cursor', attr: 'cursor' }] },
    };
    expect(await read<object>(other.code, `cursor=${cursor}`)).toMatchObject(wrong);
    const beyond = cursor.replace(text(1), text(2));
    expect(await read<object>(code, `cursor=${beyond}&reader=never`)).toMatchObject(wrong);
    expect(await read<object>('NOBODY')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const readers = await service.database.sql('SELECT FROM feed_reader WHERE name = $1', ['never']);
    expect(readers).toEqual([]);
  });

  it('answers 409 to a cursor of an earlier epoch, with the cursor from which to continue (E7)', async () => {
    const { of, code, number } = await supplier('1', '2');
    await number();
    const { cursor } = await page(code);
    const newEpoch = (): Promise<unknown> =>
      service.database.sql(
        `INSERT INTO feed_epoch (import_supplier_id, number, continues_after, reason)
         SELECT f.import_supplier_id, (SELECT max(number) + 1 FROM feed_epoch e WHERE e.import_supplier_id = f.import_supplier_id),
                f.last_sequence, 'test'
           FROM feed f JOIN import_supplier s ON s.id = f.import_supplier_id WHERE s.code = $1`,
        [code],
      );
    await newEpoch();
    await of.post('notes/create/', '1', note('a'));
    await number();
    await newEpoch();
    const epoch = (await read(code)).headers.get('feed-epoch') ?? '';
    const goOn = async (with_: string): Promise<unknown> => {
      const reply = await read<{ code: string; cursor: string }>(code, `cursor=${with_}`);
      expect([reply.status, reply.body.code]).toEqual([409, 'feed_restarted']);
      return reply.body.cursor;
    };
    // Changes read before the loss remain valid up to the first number of the next epoch.
    expect(await goOn(cursor.replace(text(2), text(900)))).toBe(`${epoch}-${text(2)}`);
    expect(await goOn(cursor.replace(text(2), text(1)))).toBe(`${epoch}-${text(1)}`);
    expect(await goOn(`00000000-0000-7000-8000-000000000000-${text(1)}`)).toBe(`${epoch}-${text(0)}`);
    expect((await page(code, `cursor=${epoch}-${text(2)}`)).changes).toMatchObject([{ type: 'notes.added' }]);
  });

  it('begins an epoch after a fail-over before it checks a cursor beyond the newest change (E7)', async () => {
    const { code, number } = await supplier('1');
    await number();
    const { cursor } = await page(code);
    await service.database.sql(
      `UPDATE feed SET timeline = timeline + 1 FROM import_supplier s WHERE s.id = import_supplier_id AND s.code = $1`,
      [code],
    );
    const lost = await read<{ code: string }>(code, `cursor=${cursor.replace(text(1), text(5))}`);
    expect([lost.status, lost.body.code]).toEqual([409, 'feed_restarted']);
  });

  it('records a reader’s progress by the cursor of its request (E6)', async () => {
    const { code, number } = await supplier('1', '2');
    await number();
    const sequences = async (): Promise<number[]> =>
      (
        await service.database.sql<{ sequence: number }>(
          `SELECT r.sequence::integer FROM feed_reader r JOIN import_supplier s ON s.id = r.import_supplier_id
            WHERE s.code = $1 AND r.name = 'billing'`,
          [code],
        )
      ).map(({ sequence }) => sequence);
    const first = await page(code, 'reader=billing&limit=1');
    expect(await sequences()).toEqual([0]);
    const second = await page(code, `reader=billing&cursor=${first.cursor}`);
    expect(await sequences()).toEqual([1]);
    await (await stream(code, `reader=billing&cursor=${second.cursor}`)).text();
    expect(await sequences()).toEqual([2]);
    await page(code, `cursor=${first.cursor}`);
    // Neither a request without a cursor nor one with an unread answer sets a reader back.
    await page(code, 'reader=billing');
    const head = addressOf(code, `reader=billing&cursor=${first.cursor}`);
    await service.call(head, { method: 'HEAD', headers: { authorization: `Token ${token}` } });
    expect(await sequences()).toEqual([2]);
    // The same name with another key is a different reader.
    const other = await service.given.platformToken();
    await service.get(addressOf(code, `reader=billing&cursor=${first.cursor}`), other.token);
    expect((await sequences()).sort()).toEqual([1, 2]);
  });

  it('keeps 100 names; a further one replaces one that has not read for a day (E6)', async () => {
    const { code, number } = await supplier('1');
    await number();
    const readAs = async (index: number): Promise<number> => (await read(code, `reader=${index}`)).status;
    const indexes = Array.from({ length: 60 }, (_, index) => index);
    // Several concurrently, but no more than a key may have pending.
    const statuses = await Promise.all(indexes.map(readAs));
    statuses.push(...(await Promise.all(indexes.map((index) => readAs(60 + index)))));
    expect(statuses.filter((status) => status === 400)).toHaveLength(20);
    const refused = await read<object>(code, 'reader=further');
    expect(refused.body).toMatchObject({ errors: [{ code: 'too_many_readers', attr: 'reader' }] });
    expect(await readAs(0)).toBe(200);
    const all = `SELECT r.name FROM feed_reader r JOIN import_supplier s ON s.id = r.import_supplier_id AND s.code = $1`;
    await service.database.sql(
      `UPDATE feed_reader SET asked_at = now() - interval '25 hours' WHERE name = '0' AND name IN (${all})`,
      [code],
    );
    expect((await read(code, 'reader=further')).status).toBe(200);
    const kept = (await service.database.sql<{ name: string }>(all, [code])).map(({ name }) => name);
    expect([kept.length, kept.includes('further'), kept.includes('0')]).toEqual([100, true, false]);
  });

  it('is empty for a supplier without a numbered change (E1)', async () => {
    const { code } = await supplier();
    expect(await page(code)).toMatchObject({
      changes: [],
      more: false,
      cursor: expect.stringMatching(/-0{19}$/) as string,
    });
  });
});
