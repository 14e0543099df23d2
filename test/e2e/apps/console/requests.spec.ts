import { rowsOf, signInAsOperator, type ConsolePage } from '../../../support/console.js';
import { startService, type World } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { waitUntil } from '../../../support/wait-until.js';

const service = setUp(() => startService({ CONSOLE: 'on' }));
const operator = setUp(() => signInAsOperator(service));

const requests = ({ supplier }: Pick<World, 'supplier'>): Promise<ConsolePage> =>
  operator.get(`/console/requests?supplier=${supplier}`);

async function send({ token }: World, id: string, body: object, query = ''): Promise<number> {
  const reply = await service.post(`notes/create/${query}`, token, body, { 'x-request-id': id });
  return reply.status;
}

describe('the page of the requests', () => {
  it('lists what was stored and what was refused, newest first (C2)', async () => {
    const world = await service.given.importedAccount();
    const { ref } = world;
    const number = ref.external_account_number;
    expect(await send(world, 'first', { ...ref, notes: [{ body: 'a' }, { body: 'b' }] })).toBe(201);
    expect(await send(world, 'second', { ...ref, notes: [{ body: 'b' }, { body: 'c' }] })).toBe(201);
    expect(await send(world, 'third', { ...ref, notes: [{}] }, '?dry_run=true')).toBe(400);
    expect(
      await send(world, 'fourth', { ...ref, external_account_number: 'none', notes: [{ body: 'a' }] }),
    ).toBe(404);
    await waitUntil('the refusals are stored', async () => rowsOf(await requests(world)).length === 4);
    const page = await requests(world);
    const rows = rowsOf(page).map(([, ...cells]) => cells);
    expect(rows).toEqual([
      ['rejected 404 account_not_found', 'notes', '', 'none', 'fourth'],
      [
        expect.stringMatching(/^rejected 400 validation_error \w+ at notes\.0.*\(dry run\)$/),
        ...['notes', '', number, 'third'],
      ],
      ['partly stored', 'notes', '1 of 2', number, 'second'],
      ['stored', 'notes', '2 of 2', number, 'first'],
    ]);
    const links = page.document.querySelectorAll('tbody td a').map((link) => link.getAttribute('href'));
    expect(links.filter((link) => link?.includes('/accounts/'))).toEqual(
      Array.from({ length: 3 }, () => `/console/suppliers/${world.supplier}/accounts/${number}`),
    );
    expect(page.document.querySelector('#requests')?.getAttribute('hx-trigger')).toBe('every 5s');
  });

  it('has the newest 100 of all suppliers together', async () => {
    const worlds = [await service.given.importedAccount(), await service.given.importedAccount()];
    for (const [index, { supplier, ref, apiKeyId }] of worlds.entries()) {
      await service.database.sql(
        `INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored, stored_at)
         SELECT s.id, $2, uuidv7(), 'notes', $3, $4 || n, 1, now() + interval '1 hour' + make_interval(secs => 2 * n + $5)
           FROM import_supplier s, generate_series(1, 120) AS n
          WHERE s.code = $1`,
        [supplier, ref.external_account_number, apiKeyId, `${index}-`, index],
      );
    }
    const all = await operator.get('/console/requests');
    const ids = rowsOf(all).map((cells) => cells.at(-1)!);
    const expected = Array.from({ length: 50 }, (_, n) => [`1-${120 - n}`, `0-${120 - n}`]).flat();
    expect(ids).toEqual(expected);
    const ofOne = await requests(worlds[0]!);
    expect(rowsOf(ofOne)[0]?.slice(3)).toEqual(['', worlds[0]!.ref.external_account_number, '0-120']);
    const hasSuppliers = (page: ConsolePage): boolean =>
      page.document.querySelectorAll('th').some(({ textContent }) => textContent === 'Supplier');
    expect([all, ofOne].map(hasSuppliers)).toEqual([true, false]);
  });

  it('scans 20,000 requests per page, however few match the filter, and then continues (C11)', async () => {
    const { supplier, ref, apiKeyId } = await service.given.importedAccount();
    await service.database.sql(
      `INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored, stored_at)
       SELECT s.id, $2, uuidv7(), CASE WHEN n IN (10, 20003) THEN 'transactions' ELSE 'notes' END, $3, 'n' || n, 1,
              now() - make_interval(secs => n / 10)
         FROM import_supplier s, generate_series(1, 20010) AS n
        WHERE s.code = $1`,
      [supplier, ref.external_account_number, apiKeyId],
    );
    const ids = (page: ConsolePage): string[] => rowsOf(page).map((cells) => cells.at(-1)!);
    const first = await operator.get(`/console/requests?supplier=${supplier}&kind=transactions`);
    expect(ids(first)).toEqual(['n10']);
    expect(first.text).toContain('were searched;');
    const older = first.document.querySelector('a[rel=next]')!.getAttribute('href')!.replaceAll('&amp;', '&');
    const second = await operator.get(older);
    expect(ids(second)).toEqual(['n20003']);
    expect(second.text).not.toContain('were searched;');
    expect(second.document.querySelector('a[rel=next]')).toBeNull();
    // Without a filter, or with one that excludes a whole part, the page fills immediately.
    expect(ids(await operator.get(`/console/requests?supplier=${supplier}&outcome=stored`))).toHaveLength(
      100,
    );
  });

  it('of a supplier has the supplier’s navigation, name and breadcrumbs (C2)', async () => {
    const world = await service.given.supplier({ name: 'Northern Gas' });
    const page = await requests(world);
    expect(page.document.querySelector('title')?.textContent).toBe('Requests – Northern Gas – data-import');
    expect(page.document.querySelector('nav.supplier-parts [aria-current]')?.textContent).toBe('Requests');
    expect(page.document.querySelectorAll('nav.breadcrumbs a').map(({ textContent }) => textContent)).toEqual(
      [...['Overview', 'Northern Gas']],
    );
  });
});
