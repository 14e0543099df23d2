import { randomBytes } from 'node:crypto';
import { ItemSearchService } from '../../../../src/apps/console/search/item-search.service.js';
import {
  rowsOf,
  signInAsAdmin,
  signInAsOperator,
  type ConsoleClient,
  type ConsolePage,
  adminOf,
} from '../../../support/console.js';
import { issueKey } from '../../../support/graphql.js';
import { startService, unique, type AccountPair, type World } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { waitUntil } from '../../../support/wait-until.js';

/** Time for the immediate search, long enough on any machine. */
const MOMENT_MS = 60_000;

const service = setUp(() => startService({ CONSOLE: 'on' }));
let operator: ConsoleClient;
beforeAll(async () => {
  Object.assign(service.app.get(ItemSearchService, { strict: false }), { momentMsMax: MOMENT_MS });
  operator = await signInAsOperator(service);
});

const query = (text: string): string => `q=${encodeURIComponent(text)}`;
const find = (text: string, client = operator): Promise<ConsolePage> =>
  client.get(`/console/search?${query(text)}`);
const findItem = (text: string, more = '', client = operator): Promise<ConsolePage> =>
  client.get(`/console/search/items?${query(text)}${more}`);

function addressOf({ import_supplier: code, external_account_number: number }: AccountPair): string {
  return `/console/suppliers/${encodeURIComponent(code)}/accounts/${encodeURIComponent(number)}`;
}

/** The addresses of the hits. */
const linksOf = ({ document }: ConsolePage, selector = 'tbody th'): (string | undefined)[] =>
  document
    .querySelectorAll(`${selector} a`)
    .map((link) => link.getAttribute('href')?.replaceAll('&amp;', '&'));

const redirected = ({ status, headers }: ConsolePage): (string | number | null)[] => [
  status,
  headers.get('location'),
];

async function sendNote(
  { token, ref }: World & { ref: AccountPair },
  requestId: string,
  body: unknown,
): Promise<number> {
  const { status } = await service.post(
    'notes/create/',
    token,
    { ...ref, notes: [{ body }] },
    { 'x-request-id': requestId },
  );
  return status;
}

