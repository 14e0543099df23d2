import { runJson } from '../support/cli.js';
import { issuePlatformKey } from '../support/platform-key.js';
import { installClient, type InstalledClient } from '../support/installed-client.js';
import { startService, type TestService, type World } from '../support/service.js';
import { stored, TakingOver } from '../support/taking-over.js';

let client: InstalledClient;
let service: TestService;
let apiKey: string;
let world: World;
let copy: TakingOver;

beforeAll(async () => {
  [client, service] = await Promise.all([installClient(), startService()]);
  apiKey = await issuePlatformKey(service.database);
});
afterAll(() => Promise.all([client.remove(), service.stop()]));
beforeEach(async () => {
  world = await service.given.supplier();
});
afterEach(() => copy.stop());

const takeOver = (): Promise<TakingOver> =>
  TakingOver.start(client, {
    baseUrl: service.baseUrl,
    apiKey,
    supplier: world.supplier,
    reader: world.supplier,
  });

/** Expect that the copy equals the service's data once everything is numbered and applied. */
async function expectCopied(): Promise<void> {
  await copy.untilAtNewest(service.database, world.supplier);
  expect((await copy.copy()).sort()).toEqual((await stored(service.database, world.supplier)).sort());
}

describe('after numbers were lost, and an epoch has begun', () => {
  let number: string;
  beforeEach(async () => {
    const account = await service.given.importedAccount({ world });
    number = account.ref.external_account_number;
    await add('S-1');
    copy = await takeOver();
    await expectCopied();
  });

  async function add(statementId: string): Promise<void> {
    const period = { bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31' };
    const reply = await service.post('historical-statements/create/', world.token, {
      ...{ import_supplier: world.supplier, external_account_number: number },
      statements: [{ statement_id: statementId, ...period }],
    });
    expect(reply.status).toBe(201);
  }

  /** Reset the feed, like a server that has lost its last transactions. */
  async function lose(sequence: number, ...changed: string[]): Promise<void> {
    await service.database.sql(
      [
        'BEGIN',
        ...changed,
        `DELETE FROM feed_change USING import_supplier s
          WHERE s.id = import_supplier_id AND s.code = '${world.supplier}' AND sequence > ${sequence}`,
        `UPDATE feed SET last_sequence = ${sequence}
           FROM import_supplier s WHERE s.id = import_supplier_id AND s.code = '${world.supplier}'`,
        'COMMIT',
      ].join(';\n'),
    );
    const { exitCode } = await runJson(service.database, [
      'feed',
      'new-epoch',
      '--supplier',
      world.supplier,
      '--reason',
      'test',
    ]);
    expect(exitCode).toBe(0);
  }

  it('it removes changes that may never have happened, and continues (E7)', async () => {
    const kept = await copy.sequence();
    await add('S-2');
    await expectCopied();
    await lose(
      kept,
      "DELETE FROM statement WHERE statement_id = 'S-2'",
      'DELETE FROM import_request r WHERE NOT EXISTS (SELECT FROM statement s WHERE s.import_request_id = r.id)',
    );
    await add('S-3');
    await expectCopied();
    expect((await copy.copy()).join('\n')).toMatch(/ S-1 .* S-3 /s);
  });

  it('it reads changes again that a lost undo had removed (E7)', async () => {
    const operator = (...args: string[]): Promise<unknown> => runJson(service.database, args);
    await service.database.sql(
      'CREATE TABLE kept AS SELECT * FROM statement WHERE external_account_number = $1',
      [number],
    );
    await operator('supplier', 'set', world.supplier, '--status', 'paused');
    await copy.untilAtNewest(service.database, world.supplier);
    const kept = await copy.sequence();
    await operator('imports', 'undo', world.supplier, '--account', number, '--yes', '--reason', 'test');
    await expectCopied();
    expect(await copy.copy()).toHaveLength(1);
    await lose(
      kept,
      'INSERT INTO statement SELECT * FROM kept',
      'UPDATE import_request SET undone_at = NULL',
    );
    await expectCopied();
    expect(await copy.copy()).toHaveLength(2);
  });
});
