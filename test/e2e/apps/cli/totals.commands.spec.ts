import { runCommand, runJson, refusedWith } from '../../../support/cli.js';
import { setUp } from '../../../support/set-up.js';
import { sharedService } from '../../../support/shared-service.js';

describe('data-import totals check', () => {
  const service = setUp(sharedService);

  const check = (code: string, ...options: string[]): ReturnType<typeof runJson> =>
    runJson(service.database, ['totals', 'check', code, ...options]);

  it('compares the totals with the rows, and replaces them on request, despite pending changes (O10)', async () => {
    const { supplier, token, ref } = await service.given.importedAccount();
    const transactions = [
      { transaction_id: 't', transaction_date: '2026-01-15', amount: 1.25, type: 'CHARGE' },
    ];
    await service.post('transactions/create/', token, { ...ref, transactions });
    const rows = {
      ...{ requests: 1, notes: 0, transactions: 1, statements: 0, payment_instructions: 0, amount: '1.25' },
      ...{ pending: 0, imported: 1, failed: 0, loaded_accounts: 1 },
    };
    const right = { import_supplier: supplier, agrees: true, totals: rows, rows, repaired: false };
    expect(await check(supplier)).toMatchObject({ exitCode: 0, json: right });
    await runJson(service.database, ['migration', 'status', supplier]);
    expect(await check(supplier)).toMatchObject({ exitCode: 0, json: right });

    const spoil = `UPDATE supplier_total t SET loaded_accounts = 7, notes = -1, amount = 3
                     FROM import_supplier s WHERE s.id = t.import_supplier_id AND s.code = $1`;
    await service.database.sql(spoil, [supplier]);
    // This change is pending and counted on both sides.
    await service.post('notes/create/', token, { ...ref, notes: [{ body: 'One' }] });
    const withNote = { ...rows, requests: 2, notes: 1 };
    const wrong = { ...withNote, loaded_accounts: 7, notes: 0, amount: '3.00' };
    expect(await check(supplier)).toMatchObject({
      exitCode: 1,
      json: { agrees: false, totals: wrong, rows: withNote },
    });
    const shown = await runCommand(service.database, ['totals', 'check', supplier]);
    expect(shown.stdout).toMatch(/^loaded accounts +7 +1 +differs$/m);
    expect(await check(supplier, '--repair')).toMatchObject({
      exitCode: 0,
      json: { agrees: false, totals: wrong, rows: withNote, repaired: true },
    });
    expect(await check(supplier)).toMatchObject({
      exitCode: 0,
      json: { agrees: true, totals: withNote, rows: withNote },
    });
    expect(await check(supplier, '--repair')).toMatchObject({ json: { agrees: true, repaired: false } });
    const recorded = await runJson(service.database, ['audit', 'list', '--supplier', supplier]);
    expect(recorded.json).toMatchObject([
      { action: 'totals.repair', subject: supplier, details: { from: wrong, to: withNote } },
    ]);
    expect(await check('NOBODY')).toMatchObject(refusedWith('supplier_not_found'));
  });
});
