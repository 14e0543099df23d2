import {
  adminOf,
  collapsed,
  rowsOf,
  signInAsAdmin,
  signInAsOperator,
  type ConsolePage,
} from '../../../support/console.js';
import { issueKey } from '../../../support/graphql.js';
import { startService, unique, type AccountPair, type World } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { waitUntil } from '../../../support/wait-until.js';
import { idOf } from '../../../support/suppliers.js';

const service = setUp(() => startService({ CONSOLE: 'on', PLATFORM_TIMEZONE: 'Europe/Berlin' }));
const operator = setUp(() => signInAsOperator(service));

type Account = World & { readonly ref: AccountPair };
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

const addressOf = (id: string): string => `/console/requests/${encodeURIComponent(id)}`;

async function send(world: Account, id: string, body: object, path = 'notes/create/'): Promise<number> {
  const { status } = await service.call(path, {
    method: 'POST',
    headers: {
      ...{ authorization: `Token ${world.token}`, 'content-type': 'application/json', 'x-request-id': id },
      traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01`,
    },
    body: JSON.stringify({ ...world.ref, ...body }),
  });
  if (status >= 400) {
    await waitUntil('the refusal is recorded', async () => {
      const rows = await service.database.sql('SELECT FROM import_refusal WHERE request_id = $1', [id]);
      return rows.length > 0;
    });
  }
  return status;
}

/** Names and values of the details of each request on a page. */
function detailsOf({ document }: ConsolePage): Record<string, string>[] {
  return document
    .querySelectorAll('main section')
    .map((section) =>
      Object.fromEntries(
        section
          .querySelectorAll('dl.details > div')
          .map((pair) => [collapsed(pair.querySelector('dt')!), collapsed(pair.querySelector('dd')!)]),
      ),
    );
}

describe('the page of a request', () => {
  it('shows the stored rows, the account, the key, and when the request was undone (C11)', async () => {
    const world = await service.given.importedAccount();
    const id = unique('a.b');
    expect(await send(world, id, { notes: [{ body: 'a' }, { body: 'b' }] })).toBe(201);
    const page = await operator.get(addressOf(id));
    expect([page.status, page.document.querySelector('#request-id')?.textContent]).toEqual([200, id]);
    const [details] = detailsOf(page);
    expect(details).toMatchObject({
      ...{ Outcome: 'stored', Supplier: world.supplier, Account: world.ref.external_account_number },
      ...{ Sent: '2', 'Stored: notes': '2', 'Trace id': TRACE_ID },
      'API key': expect.stringMatching(/: test$/) as string,
      Duration: expect.stringMatching(/ m?s$/) as string,
    });
    expect(page.document.querySelector('main h2')?.textContent).toMatch(/^Notes, \d+ \w+ \d{4}, /);
    const links = page.document.querySelectorAll('dl a').map((link) => link.getAttribute('href'));
    expect(links).toEqual([
      `/console/suppliers/${world.supplier}`,
      `/console/suppliers/${world.supplier}/accounts/${world.ref.external_account_number}`,
      `/console/requests?key=${world.apiKeyId}`,
    ]);
    await service.database.sql('UPDATE import_request SET undone_at = now() WHERE request_id = $1', [id]);
    expect(detailsOf(await operator.get(addressOf(id)))[0]?.Outcome).toMatch(/^stored undone \d/);
  });

  it('shows why a request was refused, with its items, and every request with the same id (C9, C11)', async () => {
    const world = await service.given.importedAccount();
    const id = unique('request');
    const transaction = { transaction_id: 'T-1', transaction_date: '2026-02-01', amount: 1, type: 'FEE' };
    expect(await send(world, id, { transactions: [transaction] }, 'transactions/create/')).toBe(400);
    expect(await send(world, id, { notes: [{ body: 'a' }] })).toBe(201);
    const page = await operator.get(addressOf(id));
    expect(page.text).toContain('The client sent this id 2 times');
    expect(detailsOf(page)).toMatchObject([
      { Outcome: 'stored' },
      {
        Outcome: 'rejected 400 validation_error invalid_choice at transactions.0.type',
        'What to do': 'Send one of the allowed values. Allowed values',
      },
    ]);
    expect(collapsed(page.document.querySelector('.refused-items')!)).toBe(
      'T-1 transactions.0type: invalid_choice, FEE',
    );
  });

  it('does not exist for another organisation, nor for an id that nobody sent (A8, C3, C11)', async () => {
    const world = await service.given.importedAccount();
    const other = await service.given.organisation();
    await service.given.grant(world.supplier, other.organisationId);
    const id = unique('request');
    expect(await send(world, id, { notes: [{ body: 'a' }] })).toBe(201);
    expect((await (await adminOf(service, world)).get(addressOf(id))).status).toBe(200);
    const stranger = await adminOf(service, other);
    const unknown = await stranger.get(addressOf('unknown'));
    const page = await stranger.get(addressOf(id));
    expect([page.status, page.text]).toEqual([404, unknown.text]);
    expect((await operator.get('/console/requests/%00')).status).toBe(404);
  });

  it('is the target of every request id (C11)', async () => {
    const world = await service.given.importedAccount();
    const [good, bad] = [unique('good'), unique('bad')];
    expect(await send(world, good, { notes: [{ body: 'a' }] })).toBe(201);
    expect(await send(world, bad, { notes: [{}] })).toBe(400);
    const supplier = `/console/suppliers/${world.supplier}`;
    const causeOf = async (failures: string): Promise<string> =>
      (await operator.get(failures)).document
        .querySelector('table.causes th a')!
        .getAttribute('href')!
        .replaceAll('&amp;', '&');
    const pages: [path: string, ids: string[]][] = [
      [`/console/requests?supplier=${world.supplier}`, [good, bad]],
      [`${supplier}/accounts/${world.ref.external_account_number}`, [good, bad]],
      [await causeOf(`${supplier}/failures`), [bad]],
    ];
    for (const [path, ids] of pages) {
      const { document } = await operator.get(path);
      for (const id of ids)
        expect(document.querySelectorAll(`a[href="${addressOf(id)}"]`).map(collapsed)).toContain(id);
    }
    // The search leads to the account of a request or, without an account, to the request.
    const nowhere = unique('nowhere');
    expect(await send(world, nowhere, { notes: [{ body: 'a' }], external_account_number: 'none' })).toBe(404);
    const { document } = await operator.get(`/console/search?q=${nowhere}`);
    expect(document.querySelector(`main a[href="${addressOf(nowhere)}"]`)).not.toBeNull();
  });
});

describe('the list of requests', () => {
  /** Send requests with three kinds of outcome, the newest last. */
  async function several(): Promise<Account & { readonly keys: readonly string[] }> {
    const world = await service.given.importedAccount();
    const { id: key } = await issueKey(service, world.organisationId);
    const supplier = await idOf(service.database, world.supplier);
    const common = [supplier, world.ref.external_account_number];
    await service.database.sql(
      `INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored, stored_at)
       SELECT $1, $2, uuidv7(), kind, api_key_id::uuid, name, 1, at::timestamptz
         FROM (VALUES ('notes', $3, 'stored-notes', '2026-05-01T10:00Z'),
                      ('transactions', $4, 'stored-transactions', '2026-05-01T11:00Z')) AS v (kind, api_key_id, name, at)`,
      [...common, world.apiKeyId, key],
    );
    await service.database.sql(
      `INSERT INTO import_refusal (import_supplier_id, external_account_number, id, at, kind, organisation_id, api_key_id,
                                   request_id, status, code, attr, field_code, is_dry_run)
       SELECT $1, $2, uuidv7(), at::timestamptz, 'notes', $3, $4, name, status, code, attr, field_code, false
         FROM (VALUES ('refused-field', 400, 'validation_error', 'notes.0.body', 'blank', '2026-05-01T12:00Z'),
                      ('refused-account', 404, 'account_not_found', NULL, NULL, '2026-05-01T13:00Z'))
              AS v (name, status, code, attr, field_code, at)`,
      [...common, world.organisationId, world.apiKeyId],
    );
    return { ...world, keys: [world.apiKeyId, key] };
  }

  it('has filters by outcome, kind, code, key and a range of time, in the address (C11)', async () => {
    const world = await several();
    const all = ['refused-account', 'refused-field', 'stored-transactions', 'stored-notes'];
    const get = (query: string, headers = {}): Promise<ConsolePage> =>
      operator.get(`/console/requests?supplier=${world.supplier}${query}`, headers);
    const ids = async (query: string): Promise<string[]> =>
      rowsOf(await get(query)).map((cells) => cells.at(-1)!);
    const filters: [query: string, ids: string[]][] = [
      ['', all],
      ['&outcome=stored', all.slice(2)],
      ['&outcome=refused', all.slice(0, 2)],
      ['&kind=transactions', ['stored-transactions']],
      ['&code=account_not_found', ['refused-account']],
      ['&code=validation_error', ['refused-field']],
      ['&code=blank', ['refused-field']],
      [`&key=${world.keys[1]}`, ['stored-transactions']],
      // In the platform's zone, two hours ahead of UTC; the end is exclusive.
      ['&from=2026-05-01T13:00&until=2026-05-01T15:00', all.slice(1, 3)],
      ['&outcome=refused&until=2026-05-01T14:30', ['refused-field']],
      ['&code=nothing', []],
    ];
    for (const [query, expected] of filters) expect([query, await ids(query)]).toEqual([query, expected]);
    // In the viewer's zone, four hours behind UTC.
    const session = `data_import_session=${operator.cookie('data_import_session')!}`;
    const cookie = `${session}; data_import_time_zone=America/New_York`;
    const elsewhere = await get('&from=2026-05-01T07:00&until=2026-05-01T09:00', { cookie });
    expect(rowsOf(elsewhere).map((cells) => cells.at(-1))).toEqual(all.slice(1, 3));
    expect(elsewhere.text).toContain('From (America/New_York)');
    const page = await get('&kind=notes&from=2026-05-01T13:00');
    const { document } = page;
    expect(document.querySelector('#filter-kind option[selected]')?.getAttribute('value')).toBe('notes');
    expect(document.querySelector('#filter-from')?.getAttribute('value')).toBe('2026-05-01T13:00');
    expect(page.text).toContain('From (Europe/Berlin)');
    expect(document.querySelector('#requests')?.getAttribute('hx-get')).toBe(
      `/console/requests?supplier=${world.supplier}&kind=notes&from=2026-05-01T13%3A00`,
    );
    expect((await operator.get(`/console/requests?supplier=${world.supplier}&code=x`)).text).toContain(
      'No import request matches.',
    );
  });

  it('finds nothing of another organisation by a code or a key (A8, C11)', async () => {
    const world = await several();
    const other = await service.given.organisation();
    await service.given.grant(world.supplier, other.organisationId);
    const stranger = await adminOf(service, other);
    const rows = async (query: string): Promise<number> =>
      rowsOf(await stranger.get(`/console/requests?supplier=${world.supplier}${query}`)).length;
    expect(await rows('')).toBe(4);
    expect(await rows('&outcome=refused')).toBe(2);
    expect(await rows('&code=account_not_found')).toBe(0);
    expect(await rows(`&key=${world.apiKeyId}`)).toBe(0);
    const { document } = await stranger.get('/console/requests');
    expect(
      document.querySelectorAll('#filter-key option').map((option) => option.getAttribute('value')),
    ).not.toContain(world.apiKeyId);
  });

  it('offers API keys with the same label by the beginnings of their ids (C11)', async () => {
    const { organisationId, apiKeyId } = await service.given.organisation();
    const { id, key } = await issueKey(service, organisationId);
    const { document } = await (await signInAsAdmin(service, key)).get('/console/requests');
    const offered = document.querySelectorAll('#filter-key option').map(({ textContent }) => textContent);
    expect(offered.slice(1)).toEqual([apiKeyId, id].map((one) => `test (${one.slice(0, 13)})`));
  });

  it('has 100 per page, each request once, even of several suppliers and with equal times (C11)', async () => {
    const organisation = await service.given.organisation();
    const expected: string[] = [];
    for (const name of ['a', 'b']) {
      const world = await service.given.importedAccount();
      await service.given.grant(world.supplier, organisation.organisationId);
      await service.database.sql(
        `INSERT INTO import_refusal (import_supplier_id, external_account_number, id, at, kind, organisation_id, api_key_id,
                                     request_id, status, code, is_dry_run)
         SELECT s.id, $2, uuidv7(), timestamptz '2026-05-02' + (n / 10) * interval '1 microsecond', 'notes', $3, $4,
                $5 || n, 404, 'account_not_found', false
           FROM import_supplier s, generate_series(1, 130) AS n WHERE s.code = $1`,
        [
          ...[world.supplier, world.ref.external_account_number, organisation.organisationId],
          ...[world.apiKeyId, name],
        ],
      );
      expected.push(...Array.from({ length: 130 }, (_, n) => `${name}${n + 1}`));
    }
    const admin = await adminOf(service, organisation);
    // The keys of these refusals belong to other organisations, so only the rows are compared.
    const documents = (await admin.pages('/console/requests')).map(({ document }) => document);
    const updates = documents.map((one) => one.querySelector('#requests')?.hasAttribute('hx-get'));
    expect(updates).toEqual([true, false, false]);
    const pages = documents.map((one) =>
      one.querySelectorAll('tbody tr').map((row) => row.getAttribute('id')!),
    );
    expect(pages.map(({ length }) => length)).toEqual([100, 100, 60]);
    expect(new Set(pages.flat()).size).toBe(expected.length);
  });
});
