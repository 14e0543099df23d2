import { readFileSync } from 'node:fs';
import { startFakeVendors, STRIPE_MISSING, stripeCard, stripeError } from '../../../support/fake-vendors.js';
import { increases, metricsText, metricValues } from '../../../support/metrics.js';
import { sendRaw } from '../../../support/raw-http.js';
import { isCluster } from '../../../support/database.js';
import { startService, unique, type Reply, type TestService } from '../../../support/service.js';
import { inBlock, setUp } from '../../../support/set-up.js';
import { StartingGate } from '../../../support/starting-gate.js';
import { waitUntil } from '../../../support/wait-until.js';

const ITEMS = 'data_import_items_total';
const REFUSED = 'data_import_refused_requests_total';
const CALLS = 'data_import_vendor_calls_total';
const DURATIONS = 'data_import_vendor_call_duration_seconds_count';
const BATCHES = ['data_import_batch_queries_total', 'data_import_batch_requests_total'] as const;

const item = (kind: string, outcome: string): string => `${ITEMS}{kind="${kind}",outcome="${outcome}"}`;
const refused = (kind: string, code: string): string => `${REFUSED}{kind="${kind}",code="${code}"}`;
const call = (outcome: string): string => `${CALLS}{vendor="STRIPE",outcome="${outcome}"}`;
const DURATION = `${DURATIONS}{vendor="STRIPE"}`;
const CIRCUIT = 'data_import_vendor_circuit_open{vendor="STRIPE"}';

const charge = (transaction_id: string, fields: object = {}): object => ({
  transaction_id,
  transaction_date: '2026-02-03',
  amount: 1,
  type: 'CHARGE',
  ...fields,
});
const bill = (statement_id: string, fields: object = {}): object => ({
  statement_id,
  bill_period_from_date: '2020-01-01',
  bill_period_to_date: '2020-01-31',
  ...fields,
});

const gate = new StartingGate();
const vendors = setUp(startFakeVendors);
const service = setUp(() =>
  startService(
    {
      METRICS_PORT: '0',
      DATABASE_POOL_MAX: '4',
      STRIPE_API_KEY: 'sk_test_only_the_tests_know',
      STRIPE_API_URL: vendors.url,
    },
    gate.parts,
  ),
);

describe('the items that were imported', () => {
  const PATHS = {
    notes: 'notes/create/',
    transactions: 'transactions/create/',
    historical_statements: 'historical-statements/create/',
  };

  it.each([
    ['notes', { notes: [{ body: 'a' }, { body: 'b' }, { body: 'a' }] }, 2, 1],
    ['transactions', { transactions: [charge('a'), charge('b')] }, 2, 0],
    ['historical_statements', { statements: [bill('a'), bill('b')] }, 2, 0],
  ] as const)(
    'are counted when they are stored, as added or already there, and not in a dry run: %s (O3)',
    async (kind, content, added, repeated) => {
      const { token, ref } = await service.given.importedAccount();
      const body = { ...ref, ...content };
      const size = added + repeated;
      const before = await metricValues();
      expect((await service.post(`${PATHS[kind]}?dry_run=true`, token, body)).status).toBe(201);
      expect(await increases(before, ITEMS)).toEqual({});
      expect((await service.post(PATHS[kind], token, body)).status).toBe(201);
      expect(await increases(before, ITEMS)).toEqual({
        [item(kind, 'added')]: added,
        ...(repeated > 0 && { [item(kind, 'already_added')]: repeated }),
      });
      expect((await service.post(PATHS[kind], token, body)).status).toBe(201);
      expect((await service.post(`${PATHS[kind]}?dry_run=true`, token, body)).status).toBe(201);
      expect(await increases(before, ITEMS)).toEqual({
        [item(kind, 'added')]: added,
        [item(kind, 'already_added')]: size + repeated,
      });
    },
  );

  it('have payment instructions among them (O3)', async () => {
    const { token, ref } = await service.given.importedAccount();
    const body = { ...ref, vendor: 'SANDBOX', reference: unique('ok_'), type: 'CARD' };
    const before = await metricValues();
    const post = (query = ''): Promise<Reply> =>
      service.post(`payment-instruction/create/${query}`, token, body);
    await post('?dry_run=true');
    expect(await increases(before, ITEMS)).toEqual({});
    await post();
    await post();
    await post('?dry_run=true');
    expect(await increases(before, ITEMS)).toEqual({
      [item('payment_instructions', 'added')]: 1,
      [item('payment_instructions', 'already_added')]: 1,
    });
  });
});

