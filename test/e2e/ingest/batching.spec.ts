import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { ExpressUse } from '../../../src/ingest/express-use.js';
import { ITEMS } from '../../../src/ingest/kinds/items.js';
import { NOTES_IMPORT } from '../../../src/notes/notes.repository.js';
import { STATEMENTS_IMPORT } from '../../../src/statements/statements.repository.js';
import { TRANSACTIONS_IMPORT } from '../../../src/transactions/transactions.repository.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { EVERY_FIELD, fieldsOf } from '../../support/every-field.js';
import { runs } from '../../support/runs.js';
import {
  startService,
  unique,
  type AccountPair,
  type Reply,
  type TestService,
} from '../../support/service.js';
import { StartingGate } from '../../support/starting-gate.js';
import { waitUntil } from '../../support/wait-until.js';
import { setUp } from '../../support/set-up.js';
import { folderWith } from '../../support/folders.js';

const { jest } = import.meta;

const KINDS = ['transactions', 'notes', 'statements'] as const;
type Kind = (typeof KINDS)[number];

/** An import request of a test, and its caller. */
interface Sent {
  readonly kind: Kind;
  readonly token: string;
  readonly ref: AccountPair;
  readonly items: readonly object[];
  readonly query?: string;
  readonly requestId?: string;
}