describe('the search for accounts and requests', () => {
  it('leads to an account by its whole external number, even if others begin with it (C2)', async () => {
    const number = unique('number');
    const { ref, supplier } = await service.given.stagedAccount(undefined, number);
    const world = { ...(await service.given.organisation()), supplier };
    await service.given.stagedAccount(world, `${number}-2`);
    expect(redirected(await find(number))).toEqual([303, addressOf(ref)]);
    expect(redirected(await find(` ${number} `))).toEqual([303, addressOf(ref)]);
  });

  it('leads to the only account that begins with the text, and lists several (C2)', async () => {
    const world = await service.given.supplier();
    const prefix = unique('prefix');
    const first = await service.given.importedAccount({ world, number: `${prefix}-1` });
    expect(redirected(await find(prefix))).toEqual([303, addressOf(first.ref)]);
    await service.given.stagedAccount(world, `${prefix}-2`);
    const page = await find(prefix);
    expect(rowsOf(page)).toEqual([
      [`${prefix}-1`, `Account, ${first.serviceAccountNumber}`, world.supplier],
      [`${prefix}-2`, 'Account, pending', world.supplier],
    ]);
    expect(linksOf(page)[0]).toBe(addressOf(first.ref));
  });

  it('lists exact matches first when several suppliers have the number (C2)', async () => {
    const number = unique('number');
    const [one, two] = [await service.given.supplier(), await service.given.supplier()];
    for (const world of [one, two]) {
      await service.given.stagedAccount(world, `${number}0`);
      await service.given.stagedAccount(world, number);
    }
    const numbers = rowsOf(await find(number)).map(([found]) => found);
    expect(numbers).toEqual([number, number, `${number}0`, `${number}0`]);
    expect(redirected(await find(number, await adminOf(service, one)))[0]).toBe(303);
  });

  it('finds platform numbers, whole or by their beginning, in either case (C2, S4)', async () => {
    const { ref, serviceAccountNumber: number } = await service.given.importedAccount();
    expect(redirected(await find(number))).toEqual([303, addressOf(ref)]);
    expect(redirected(await find(number.toLowerCase()))).toEqual([303, addressOf(ref)]);
    const page = await find(number.slice(0, 9));
    const isFound = redirected(page)[1] === addressOf(ref) || page.html.includes(number);
    expect(isFound).toBe(true);
    expect(rowsOf(await find('A-')).length).toBeGreaterThan(1);
  });

  it('finds stored and refused requests by their ids, even for a number without an account (C2)', async () => {
    const given = await service.given.importedAccount();
    const [stored, refused, unknown] = [unique('stored'), unique('refused'), unique('unknown')];
    expect(await sendNote(given, stored, 'A note')).toBe(201);
    expect(redirected(await find(stored))).toEqual([303, addressOf(given.ref)]);
    expect(await sendNote(given, refused, 7)).toBe(400);
    await waitUntil('the refusal is recorded', async () => (await find(refused)).status === 303);
    expect(redirected(await find(refused))).toEqual([303, addressOf(given.ref)]);
    const ref = { ...given.ref, external_account_number: 'no account' };
    expect(await sendNote({ ...given, ref }, unknown, 'A note')).toBe(404);
    await waitUntil('the refusal is recorded', async () => rowsOf(await find(unknown)).length === 1);
    expect(rowsOf(await find(unknown))[0]![1]).toBe('no account (no account has this number)');
    expect((await find(stored.slice(0, -1))).text).toContain('Nothing was found.');
  });

  it('finds numbers and ids as typed, in upper and in lower case, and keeps the text in the box (C2)', async () => {
    const world = await service.given.supplier();
    const name = unique('mixed');
    const upper = await service.given.importedAccount({ world, number: name.toUpperCase() });
    expect(redirected(await find(name))).toEqual([303, addressOf(upper.ref)]);
    await service.given.stagedAccount(world, name);
    const both = await find(name.toUpperCase());
    expect(rowsOf(both).map(([found]) => found)).toEqual([name.toUpperCase(), name]);
    expect(both.document.querySelector('#find')?.getAttribute('value')).toBe(name.toUpperCase());
    const requestId = unique('request');
    expect(await sendNote(upper, requestId, 'A note')).toBe(201);
    expect(redirected(await find(requestId.toUpperCase()))).toEqual([303, addressOf(upper.ref)]);
  });

  it('leads from the id of a loader run to its requests, stored and rejected, of the own organisation (A8, C2, L13)', async () => {
    const given = await service.given.importedAccount();
    const run = randomBytes(5).toString('hex');
    expect(await sendNote(given, `${run}-1`, 'A note')).toBe(201);
    expect(await sendNote(given, `${run}-2`, 7)).toBe(400);
    expect(await sendNote(given, `${run}x-1`, 'Another note')).toBe(201);
    const address = `/console/requests?run=${run}`;
    const admin = await adminOf(service, given);
    for (const client of [operator, admin]) {
      expect(redirected(await find(run.toUpperCase(), client))).toEqual([303, address]);
      await waitUntil('the refusal is recorded', async () => rowsOf(await client.get(address)).length === 2);
      expect(rowsOf(await client.get(address)).map((cells) => cells.at(-1))).toEqual([
        ...[`${run}-2`, `${run}-1`],
      ]);
    }
    const other = await service.given.organisation();
    await service.given.grant(given.supplier, other.organisationId);
    const stranger = await adminOf(service, other);
    expect(rowsOf(await stranger.get(address))).toEqual([]);
    expect((await find(run, stranger)).text).toContain('Nothing was found.');
  });

  it('finds suppliers and the organisation’s API keys by a word of their names, in either case (A8, C2)', async () => {
    const [name, label] = [unique('Gas'), unique('Loader')];
    const own = await service.given.supplier({ name: `Northern ${name}` });
    const other = await service.given.supplier();
    await service.database.sql('UPDATE api_key SET label = $2 WHERE id = $1', [
      own.apiKeyId,
      `Night ${label} %_`,
    ]);
    const named = async (text: string, client: ConsoleClient): Promise<(string | undefined)[]> => {
      return linksOf(await find(text, client));
    };
    const [mine, others] = [await adminOf(service, own), await adminOf(service, other)];
    const supplier = `/console/suppliers/${own.supplier}`;
    const key = `/console/requests?key=${own.apiKeyId}`;
    for (const client of [operator, mine]) {
      expect(await named(name.toUpperCase(), client)).toEqual([supplier]);
      expect(await named(own.supplier, client)).toEqual([supplier]);
      expect(await named(label.toLowerCase().slice(0, -1), client)).toEqual([key]);
      expect(await named(`${label} %_`, client)).toEqual([key]);
      expect(await named(name.slice(1), client)).toEqual([]);
    }
    for (const text of [name, own.supplier, label]) expect(await named(text, others)).toEqual([]);
    expect((await find(label, others)).html).not.toContain(own.apiKeyId);
  });

  it('shows fifty hits, and whether there are more (C2)', async () => {
    const world = await service.given.supplier();
    const prefix = unique('many');
    for (let n = 0; n < 51; n += 1) await service.given.stagedAccount(world, `${prefix}-${n}`);
    const page = await find(prefix);
    expect(rowsOf(page)).toHaveLength(50);
    expect(page.text).toContain('There are more results');
  });

  it('treats every character literally (C2)', async () => {
    const world = await service.given.supplier();
    const prefix = unique('literal');
    for (const end of ['%a', '_a', '\\a', 'ba', '\u{10ffff}a', '😀a']) {
      await service.given.stagedAccount(world, prefix + end);
    }
    for (const end of ['%', '_', '\\', '\u{10ffff}', '😀']) {
      const expected = `/console/suppliers/${world.supplier}/accounts/${encodeURIComponent(`${prefix}${end}a`)}`;
      expect(redirected(await find(prefix + end))).toEqual([303, expected]);
    }
  });

  it.each([
    ...['', 'q=', 'q=+', 'q=a', `q=${'x'.repeat(200)}`, 'q=%25', 'q=_', 'q=%5C', 'q=a%00b', 'q=%ED%A0%80'],
    ...['q=a&q=b', 'q[a]=b', 'q=%F0%9F%98%80', "q='%22%3Cb%3E"],
  ])('answers %j with a page (C2)', async (text) => {
    for (const path of ['/console/search', '/console/search/items']) {
      const page = await operator.get(`${path}?${text}`);
      expect([page.status, page.document.querySelectorAll('b').length]).toEqual([200, 0]);
    }
  });

  it('shows an admin only what is granted (C2, C3)', async () => {
    const number = unique('number');
    const own = await service.given.importedAccount();
    const other = await service.given.importedAccount({ number });
    const requestId = unique('request');
    await sendNote(other, requestId, 'A note');
    await service.post('transactions/create/', other.token, {
      ...other.ref,
      transactions: [
        { transaction_id: requestId, transaction_date: '2026-03-01', amount: 1, type: 'CHARGE' },
      ],
    });
    const admin = await adminOf(service, own);
    for (const text of [number, number.slice(0, -1), other.serviceAccountNumber, requestId]) {
      const page = await find(text, admin);
      expect([page.status, rowsOf(page)]).toEqual([200, []]);
      expect(page.html).not.toContain(other.supplier);
      expect((await findItem(text, '', admin)).text).toContain('No transaction and no statement has this id');
    }
    expect(redirected(await find(own.serviceAccountNumber, admin))).toEqual([303, addressOf(own.ref)]);
    expect(rowsOf(await find('A-', admin)).map(([found]) => found)).toEqual([]);
    expect(redirected(await find('A-', admin))).toEqual([303, addressOf(own.ref)]);
  });
});

