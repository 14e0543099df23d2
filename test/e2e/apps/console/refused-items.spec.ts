import { runJson } from '../../../support/cli.js';
import {
  collapsed,
  rowsOf,
  signInAsOperator,
  type ConsoleClient,
  type ConsolePage,
  adminOf,
} from '../../../support/console.js';
import { startService, unique, type AccountPair, type World } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { waitUntil } from '../../../support/wait-until.js';

const service = setUp(() => startService({ CONSOLE: 'on' }));
const operator = setUp(() => signInAsOperator(service));

type Account = World & { readonly ref: AccountPair };

const accountAddress = ({ import_supplier: code, external_account_number: number }: AccountPair): string =>
  `/console/suppliers/${code}/accounts/${number}`;

const findItem = (id: string, client = operator): Promise<ConsolePage> =>
  client.get(`/console/search/items?q=${id}`);

/** Send two transactions, of which the second is refused. @returns their ids, once the refusal is recorded */
async function refuse(world: Account, requestId: string): Promise<[string, string]> {
  const ids: [string, string] = [unique('good'), unique('bad')];
  const common = { transaction_date: '2026-02-01', amount: 1 };
  const transactions = [
    { transaction_id: ids[0], ...common, type: 'CHARGE' },
    { transaction_id: ids[1], ...common, type: 'CHARG', amount: '1,5', note: 7 },
  ];
  const { status } = await service.post(
    'transactions/create/',
    world.token,
    { ...world.ref, transactions },
    { 'x-request-id': requestId },
  );
  expect(status).toBe(400);
  await waitUntil('the refusal is recorded', async () => {
    const rows = await service.database.sql('SELECT FROM import_refusal WHERE request_id = $1', [requestId]);
    return rows.length === 1;
  });
  return ids;
}

describe('the items of a refused request', () => {
  it('are in the history of the account, in the console and by the command (C9, O6)', async () => {
    const world = await service.given.importedAccount();
    const requestId = unique('request');
    const [good, bad] = await refuse(world, requestId);
    const { document } = await operator.get(accountAddress(world.ref));
    const items = document.querySelector('#history .refused-items')!;
    expect(collapsed(items)).toContain(`${bad} transactions.1`);
    expect(items.querySelectorAll('li li').map(collapsed).sort()).toEqual([
      expect.stringMatching(/^amount: \w+, 1,5$/),
      expect.stringMatching(/^note: \w+, a number$/),
      'type: invalid_choice, CHARG Did you mean CHARGE?',
    ]);
    expect(collapsed(items)).toContain(`Rejected with them: ${good}`);
    expect(document.querySelector(`#history a[href="/console/requests/${requestId}"]`)).not.toBeNull();
    const { supplier, ref } = world;
    const { json } = await runJson(service.database, [
      ...['accounts', 'history', supplier, ref.external_account_number],
    ]);
    expect(json).toContainEqual(
      expect.objectContaining({
        event: 'refusal',
        items: { at_fault: [expect.objectContaining({ at: 'transactions.1', id: bad })], others: [good] },
      }),
    );
  });

  it('are found by their ids, even with rows stored later, until the account is erased (C2, C9, S10)', async () => {
    const world = await service.given.importedAccount();
    const requestId = unique('request');
    for (const id of await refuse(world, requestId)) {
      const page = await findItem(id);
      expect(rowsOf(page).map(([found]) => found)).toEqual(['Rejected transactions: 400 validation_error']);
      expect(page.document.querySelector('table a')?.getAttribute('href')).toBe(
        `/console/requests/${requestId}`,
      );
      const transactions = [
        { transaction_id: id, transaction_date: '2026-02-01', amount: 1, type: 'CHARGE' },
      ];
      const stored = await service.post('transactions/create/', world.token, { ...world.ref, transactions });
      expect(stored.status).toBe(201);
      const number = world.ref.external_account_number;
      expect(rowsOf(await findItem(id)).map(([found, account]) => [found, account])).toEqual([
        ['Rejected transactions: 400 validation_error', number],
        ['Transaction', number],
      ]);
    }
    const [id] = await refuse(world, unique('request'));
    const { supplier, ref } = world;
    const erase = ['accounts', 'erase', supplier, ref.external_account_number, '--reason', 'test'];
    expect(await runJson(service.database, erase)).toMatchObject({ exitCode: 0 });
    expect((await findItem(id)).text).toContain('No transaction and no statement has this id.');
  });

  it('are seen and found only by the organisation that sent them, and by operators (A8, C9)', async () => {
    const world = await service.given.importedAccount();
    const other = await service.given.organisation();
    await service.given.grant(world.supplier, other.organisationId);
    const requestId = unique('request');
    const [good, bad] = await refuse(world, requestId);
    const client = async (organisationId: string): Promise<ConsoleClient> =>
      adminOf(service, { organisationId });
    const [own, stranger] = [await client(world.organisationId), await client(other.organisationId)];
    expect((await findItem(bad, own)).html).toContain(requestId);
    expect((await own.get(accountAddress(world.ref))).html).toContain(bad);
    for (const id of [good, bad]) {
      const { html, text } = await findItem(id, stranger);
      expect(text).toContain('No transaction and no statement has this id.');
      expect(html).not.toContain(requestId);
    }
    const { html, text } = await stranger.get(accountAddress(world.ref));
    expect(text).toContain('another organisation');
    for (const hidden of [good, bad, 'CHARG', '1,5', requestId]) expect(html).not.toContain(hidden);
  });
});