function send(
  { post }: TestService,
  { kind, token, ref, items, query = '', requestId = unique('request') }: Sent,
): Promise<Reply> {
  return post(
    EVERY_FIELD[kind].path + query,
    token,
    { ...ref, [kind]: items },
    { 'x-request-id': requestId },
  );
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

describe('requests that share a query', () => {
  const gate = new StartingGate();
  const folder = folderWith();
  const service = setUp(async () => {
    for (const path of THERE) {
      await mkdir(dirname(join(folder, ROOT, path)), { recursive: true });
      await writeFile(join(folder, ROOT, path), '%PDF-1.7');
    }
    return startService({ DOCUMENT_STORE: pathToFileURL(folder).href }, gate.parts);
  });

  /** Send all requests so that they reach their queue in the same iteration of the event loop. */
  function sendTogether(all: readonly Sent[]): Promise<Reply[]> {
    gate.expect(all.length);
    return Promise.all(all.map((one) => send(service, one)));
  }

  /** How many requests each query of one kind is about, from now on. */
  function watch(kind: Kind): () => number[] {
    const calls = {
      transactions: () => jest.spyOn(TRANSACTIONS_IMPORT, 'query').mock.calls,
      notes: () => jest.spyOn(NOTES_IMPORT, 'query').mock.calls,
      statements: () => jest.spyOn(STATEMENTS_IMPORT, 'query').mock.calls,
    }[kind]();
    return () => calls.map(([, , requests]) => requests.length);
  }

  /** The stored rows of a kind for an account, and the recorded import requests. */
  async function stored(kind: Kind, ref: AccountPair): Promise<{ rows: number; requests: string[] }> {
    const [found] = await service.database.sql<{ rows: number; requests: string[] }>(
      `SELECT (SELECT count(*)::integer FROM ${ITEMS[kind].table} t WHERE ${OF_ACCOUNT}) AS rows,
              ARRAY(SELECT t.request_id FROM import_request t WHERE ${OF_ACCOUNT} ORDER BY t.request_id) AS requests`,
      [ref.import_supplier, ref.external_account_number],
    );
    return found!;
  }

  it.each(KINDS)('are never two imports to the same account: %s (X5, N4, H3)', async (kind) => {
    const one = await service.given.importedAccount();
    const two = await service.given.importedAccount({ world: { ...one } });
    const items = { transactions: [charge()], notes: [{ body: 'one' }], statements: [bill()] }[kind];
    const sizes = watch(kind);
    const replies = await sendTogether(
      [one, one, two].map(({ token, ref }) => ({ kind, token, ref, items })),
    );
    expect(sizes().slice(0, 2)).toEqual([2, 1]);
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    for (const { ref } of [one, two]) expect(await stored(kind, ref)).toMatchObject({ rows: 1 });
  });

  it('are answered and stored as if each had been sent alone, by the express query or not, whatever they are (A8, S2, S8, X5 to X8, N4, H3, F3, R1)', async () => {
    let shared = 0;
    const isExpress = jest.spyOn(ExpressUse.prototype, 'isWorthwhile').mockReturnValue(true);
    const tries = jest.spyOn(ExpressUse.prototype, 'tried');
    await fc.assert(
      fc.asyncProperty(BUNDLE, async (bundle) => {
        const together = await createTwin(service);
        const calls = bundle.flatMap((wanted, index) =>
          Array.from({ length: wanted.times }, (_, repeat) => ({
            index,
            wanted,
            requestId: `${index}.${repeat}`,
          })),
        );
        const collect = (replies: readonly Reply[], twin: Twin): string[][] =>
          bundle.map((_, index) =>
            replies
              .flatMap((reply, call) => (calls[call]!.index === index ? masked(reply, twin) : []))
              .sort(),
          );

        gate.expect(calls.length);
        const replies = await Promise.all(calls.map((one) => perform(service, together, one)));
        const inOrder = [...calls].sort((a, b) => a.wanted.rank - b.wanted.rank);
        const inQueries = await everything(service, together);
        for (const express of [true, false]) {
          isExpress.mockReturnValue(express);
          const oneByOne = await createTwin(service);
          const slowReplies = new Map<string, Reply>();
          for (const one of inOrder) slowReplies.set(one.requestId, await perform(service, oneByOne, one));
          const expected = calls.map(({ requestId }) => slowReplies.get(requestId)!);
          expect(collect(replies, together)).toEqual(collect(expected, oneByOne));
          expect(inQueries).toEqual(await everything(service, oneByOne));
          expect(await sharedTransactions(service, oneByOne)).toEqual([]);
        }
        isExpress.mockReturnValue(true);

        // In both, the same requests have access to the account.
        expect(
          replies.map(({ status }, call) => isNotFound(calls[call]!.wanted) === (status === 404)),
        ).toEqual(calls.map(() => true));
        // An import request is recorded exactly if its answer reports new rows.
        const added = calls.flatMap(({ requestId, wanted }, call) => {
          const count = addedBy(wanted, replies[call]!);
          return count > 0 ? [`${requestId} ${count}`] : [];
        });
        expect(await recorded(service, together)).toEqual(added.sort());

        const mixed = await sharedTransactions(service, together);
        shared += mixed.length;
        expect(mixed.filter(({ suppliers }) => suppliers > 1)).toEqual([]);
        expect(mixed.filter(({ callers }) => callers > 1)).toEqual([]);
      }),
      { numRuns: RUNS, interruptAfterTimeLimit: RUNS_MS_MAX, markInterruptAsFailure: true },
    );
    // Usually about 5 and 40. If every twin stored items one by one, or by the careful query, the test would prove nothing.
    expect(shared).toBeGreaterThan(0);
    expect(tries.mock.calls.filter(([, isStored]) => isStored).length).toBeGreaterThan(5);
  });
});

/** Number of bundles tried, and the timeout including the search for a smaller example. */
const RUNS = runs(5);
const RUNS_MS_MAX = 240_000;

const DEFERRED = { status: 'ongoing', document_check: 'deferred' } as const;

/** Suppliers of a twin: the numbers of the callers who may see them, and their peculiarities. */
const SUPPLIERS = {
  open: { ...DEFERRED, callers: [0, 1], document_root: 'documents of the open' },
  other: { ...DEFERRED, callers: [1], document_root: 'documents of the other' },
  paused: { ...DEFERRED, callers: [0, 1], status: 'paused', document_root: 'documents of the paused' },
  strict: { callers: [0, 1], status: 'ongoing', document_check: 'reject', document_root: ROOT },
} as const;

/** Accounts of every supplier. The open period of account `n` is from 1 + n to 20 + n March. */
const IMPORTED = ['1', '2', '3', '4', '5', '6'];

const DATE_TIME = '2026-02-03T04:05:06Z';
const OLD_DATE_TIME = '2026-01-01T00:00:00Z';
/** A note that every imported account has from the start. The second account also has a transaction added without a check. */
const OLD_NOTE = 'old';
const OLD_BILL = { ...bill({ statement_id: 'old' }), number: 'old' };

/** A request of a bundle, and the number of times it is sent. */
interface Wanted {
  readonly caller: 0 | 1;
  readonly supplier: keyof typeof SUPPLIERS | 'nobody';
  readonly account: string;
  readonly request:
    { readonly kind: Kind; readonly items: readonly object[]; readonly rules: string } | 'status';
  readonly isTried: boolean;
  readonly times: number;
  /** Position in the order of the twin whose requests are sent one by one. */
  readonly rank: number;
}

const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });
const path = fc.constantFrom(...THERE, ...THERE, 'none.pdf');

