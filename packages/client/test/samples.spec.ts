import { readFile } from 'node:fs/promises';
import { samplesIn } from '../../../test/support/docs-samples.js';
import { issuePlatformKey } from '../../../test/support/platform-key.js';
import { startService } from '../../../test/support/service.js';
import { PlatformClient } from '../src/platform.js';
import { givenClient } from './support/client.js';
import { setUp } from '../../../test/support/set-up.js';

type Program = (client: object, console: { log: (...values: unknown[]) => void }) => Promise<void>;
const AsyncFunction = (async () => {
  await Promise.resolve();
}).constructor as new (...texts: string[]) => Program;

/** The operations of a document, in the order of the document and its page. */
async function operationsOf(name: string): Promise<string[]> {
  const { paths } = JSON.parse(await readFile(`contract/${name}`, 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  return Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
}

describe('the samples below /docs/', () => {
  const service = setUp(startService);

  /** Run a sample. @param most lines after which it is stopped @returns the printed lines */
  async function run(page: string, operationId: string, client: object, most = Infinity): Promise<unknown[]> {
    const html = await (await fetch(`${service.baseUrl}/docs/${page}`)).text();
    const program = new AsyncFunction(
      'client',
      'console',
      samplesIn(html, operationId).get('Client') ?? 'none',
    );
    const printed: unknown[] = [];
    const enough = new Error('That is enough.');
    const log = (...values: unknown[]): void => {
      printed.push(values.length > 1 ? values : values[0]);
      if (printed.length >= most) throw enough;
    };
    await program(client, { log }).catch((error: unknown) => {
      if (error !== enough) throw error;
    });
    return printed;
  }

  it('work with the client, in order (O2)', async () => {
    const owner = await service.given.supplier();
    await service.database.sql(`UPDATE import_supplier SET code = 'ACME' WHERE code = $1`, [owner.supplier]);
    const period = { from: '2026-11-01', to: '2026-11-30' };
    const world = { ...owner, supplier: 'ACME' };
    await service.given.importedAccount({ ...period, number: '1001', world });
    await service.given.stagedAccount(world, '1002');
    const { client } = await givenClient(service, owner.organisationId);

    const printed = new Map<string, unknown[]>();
    for (const id of await operationsOf('openapi.json')) printed.set(id, await run('', id, client));
    expect([...printed].filter(([, values]) => values.length === 0)).toEqual([]);
    expect(printed.get('listAllAccountImportProcesses')).toHaveLength(2);
    expect(printed.get('createTransactions')?.[0]).toHaveLength(2);
    expect(printed.get('getAccountContent')).toMatchObject([
      { notes: { count: 2 }, transactions: { count: 2 }, historical_statements: { count: 1 } },
    ]);

    const apiKey = await issuePlatformKey(service.database);
    const platform = new PlatformClient({ baseUrl: service.baseUrl, apiKey });
    expect(await run('feed/', 'listImportSuppliers', platform)).toMatchObject([[{ code: 'ACME' }]]);
    expect(await run('feed/', 'listChanges', platform, 2)).toMatchObject([
      ['account.imported', expect.stringMatching(/-0{18}1$/)],
      ['notes.added', expect.stringMatching(/-0{18}2$/)],
    ]);
    platform.close();
    client.close();
  });
});