describe('the search for transactions and statements', () => {
  const charge = (id: string): object => ({
    transactions: [{ transaction_id: id, transaction_date: '2026-03-01', amount: 1, type: 'CHARGE' }],
  });

  it('opens the only item with the whole id, and shows what was searched (C2)', async () => {
    const given = await service.given.importedAccount();
    const id = unique('item');
    await service.post('transactions/create/', given.token, { ...given.ref, ...charge(id) });
    const admin = await adminOf(service, given);
    const address = `${addressOf(given.ref)}?id=${id}#transactions`;
    for (const client of [operator, admin])
      expect(redirected(await find(id, client))).toEqual([303, address]);
    expect(linksOf(await findItem(id.toUpperCase()))).toEqual([address]);
    const { text } = await find(id.slice(0, -1), admin);
    expect(text).toContain('No transaction and no statement has this id');
  });

  it('offers a link for a longer search, and shows what was not searched yet (C2, C8)', async () => {
    const given = await service.given.importedAccount();
    const id = unique('item');
    await service.post('transactions/create/', given.token, { ...given.ref, ...charge(id) });
    const admin = await adminOf(service, given);
    const notYet = async (text: string): Promise<string> => {
      const page = await find(text, admin);
      expect(linksOf(page, '#item-search')[0]).toContain(`/console/search/items?q=${text}`);
      return page.text;
    };
    const searches = service.app.get(ItemSearchService, { strict: false });
    Object.assign(searches, { momentMsMax: 0 });
    try {
      expect(await notYet(id)).toContain('Transactions and statements were not all searched.');
    } finally {
      Object.assign(searches, { momentMsMax: MOMENT_MS });
    }
    const number = unique('number');
    await service.given.stagedAccount(given, `${number}-1`);
    await service.given.stagedAccount(given, `${number}-2`);
    expect(await notYet(number)).toContain('Transactions and statements were not searched.');
  });

  it('finds statements, including those of several accounts of a supplier (C2)', async () => {
    const world = await service.given.supplier();
    const id = unique('item');
    const period = { bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31' };
    const accounts = [
      await service.given.importedAccount({ world }),
      await service.given.importedAccount({ world }),
    ];
    for (const { ref } of accounts) {
      await service.post('historical-statements/create/', world.token, {
        ...ref,
        statements: [{ statement_id: id, ...period }],
      });
    }
    const addresses = new Set(accounts.map(({ ref }) => `${addressOf(ref)}#statements`));
    for (const page of [await find(id), await findItem(id)])
      expect(new Set(linksOf(page))).toEqual(addresses);
  });

  it('runs once at a time per organisation, ends after a timeout, and shows how far it got (C2)', async () => {
    const world = await service.given.supplier();
    const given = await service.given.importedAccount({ world });
    const id = unique('item');
    await service.post('transactions/create/', given.token, { ...given.ref, ...charge(id) });
    const client = await adminOf(service, world);
    const searches = service.app.get(ItemSearchService, { strict: false });
    const { timeMsMax } = searches;
    const release = await service.database.lock('transaction');
    try {
      Object.assign(searches, { timeMsMax: 2_000 });
      const first = findItem(id, '', client);
      await service.database.blocked(1);
      const second = findItem(id, '', await adminOf(service, world));
      // Pages and the search of another organisation do not wait.
      expect((await client.get('/console/')).status).toBe(200);
      const other = findItem(id, '', await adminOf(service, await service.given.supplier()));
      expect((await other).status).toBe(200);
      expect(await service.database.blocked(1)).toHaveLength(1);
      const answer = await first;
      expect(answer.status).toBe(200);
      expect(answer.text).toContain(
        'Nothing was found so far. Transactions and statements were not all searched.',
      );
      await release();
      expect(linksOf(await second)).toHaveLength(1);
      const found = await client.get(linksOf(answer, '#item-search')[0]!);
      expect(linksOf(found)).toEqual([`${addressOf(given.ref)}?id=${id}#transactions`]);
    } finally {
      Object.assign(searches, { timeMsMax });
      await release();
    }
  });

  it('ends when nobody waits for it (C2)', async () => {
    const world = await service.given.supplier();
    await service.given.importedAccount({ world });
    const key = (await issueKey(service, world.organisationId)).key;
    const client = await signInAsAdmin(service, key);
    const release = await service.database.lock('transaction');
    const leaving = new AbortController();
    const left = client.send(`/console/search/items?${query('x')}`, { signal: leaving.signal });
    await service.database.blocked(1);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await release();
    await waitUntil('the search is over', async () => {
      const page = await findItem('x', '', client);
      return page.text.includes('No transaction and no statement has this id');
    });
  });
});