const TRANSACTION = fc
  .record(
    fieldsOf('transactions', {
      transaction_id: fc.constantFrom('old', 't1', 't2', 't3', 't4'),
      transaction_date: fc.constantFrom('2026-01-15', '2026-03-15', '2026-03-15', '2026-04-15'),
      amount: fc.integer({ min: 1, max: 99_999 }).map((cents) => cents / 100),
      note: optional(fc.constantFrom('', 'why')),
      reference: optional(fc.constantFrom('r1', 'r2')),
      supply: fc.boolean(),
    }),
  )
  .map(({ supply, ...fields }) => {
    if (!supply) return { ...fields, type: 'CHARGE' };
    const days = { start_date: '2026-02-01', end_date: '2026-02-28' };
    const line_items = [{ ...days, number_of_units: fields.amount, net_amount: fields.amount }];
    return { ...fields, type: 'SUPPLY_CHARGE', product_code: 'STANDARD', line_items };
  });

const RULES = fc
  .tuple(fc.constantFrom('true', 'true', 'false'), fc.boolean())
  .map(
    ([check, force]) => `check_previously_added=${check}&force_add_to_current_statement=${force ? 1 : 0}&`,
  );

const TRANSACTIONS = fc.record({
  kind: fc.constant('transactions' as const),
  items: fc.uniqueArray(TRANSACTION, {
    minLength: 1,
    maxLength: 4,
    selector: ({ transaction_id }) => transaction_id,
  }),
  rules: RULES,
});

/** More rows than may share a query. */
const MANY_TRANSACTIONS = fc.record({
  kind: fc.constant('transactions' as const),
  items: fc.constant(Array.from({ length: 1_001 }, (_, n) => charge({ transaction_id: `many ${n}` }))),
  rules: RULES,
});

const NOTE = fc
  .record(
    fieldsOf('notes', {
      body: fc.constantFrom(OLD_NOTE, 'a', 'b', 'c', ''),
      created_at: optional(fc.constantFrom(DATE_TIME, OLD_DATE_TIME)),
      is_pinned: optional(fc.boolean()),
      unpin_at: optional(fc.constant('2026-03-01T00:00:00Z')),
      document_paths: optional(fc.uniqueArray(path, { minLength: 1, maxLength: 2 })),
    }),
  )
  .map(({ document_paths, ...fields }) => {
    const paths = document_paths ?? (fields.body === '' ? [THERE[0]] : undefined);
    return { ...fields, document_paths: paths?.map((document_path) => ({ document_path })) };
  });

// One date-time per content: with several, the one that a repeat matches would depend on the order.
const NOTES = fc
  .tuple(fc.uniqueArray(NOTE, { minLength: 1, maxLength: 4, selector: ({ body }) => body }), fc.boolean())
  .map(([notes, isTwice]) => ({
    kind: 'notes' as const,
    items: isTwice ? [...notes, notes[0]!] : notes,
    rules: '',
  }));

