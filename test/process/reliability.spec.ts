import { expectNothingLost, ImportLoad } from '../support/import-load.js';
import { runScenario } from '../support/reliability/run-scenario.js';
import { EVERY_PROCESS } from '../support/reliability/scenarios.js';
import { startService } from '../support/service.js';
import { setUp } from '../support/set-up.js';

it('an import request that is retried until it is answered is stored once, complete and unchanged, whichever process is killed meanwhile (section 6)', async () => {
  const options = { seed: 1, callers: 4, requestsBetween: 8, isOver: () => true };
  process.stdout.write(`${expectNothingLost(await runScenario(EVERY_PROCESS, options))}\n`);
}, 600_000);

describe('the count of items', () => {
  const service = setUp(startService);

  it('detects lost items', async () => {
    const { baseUrl, database } = service;
    const load = await ImportLoad.start(baseUrl, database, 6);
    await load.more(60);
    await database.sql('DELETE FROM statement');
    const result = await load.stop(database);
    expect(result).toMatchObject({ unanswered: 0, doubled: 0, unknown: 0 });
    expect(result.lost).toBeGreaterThan(0);
    expect(result.stored).toBe(result.acknowledged - result.lost);
    expect(() => expectNothingLost(result)).toThrow(`${result.lost} lost, 0 doubled`);
  });

  it('detects duplicates when the database has no unique index', async () => {
    const { baseUrl, database } = service;
    for (const table of ['statement', 'transaction', 'payment_instruction']) {
      await database.sql(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey`);
    }
    const load = await ImportLoad.start(baseUrl, database, 6);
    await load.more(60);
    const result = await load.stop(database);
    expect(result).toMatchObject({ unanswered: 0, lost: 0, unknown: 0 });
    expect(result.doubled).toBeGreaterThan(0);
    expect(result.stored).toBe(result.acknowledged + result.doubled);
    expect(() => expectNothingLost(result)).toThrow(`0 lost, ${result.doubled} doubled`);
  });
});
