import { expectNothingLost, ImportLoad } from '../support/import-load.js';
import { runScenario } from '../support/reliability/run-scenario.js';
import { EVERY_PROCESS } from '../support/reliability/scenarios.js';
import { EmbeddedSite } from '../support/reliability/sites.js';

it('an import request that is repeated until it is answered is stored once, complete and unchanged, whichever process is killed meanwhile, and a service that is killed leaves no worker behind (section 6)', async () => {
  const options = { seed: 1, callers: 4, requestsBetween: 8, isOver: () => true };
  process.stdout.write(`${expectNothingLost(await runScenario(EVERY_PROCESS, options))}\n`);
}, 300_000);

describe('the count of items', () => {
  let site: EmbeddedSite;
  beforeAll(async () => {
    site = await EmbeddedSite.start(undefined, 1);
  });
  afterAll(() => site.stop());

  /** Settings that PostgreSQL's administrator may make, in force for all connections. */
  const configure = async (settings: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, value] of Object.entries(settings)) {
      await site.database.sql(`ALTER SYSTEM SET ${name} = '${value}'`);
    }
    await site.database.sql('SELECT pg_reload_conf()');
  };

  it('tells what is lost when a database answers before it has written', async () => {
    const load = await ImportLoad.start(site.connect, site.database, 6);
    await configure({
      wal_writer_delay: '10s',
      wal_writer_flush_after: '1GB',
      synchronous_commit: 'off',
    });
    await load.more(60);
    await site.signalPostgres('SIGKILL');
    await load.moreFailures(1);
    await configure({ synchronous_commit: 'on' });
    const result = await load.stop(site.database);
    expect(result).toMatchObject({ unanswered: 0, doubled: 0, unknown: 0 });
    expect(result.lost).toBeGreaterThan(0);
    expect(result.stored).toBe(result.acknowledged - result.lost);
    expect(() => expectNothingLost(result)).toThrow(`${result.lost} lost, 0 doubled`);
  });

  it('tells what is stored twice when the database has no unique index', async () => {
    for (const table of ['statement', 'transaction', 'payment_instruction']) {
      await site.database.sql(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey`);
    }
    const load = await ImportLoad.start(site.connect, site.database, 6);
    await load.more(60);
    const result = await load.stop(site.database);
    expect(result).toMatchObject({ unanswered: 0, lost: 0, unknown: 0 });
    expect(result.doubled).toBeGreaterThan(0);
    expect(result.stored).toBe(result.acknowledged + result.doubled);
    expect(() => expectNothingLost(result)).toThrow(`0 lost, ${result.doubled} doubled`);
  });
});