const STATEMENT = fc
  .record(
    fieldsOf('statements', {
      statement_id: fc.constantFrom('old', 's1', 's2', 's3'),
      bill_period_from_date: fc.constant('2025-01-01'),
      bill_period_to_date: fc.constant('2025-01-31'),
      issued_date: optional(fc.constant('2025-02-01')),
      number: optional(fc.constantFrom('n1', 'n2')),
      gross_amount: optional(fc.constantFrom(1.5, 200)),
      statement_path: optional(path),
      isSame: fc.boolean(),
    }),
  )
  .map(({ isSame, ...fields }) => (fields.statement_id === 'old' && isSame ? OLD_BILL : fields));

const STATEMENTS = fc.record({
  kind: fc.constant('statements' as const),
  items: fc.uniqueArray(STATEMENT, {
    minLength: 1,
    maxLength: 3,
    selector: (one) => (one as { statement_id: string }).statement_id,
  }),
  rules: fc.constant(''),
});

const WANTED: fc.Arbitrary<Wanted> = fc.record({
  caller: fc.constantFrom(0 as const, 1 as const),
  supplier: fc.constantFrom('open', 'open', 'open', 'other', 'other', 'strict', 'strict', 'paused', 'nobody'),
  account: fc.constantFrom(...IMPORTED, ...IMPORTED, 'pending', 'leased', 'none'),
  request: fc.oneof(
    { weight: 20, arbitrary: TRANSACTIONS },
    { weight: 15, arbitrary: NOTES },
    { weight: 15, arbitrary: STATEMENTS },
    { weight: 8, arbitrary: fc.constant('status' as const) },
    { weight: 1, arbitrary: MANY_TRANSACTIONS },
  ),
  isTried: fc.constantFrom(false, false, false, true),
  times: fc.constantFrom(1, 1, 2, 3),
  rank: fc.nat(),
});

/** At most one import request per kind and account, with repeats: the result of two different ones would depend on their order. */
const BUNDLE = fc.uniqueArray(WANTED, {
  minLength: 15,
  maxLength: 45,
  size: 'max',
  selector: ({ supplier, account, request }) =>
    [request === 'status' ? request : request.kind, supplier, account].join(' '),
});

/** One of several data sets that are equal except for the suffix of their suppliers' codes. */
interface Twin {
  readonly suffix: string;
  readonly callers: readonly { readonly token: string; readonly apiKeyId: string }[];
  /** The account of each platform account number. */
  readonly accountOf: ReadonlyMap<string, string>;
}