describe('the refused import requests', () => {
  it('are counted by kind and code, and none of their items (O3)', async () => {
    const account = await service.given.importedAccount({ from: '2026-01-01', to: '2026-01-31' });
    const { token, ref } = account;
    const staged = (await service.given.stagedAccount(account)).ref;
    const outside = 'transactions/create/?force_add_to_current_statement=false';
    await service.post('historical-statements/create/', token, { ...ref, statements: [bill('a')] });
    const before = await metricValues();
    const sent: [path: string, body: unknown, status: number][] = [
      ['notes/create/', { ...ref, notes: [{ body: 7 }] }, 400],
      ['notes/create/', '{', 400],
      ['notes/create/?dry_run=true', { ...staged, notes: [{ body: 'a' }] }, 404],
      [outside, { ...ref, transactions: [charge('a')] }, 400],
      ['historical-statements/create/', { ...ref, statements: [bill('a', { number: '2' }), bill('b')] }, 400],
      ['payment-instruction/create/', { ...ref, vendor: 'GOCARDLESS', reference: 'x', type: 'CARD' }, 400],
    ];
    for (const [path, body, status] of sent) {
      expect((await service.post(path, token, body)).status).toBe(status);
    }
    // Another kind of refusal, at another endpoint.
    expect((await service.post('notes/create/', 'no token', {})).status).toBe(401);
    expect((await service.get(`account-transfer-status/${ref.import_supplier}/none/`, token)).status).toBe(
      404,
    );
    expect(await increases(before, REFUSED, ITEMS)).toEqual({
      [refused('notes', 'invalid')]: 1,
      [refused('notes', 'parse_error')]: 1,
      [refused('notes', 'account_not_found')]: 1,
      [refused('transactions', 'outside_open_statement_period')]: 1,
      [refused('historical_statements', 'historical_statement_already_exists')]: 1,
      [refused('payment_instructions', 'payment_vendor_not_configured')]: 1,
    });
  });
});

describe('the batches', () => {
  it('are counted with their requests, so that one divided by the other is the size of a batch (O3)', async () => {
    const world = await service.given.supplier();
    const accounts = await Promise.all(
      Array.from({ length: 5 }, () => service.given.importedAccount({ world })),
    );
    const before = await metricValues();
    gate.expect(accounts.length);
    await Promise.all(
      accounts.map(({ token, ref }) =>
        service.post('notes/create/', token, { ...ref, notes: [{ body: 'a' }] }),
      ),
    );
    const { token, ref } = accounts[0]!;
    const path = `account-transfer-status/${ref.import_supplier}/${ref.external_account_number}/`;
    await service.get(path, token);
    expect(await increases(before, ...BATCHES)).toEqual({
      'data_import_batch_queries_total{kind="notes"}': 1,
      'data_import_batch_requests_total{kind="notes"}': 5,
      'data_import_batch_queries_total{kind="account_status"}': 1,
      'data_import_batch_requests_total{kind="account_status"}': 1,
    });
  });
});

