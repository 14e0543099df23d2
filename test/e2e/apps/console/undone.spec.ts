import { runJson } from '../../../support/cli.js';
import { rowsOf, signInAsOperator, adminOf } from '../../../support/console.js';
import { startService, unique } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';

const service = setUp(() => startService({ CONSOLE: 'on' }));
const operator = setUp(() => signInAsOperator(service));

const collapsed = ({ textContent }: { textContent: string }): string =>
  textContent.replaceAll(/\s+/g, ' ').trim();

describe('an import request that was undone', () => {
  it('is marked in the requests, the history of its account and the search results, and counted nowhere (V7, C2, C5)', async () => {
    const given = await service.given.importedAccount();
    const { ref, token, supplier } = given;
    const [wrong, right] = [unique('wrong'), unique('right')];
    for (const [id, bodies] of [
      [wrong, ['a', 'b']],
      [right, ['b', 'c']],
    ] as const) {
      const notes = bodies.map((body) => ({ body }));
      const reply = await service.post('notes/create/', token, { ...ref, notes }, { 'x-request-id': id });
      expect(reply.status).toBe(201);
    }
    await runJson(service.database, ['supplier', 'set', supplier, '--status', 'paused']);
    const undone = await runJson(service.database, ['imports', 'undo', supplier, wrong, '--reason', 'test']);
    expect(undone).toMatchObject({ exitCode: 0, json: { requests: 1, rows: { notes: 2 } } });
    await runJson(service.database, ['migration', 'status', supplier]);

    const admin = await adminOf(service, given);
    for (const client of [operator, admin]) {
      const listed = rowsOf(await client.get(`/console/requests?supplier=${supplier}`));
      expect(listed.map(([, outcome]) => outcome)).toEqual([
        'partly stored',
        expect.stringMatching(/^stored undone \S.*\d/),
      ]);
      const account = `/console/suppliers/${supplier}/accounts/${ref.external_account_number}`;
      const { document } = await client.get(account);
      const statistics = document.querySelectorAll('#account dl.statistics > div').map(collapsed);
      expect(statistics.slice(0, 2)).toEqual(['Requests1', 'Notes1']);
      const events = document.querySelectorAll('#history li').map(collapsed);
      const ofNotes = events.filter((event) => event.includes('Stored'));
      expect(ofNotes).toEqual([
        expect.stringMatching(/Stored 1 note\b(?!.*undone)/),
        expect.stringMatching(/Stored 2 notes.* undone \S/),
      ]);
      const summary = await client.get(`/console/suppliers/${supplier}`);
      const why = client === operator ? / by .*Reasontest$/ : / by the platform complete/;
      expect(summary.document.querySelectorAll('#attention .timeline li').map(collapsed)).toEqual([
        expect.stringContaining('ongoing → paused'),
        expect.stringMatching(why),
      ]);
      expect(summary.text.includes('Reason')).toBe(client === operator);
      const page = await client.get(`/console/suppliers/${supplier}/activity`);
      expect(page.text).toMatch(/Undo of import requests\b.*complete/);
    }
    // Another request with the same id, so that the search does not lead straight to the account.
    const other = await service.given.importedAccount({ world: given });
    await service.database.sql(
      `INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored)
       SELECT id, $2, uuidv7(), 'notes', uuidv7(), $3, 1 FROM import_supplier WHERE code = $1`,
      [supplier, other.ref.external_account_number, wrong],
    );
    const found = rowsOf(await operator.get(`/console/search?q=${wrong}`)).map((cells) => cells.join(' '));
    expect(found.map((cells) => cells.includes('Request of notes, undone')).sort()).toEqual([false, true]);
  });
});