async function createTwin({ database, given }: TestService): Promise<Twin> {
  const suffix = unique('-twin');
  const callers = [await given.organisation(), await given.organisation()];
  const suppliers = Object.entries(SUPPLIERS);
  await database.sql(
    `INSERT INTO import_supplier (code, name, status, document_check, document_root)
     SELECT s.label || $1, s.label, s.status, s.document_check, s.document_root
       FROM json_to_recordset($2) AS s (label text, status text, document_check text, document_root text)`,
    [suffix, JSON.stringify(suppliers.map(([label, columns]) => ({ label, ...columns })))],
  );
  for (const [label, supplier] of suppliers) {
    for (const caller of supplier.callers) await given.grant(label + suffix, callers[caller]!.organisationId);
  }
  const accounts = await database.imports<{ code: string; account: string; number: string }>(
    `WITH twin AS (SELECT s.id, s.code FROM import_supplier s WHERE s.code LIKE '%' || $1),
     imported AS (
       INSERT INTO account_import (import_supplier_id, external_account_number, status, service_account_number,
                                   account_created_at, open_statement_from, open_statement_to)
       SELECT twin.id, a.number, 'imported', next_service_account_number(), now(),
              date '2026-03-01' + a.number::integer, date '2026-03-20' + a.number::integer
         FROM twin, unnest($2::text[]) AS a (number)
       RETURNING import_supplier_id, external_account_number, service_account_number
     ),
     waiting AS (
       INSERT INTO account_import (import_supplier_id, external_account_number)
       SELECT twin.id, a.number FROM twin, unnest(ARRAY['pending', 'leased']) AS a (number)
     ),
     lease AS (
       INSERT INTO import_lease (import_supplier_id, first_number, last_number, held_by, expires_at)
       SELECT twin.id, 'leased', 'leased', 'somebody', now() + interval '1 hour' FROM twin
     )
     SELECT twin.code, imported.external_account_number AS account, imported.service_account_number AS number
       FROM imported
       JOIN twin ON twin.id = imported.import_supplier_id`,
    [suffix, IMPORTED],
  );
  const imported = `account_import a JOIN import_supplier s ON s.id = a.import_supplier_id AND s.code LIKE '%' || $1
     WHERE a.status = 'imported'`;
  const key = 'import_supplier_id, external_account_number, import_request_id';
  const values = 'a.import_supplier_id, a.external_account_number, uuidv7()';
  await database.sql(
    `INSERT INTO transaction (${key}, transaction_id, occurrence, transaction_date, amount, type)
     SELECT ${values}, 'old', o.occurrence, date '2026-03-10', 1, 'CHARGE'
       FROM unnest(ARRAY[0, 1]) AS o (occurrence), ${imported}
        AND (o.occurrence = 0 OR a.external_account_number = '2')`,
    [suffix],
  );
  await database.sql(
    `INSERT INTO note (${key}, body, created_at, created_at_sent, is_pinned)
     SELECT ${values}, $2, $3, true, false FROM ${imported}`,
    [suffix, OLD_NOTE, OLD_DATE_TIME],
  );
  await database.sql(
    `INSERT INTO statement (${key}, statement_id, bill_period_from_date, bill_period_to_date, number)
     SELECT ${values}, 'old', '2025-01-01', '2025-01-31', 'old' FROM ${imported}`,
    [suffix],
  );
  const accountOf = accounts.map(({ code, account, number }): [string, string] => [
    number,
    `the number of ${code.replace(suffix, '')} ${account}`,
  ]);
  return { suffix, callers, accountOf: new Map(accountOf) };
}

interface Call {
  readonly wanted: Wanted;
  readonly requestId: string;
}

function perform(
  service: TestService,
  { suffix, callers }: Twin,
  { wanted, requestId }: Call,
): Promise<Reply> {
  const { caller, supplier, account, request, isTried } = wanted;
  const { token } = callers[caller]!;
  const code = supplier + suffix;
  if (request === 'status') return service.get(`account-transfer-status/${code}/${account}/`, token);
  const ref = { import_supplier: code, external_account_number: account };
  const query = `?${request.rules}dry_run=${isTried ? 1 : 0}`;
  return send(service, { kind: request.kind, token, ref, items: request.items, query, requestId });
}

/** An answer without the parts that differ between twins: the suffix, account numbers and the current time. */
function masked({ status, body }: Reply, { suffix, accountOf }: Twin): string {
  return `${status} ${JSON.stringify(body)}`
    .replaceAll(suffix, '')
    .replace(/A-[0-9A-F]{8}/g, (number) => accountOf.get(number) ?? number)
    .replace(/(?<="created_at":")[^"]*/g, (time) =>
      [DATE_TIME, OLD_DATE_TIME].includes(time) ? time : 'now',
    );
}

/** Whether the caller may not see the supplier of a request, or the account does not exist (yet). */
function isNotFound({ caller, supplier, account, request }: Wanted): boolean {
  const callers: readonly number[] = supplier === 'nobody' ? [] : SUPPLIERS[supplier].callers;
  if (!callers.includes(caller)) return true;
  if (request === 'status') return account === 'none';
  return supplier !== 'paused' && !IMPORTED.includes(account);
}

/** The number of new rows that an answer reports; statements report none. */
function addedBy({ request, isTried }: Wanted, { status, body }: Reply): number {
  if (request === 'status' || request.kind === 'statements' || isTried || status !== 201) return 0;
  return (
    JSON.stringify(body).split(/"status":"(?:TRANSACTION_ADDED_TO_ACCOUNT|NOTE_CREATION_SUCCESS)"/).length - 1
  );
}