// On several nodes, each node has its own connections, and suppliers may be on any of them.
if (!isCluster())
  describe('the database connections', () => {
    const CONNECTIONS = 'data_import_database_connections';
    const used = `${CONNECTIONS}{state="used"}`;
    const idle = `${CONNECTIONS}{state="idle"}`;
    const waiting = 'data_import_database_waiting';
    const inQueue = 'data_import_batch_waiting{kind="transactions"}';

    it('and the requests that wait for them are shown while imports use all that they may (O3)', async () => {
      const accounts = await Promise.all(Array.from({ length: 5 }, () => service.given.importedAccount()));
      const client = await service.database.connect();
      let replies: Promise<Reply>[] = [];
      try {
        await client.query('BEGIN');
        await client.query('LOCK TABLE transaction IN ACCESS EXCLUSIVE MODE');
        replies = accounts.map(({ token, ref }) =>
          service.post('transactions/create/', token, { ...ref, transactions: [charge('a')] }),
        );
        // Imports may use three of four connections; each of five organisations sends one.
        await waitUntil('three queries run and two wait', async () => {
          const values = await metricValues();
          return values.get(used) === 3 && values.get(waiting) === 2 && values.get(inQueue) === 2;
        });
        expect((await metricValues()).get(`${CONNECTIONS}_max`)).toBe(4);
      } finally {
        await client.end();
      }
      for (const { status } of await Promise.all(replies)) expect(status).toBe(201);
      const values = await metricValues();
      expect([used, waiting, inQueue].map((name) => values.get(name))).toEqual([0, 0, 0]);
      expect(values.get(idle)).toBeGreaterThanOrEqual(3);
    });
  });

const postTo = async (to: TestService, reference: string): Promise<number> => {
  const { token, ref } = await to.given.importedAccount();
  const instruction = { ...ref, vendor: 'STRIPE', reference, type: 'CARD' };
  return (await to.post('payment-instruction/create/', token, instruction)).status;
};
const newReference = (): string => unique('pm').replace('-', '_');

describe('the calls of payment vendors', () => {
  it('are counted by outcome, each try, and measured (O3)', async () => {
    const [found = '', missing = '', rejected = '', unstable = ''] = Array.from({ length: 4 }, newReference);
    vendors.script(found, stripeCard(found));
    vendors.script(missing, STRIPE_MISSING);
    vendors.script(rejected, stripeError(401));
    vendors.script(unstable, stripeError(503), { instead: 'cut' }, stripeCard(unstable));
    const before = await metricValues();
    const statuses = [];
    for (const one of [found, missing, rejected, unstable]) statuses.push(await postTo(service, one));
    expect(statuses).toEqual([201, 400, 400, 201]);
    expect(await increases(before, CALLS, DURATIONS)).toEqual({
      [call('confirmed')]: 2,
      [call('not_found')]: 1,
      [call('rejected')]: 1,
      [call('unavailable')]: 2,
      [DURATION]: 6,
    });
    expect((await metricValues()).get(CIRCUIT)).toBe(0);
  });
});

describe('the metrics', () => {
  it('name the version and Node.js (O3)', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const values = await metricValues();
    expect(values.get(`data_import_build_info{version="${version}",node="${process.version}"}`)).toBe(1);
  });

  it('have every counter with few labels from the start, at 0 (O3)', async () => {
    await using other = inBlock(await startService({ METRICS_PORT: '0' }));
    expect(other.baseUrl).not.toBe(service.baseUrl);
    const values = await metricValues();
    const count = (name: string): number =>
      [...values].filter(([key, value]) => key.startsWith(`${name}{`) && value === 0).length;
    expect(count(ITEMS)).toBe(8);
    expect(count(REFUSED)).toBe(4 * 34);
    expect(BATCHES.map(count)).toEqual([7, 7]);
    expect(values.get(`${CALLS}{vendor="SANDBOX",outcome="confirmed"}`)).toBe(0);
  });
});

