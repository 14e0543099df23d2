import { runCommand, runJson, refusedWith } from '../../../support/cli.js';
import { setUp } from '../../../support/set-up.js';
import { sharedService } from '../../../support/shared-service.js';
import { idOf } from '../../../support/suppliers.js';

const KEY = '01a20fa7-d5e2-78a9-836f-2c5b8f71f568';

describe('data-import feed', () => {
  const service = setUp(sharedService);

  const feed = (...args: string[]): ReturnType<typeof runJson> =>
    runJson(service.database, ['feed', ...args]);
  const read = (code: string, name: string, sequence: number): Promise<unknown> =>
    service.database.sql(
      `INSERT INTO feed_reader (import_supplier_id, name, platform_key_id, sequence)
       SELECT id, $2, '${KEY}', $3 FROM import_supplier WHERE code = $1`,
      [code, name, sequence],
    );
  const recorded = async (code: string): Promise<unknown> =>
    (await runJson(service.database, ['audit', 'list', '--supplier', code])).json;

  it('status numbers pending changes, and shows the newest one and how far each reader is behind (E6)', async () => {
    const { supplier, token, ref } = await service.given.importedAccount();
    const id = await idOf(service.database, supplier);
    await service.post('notes/create/', token, { ...ref, notes: [{ body: 'One' }] });
    await service.post('notes/create/', token, { ...ref, notes: [{ body: 'Two' }] });
    await service.database.sql(`UPDATE supplier_change SET at = '2026-01-01' WHERE import_supplier_id = $1`, [
      id,
    ]);
    expect(await feed('status', supplier)).toMatchObject({
      exitCode: 0,
      json: {
        import_supplier: supplier,
        sequence: 3,
        epoch: { number: 1, reason: 'the first one' },
        readers: [],
      },
    });
    await read(supplier, 'billing', 2);
    await read(supplier, 'care', 3);
    const { json } = (await feed('status', supplier)) as { json: { readers: { lag_seconds: number }[] } };
    expect(json.readers).toMatchObject([
      { name: 'billing', platform_key_id: KEY, sequence: 2, lag_changes: 1 },
      { name: 'care', sequence: 3, lag_changes: 0, lag_seconds: 0 },
    ]);
    expect(json.readers[0]!.lag_seconds).toBeGreaterThanOrEqual(3_600);
    // An erased change has no time, so that of the next one counts.
    await service.database.sql(
      `UPDATE feed_change SET at = NULL, external_account_number = NULL, import_request_id = NULL
        WHERE import_supplier_id = $1 AND sequence = 3`,
      [id],
    );
    expect(((await feed('status', supplier)) as { json: typeof json }).json.readers[0]).toMatchObject({
      lag_changes: 1,
      lag_seconds: 0,
    });
    const { stdout } = await runCommand(service.database, ['feed', 'status', supplier]);
    expect(stdout).toMatch(/^billing +[\da-f-]{36} +2 +1 +0 /m);
    expect(stdout).toMatch(/^newest change, epoch 1 +3/m);
  });

  it('status of a supplier without a change is 0 (E6)', async () => {
    const { supplier } = await service.given.supplier();
    expect(await feed('status', supplier)).toMatchObject({
      json: { sequence: 0, epoch: { number: 1 }, readers: [] },
    });
    expect(await feed('status', 'NOBODY')).toMatchObject(refusedWith('supplier_not_found'));
  });

  it('forget removes a reader of one supplier or of all, and records it (E6)', async () => {
    const [one, other] = [await service.given.supplier(), await service.given.supplier()];
    for (const { supplier } of [one, other]) {
      await feed('status', supplier);
      await read(supplier, 'gone', 0);
      await read(supplier, 'here', 0);
    }
    expect(await feed('forget', 'gone', '--supplier', one.supplier)).toMatchObject({
      json: { reader: 'gone', suppliers: [one.supplier] },
    });
    expect(await feed('forget', 'gone')).toMatchObject({ json: { suppliers: [other.supplier] } });
    expect(await feed('forget', 'gone')).toMatchObject(refusedWith('reader_not_found'));
    expect(await feed('status', other.supplier)).toMatchObject({ json: { readers: [{ name: 'here' }] } });
    expect(await recorded(one.supplier)).toMatchObject([
      { action: 'feed.forget_reader', subject: 'gone', details: { sequence: 0 } },
    ]);
  });

  it('new-epoch begins an epoch after the newest change, and records the reason (E7)', async () => {
    const { supplier, token, ref } = await service.given.importedAccount();
    await service.post('notes/create/', token, { ...ref, notes: [{ body: 'One' }] });
    await feed('status', supplier);
    const args = ['new-epoch', '--supplier', supplier, '--reason', 'a dump was restored'];
    expect(await feed(...args)).toMatchObject({ exitCode: 0, json: { suppliers: [supplier] } });
    expect(await feed('status', supplier)).toMatchObject({
      json: { sequence: 2, epoch: { number: 2, reason: 'a dump was restored' } },
    });
    const epochs = await service.database.sql(
      'SELECT number, continues_after::integer FROM feed_epoch WHERE import_supplier_id = $1 ORDER BY number',
      [await idOf(service.database, supplier)],
    );
    expect(epochs).toEqual([
      { number: 1, continues_after: 0 },
      { number: 2, continues_after: 2 },
    ]);
    expect(await recorded(supplier)).toMatchObject([
      { action: 'feed.new_epoch', subject: supplier, details: { reason: 'a dump was restored' } },
    ]);
    expect(await feed('new-epoch', '--reason', ' ')).toMatchObject({ exitCode: 2 });
  });
});