/** The recorded import requests except those of statements, as `REQUEST COUNT`. */
async function recorded({ database }: TestService, { suffix }: Twin): Promise<string[]> {
  const rows = await database.sql<{ text: string }>(
    `SELECT l.request_id || ' ' || l.stored AS text
       FROM import_request l JOIN import_supplier s ON s.id = l.import_supplier_id AND s.code LIKE '%' || $1
      WHERE l.kind <> 'statements'`,
    [suffix],
  );
  return rows.map(({ text }) => text).sort();
}

/** SQL transactions that stored the items of more than one request. */
function sharedTransactions(
  { database }: TestService,
  { suffix }: Twin,
): Promise<{ suppliers: number; callers: number }[]> {
  // Each node counts its own transactions, and a query names one supplier there.
  const ofNode = database.isDistributed ? ', l.import_supplier_id' : '';
  return database.sql<{ suppliers: number; callers: number }>(
    `SELECT count(DISTINCT l.import_supplier_id)::integer AS suppliers,
            count(DISTINCT l.api_key_id)::integer AS callers
       FROM import_request l JOIN import_supplier s ON s.id = l.import_supplier_id AND s.code LIKE '%' || $1
      GROUP BY l.xmin::text${ofNode}
     HAVING count(*) > 1`,
    [suffix],
  );
}

/**
 * Every imported row with the request that stored it. Repeated requests have only their number in the bundle, because which of
 * them came first is random. This also applies to a repeated note about moved transactions, which is stored once a second.
 */
async function everything({ database }: TestService, { suffix, callers }: Twin): Promise<string[]> {
  const of = (table: string, importRequestId: string): string => `${table} t
       JOIN import_supplier s ON s.id = t.import_supplier_id AND s.code LIKE '%' || $1
       LEFT JOIN import_request l ON l.import_supplier_id = t.import_supplier_id
        AND l.external_account_number = t.external_account_number
        AND l.id = t.${importRequestId}`;
  const whose = `jsonb_build_object('supplier', replace(s.code, $1, ''), 'request', split_part(l.request_id, '.', 1),
                                    'caller', array_position($2::uuid[], l.api_key_id), 'kind', l.kind)`;
  const without = `- ARRAY['import_supplier_id', 'import_request_id', 'id', 'api_key_id', 'request_id', 'stored_at', 'duration_ms', 'occurrence',
                           'created_at', 'documents_seen_at', 'document_seen_at', 'content_hash', 'key_time']`;
  const rows = await database.sql<{ text: string }>(
    `SELECT (${whose} || to_jsonb(t) ${without} || jsonb_build_object('again', t.occurrence > 0))::text AS text
       FROM ${of('transaction', 'import_request_id')}
      UNION ALL
     SELECT (${whose} || to_jsonb(t) ${without} || jsonb_build_object(
              'body', replace(t.body, 'Import request ' || t.import_request_id, 'Import request'),
              'seen', t.documents_seen_at IS NOT NULL,
              'date_time', CASE WHEN t.created_at_sent AND l.kind IS DISTINCT FROM 'transactions' THEN t.created_at END
            ))::text
       FROM ${of('note', 'import_request_id')}
      UNION ALL
     SELECT (${whose} || to_jsonb(t) ${without} || jsonb_build_object('seen', t.document_seen_at IS NOT NULL))::text
       FROM ${of('statement', 'import_request_id')}
      UNION ALL
     SELECT (${whose} || to_jsonb(t) ${without})::text FROM ${of('import_request', 'id')}`,
    [suffix, callers.map(({ apiKeyId }) => apiKeyId)],
  );
  return rows.map(({ text }) => text).sort();
}