describe('the labels of the metrics', () => {
  /** Each label with its values, without the version and the limits of buckets. */
  async function labelValues(): Promise<Set<string>> {
    const own = [...(await metricValues()).keys()].filter((key) => key.startsWith('data_import_'));
    const found = own.flatMap((key) => [...key.matchAll(/\w+="(?:[^"\\]|\\.)*"/g)].map(([both]) => both));
    return new Set(found.filter((both) => !both.startsWith('le=')));
  }

  it('come from closed lists, whatever is sent (O3)', async () => {
    await using own = inBlock(await startService({ METRICS_PORT: '0' }));
    const { token, ref, organisationId, apiKeyId } = await own.given.importedAccount();
    const strange = unique('strange');
    const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' };
    const before = await labelValues();
    const path = `account-transfer-status/${ref.import_supplier}/${ref.external_account_number}/`;
    await own.get(path, token);
    await own.get(`${path}${strange}/`, token);
    await own.get(`/${strange}`, token);
    await own.get(`/v1/data-import/${strange}/?${strange}=${strange}`, strange);
    for (const method of ['PROPFIND', 'PURGE', 'M-SEARCH', 'DELETE']) {
      await own.call(`/${strange}`, { method, headers });
      await own.call('notes/create/', { method, headers });
    }
    await sendRaw(own.baseUrl, `${strange.toUpperCase()} / HTTP/1.1\r\nHost: x\r\n\r\n`);
    const bodies: object[] = [
      { import_supplier: strange, external_account_number: strange, notes: [{ body: strange }] },
      { ...ref, [strange]: strange, notes: [{ [strange]: 1 }] },
      { ...ref, vendor: strange, reference: strange, type: strange },
    ];
    for (const body of bodies) {
      await own.post('notes/create/', token, body);
      await own.post('payment-instruction/create/', token, body);
    }
    const after = await labelValues();
    const added = [...after].filter((both) => !before.has(both)).sort();
    expect(added).toEqual([
      'method="DELETE"',
      'method="GET"',
      'method="POST"',
      'method="other"',
      'route="/v1/data-import/account-transfer-status/:import_supplier/:external_account_number"',
      'route="/v1/data-import/notes/create"',
      'route="/v1/data-import/payment-instruction/create"',
      'route="unknown"',
      'status="200"',
      'status="400"',
      'status="404"',
      'status="405"',
    ]);
    const text = await metricsText();
    for (const secret of [strange, ref.external_account_number, organisationId, apiKeyId])
      expect(text).not.toContain(secret);
  });
});

describe('without METRICS_PORT', () => {
  it('nothing is measured (O3)', async () => {
    const before = await metricsText();
    await using off = inBlock(await startService());
    const { token, ref } = await off.given.importedAccount();
    const reply = await off.post('notes/create/', token, { ...ref, notes: [{ body: 'a' }] });
    expect(reply.status).toBe(201);
    const answers = (text: string): string[] =>
      text.split('\n').filter((line) => line.startsWith('data_import_answers'));
    expect(answers(await metricsText())).toEqual(answers(before));
  });
});

describe('a payment vendor that does not answer', () => {
  it('is not called while its circuit breaker is open, which is shown (O3)', async () => {
    const stripe = { STRIPE_API_KEY: 'sk_test_only_the_tests_know', STRIPE_API_URL: vendors.url };
    await using own = inBlock(
      await startService({ ...stripe, METRICS_PORT: '0', PAYMENT_VENDOR_TIMEOUT_MS: '1000' }),
    );
    const references = Array.from({ length: 6 }, newReference);
    for (const one of references) vendors.script(one, { instead: 'silence' });
    for (const one of references) expect(await postTo(own, one)).toBe(500);
    const values = await metricValues();
    // Three attempts of each of five requests, and none of the sixth.
    expect([values.get(call('unavailable')), values.get(DURATION), values.get(CIRCUIT)]).toEqual([15, 15, 1]);
    // Each attempt has lasted until its timeout.
    expect(values.get('data_import_vendor_call_duration_seconds_bucket{le="0.25",vendor="STRIPE"}')).toBe(0);
    const works = newReference();
    vendors.script(works, stripeCard(works));
    await waitUntil('the vendor is called again', async () => (await postTo(own, works)) === 201);
    expect((await metricValues()).get(CIRCUIT)).toBe(0);
  });
});