describe('two services on one database', () => {
  const gates = [new StartingGate(), new StartingGate()];
  const services: TestService[] = [];
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase();
    for (const { parts } of gates) services.push(await startService({}, { database, ...parts }));
  });
  afterAll(async () => {
    for (const service of services) await service.stop();
    await database.drop();
  });

  it.each([2, 20])(
    'store each row once for %d concurrent requests with some or all of the same rows in any order (X5, N4, H3, O8)',
    async (count) => {
      const names = Array.from({ length: 30 }, (_, n) => `row ${n}`);
      const rows: Readonly<Record<Kind, object[]>> = {
        transactions: names.map((transaction_id) => charge({ transaction_id })),
        notes: names.map((body, n) => ({ body, ...(n % 2 === 0 && { created_at: DATE_TIME }) })),
        statements: names.map((statement_id) => bill({ statement_id })),
      };
      const { token, ref } = await services[0]!.given.importedAccount();
      for (const kind of KINDS) {
        const replies = await Promise.all(
          Array.from({ length: count }, (_, n) => {
            const turned = [...rows[kind].slice(n), ...rows[kind].slice(0, n)];
            const items = (n % 2 === 0 ? turned : turned.toReversed()).slice(n % 3 === 0 ? 0 : 10);
            return send(services[n % 2]!, { kind, token, ref, items });
          }),
        );
        expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
        const found = `SELECT count(*)::integer AS rows FROM ${ITEMS[kind].table} t WHERE ${OF_ACCOUNT}`;
        expect(await database.sql(found, Object.values(ref))).toEqual([{ rows: names.length }]);
      }
    },
  );

  it('lock the same accounts in the same order, so that neither is rolled back for the other (X5)', async () => {
    const { given } = services[0]!;
    const world = await given.supplier();
    const numbers = Array.from({ length: 20 }, (_, n) => `account-${n + 10}`);
    await given.importedAccounts(world, numbers);
    // A third connection locks an account in the middle: a service that reaches it waits, and blocks the other service.
    const third = await database.connect();
    await third.query(`
      BEGIN;
      INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, import_request_id, transaction_date,
                               amount, type)
      SELECT a.import_supplier_id, a.external_account_number, 't1', uuidv7(), '2026-03-15', 1, 'CHARGE'
        FROM account_import a
       WHERE a.external_account_number = 'account-20'`);
    const replies = services.flatMap((service, n) => {
      gates[n]!.expect(numbers.length);
      return (n === 0 ? numbers : numbers.toReversed()).map((number) =>
        send(service, {
          kind: 'transactions',
          token: world.token,
          ref: { import_supplier: world.supplier, external_account_number: number },
          items: [charge()],
        }),
      );
    });
    try {
      await database.blocked(2);
    } finally {
      await third.end();
    }
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(replies.map(() => 201));
    const [stored] = await database.sql<{ rows: number; requests: number }>(
      `SELECT count(*)::integer AS rows, count(DISTINCT import_request_id)::integer AS requests
         FROM transaction WHERE external_account_number = ANY ($1)`,
      [numbers],
    );
    expect(stored).toEqual({ rows: 20, requests: 20 });
    for (const service of services.splice(0)) await service.stop();
    expect(await deadlocks(database)).toBe(0);
  });
});

/** The number of deadlocks so far. A connection's count is certain to be reported only after its end. */
async function deadlocks({ sql }: TestDatabase): Promise<number> {
  await waitUntil('the connections of the services have ended', async () => {
    const [others] = await sql<{ count: number }>(
      `SELECT count(*)::integer AS count FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'data-import'`,
    );
    return others!.count === 0;
  });
  const [seen] = await sql<{ count: number }>(
    `SELECT deadlocks::integer AS count FROM pg_stat_database WHERE datname = current_database()`,
  );
  return seen!.count;
}

/** Condition on a row `t`. Parameters: the supplier's code, the account's number. */
const OF_ACCOUNT = `t.external_account_number = $2
  AND t.import_supplier_id = (SELECT s.id FROM import_supplier s WHERE s.code = $1)`;
