import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import { accounts, LoaderWorld, ndjson, transaction } from './support/loader.js';

const service = setUp(sharedService);

describe('status', () => {
  it('lists all runs, one a line, with what each has settled (L13)', async () => {
    const [account = ''] = accounts(1);
    const world = await LoaderWorld.create(service, [account], {
      'transactions.ndjson': [
        transaction(account, 'L-1', { type: 'FEE' }),
        transaction(account, 'L-2', { type: 'FEE' }),
        transaction(account, 'L-3'),
        transaction(account, 'L-3'),
      ],
    });
    expect((await world.run('status')).stdout).not.toContain('begun');
    const runs = [(await world.json('load', ['--max-errors', '0', '--items-per-request', '2'])).result.run];
    runs.push((await world.json('load')).result.run);
    writeFileSync(
      join(world.folder, 'failures', 'transactions.ndjson'),
      ndjson([transaction(account, 'L-1'), transaction(account, 'L-2', { type: 'FOO' })]),
    );
    runs.push((await world.json('retry')).result.run);
    await world.run('load', ['--dry-run']);

    const { result } = await world.json('status');
    const target = { supplier: world.world.supplier, base_url: service.baseUrl };
    const at = expect.stringMatching(/^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string;
    expect(result).toMatchObject({
      runs: [
        { run: runs[0], command: 'load', at, loaded: 0, already: 0, failed: 2, ...target },
        { run: runs[1], command: 'load', at, loaded: 1, already: 1, failed: 0, ...target },
        { run: runs[2], command: 'retry', at, loaded: 1, already: 0, failed: 1, ...target },
      ],
      loaded: 2,
      already: 1,
      failed: 1,
    });
    const lines = (await world.run('status')).stdout.split('\n');
    expect(lines.filter((line) => runs.some((run) => line.startsWith(run ?? '-')))).toEqual([
      expect.stringMatching(/ load +2\S+Z +0 +0 +2 +SUPPLIER/),
      expect.stringMatching(/ load +2\S+Z +1 +1 +0 +SUPPLIER/),
      expect.stringMatching(/ retry +2\S+Z +1 +0 +1 +SUPPLIER/),
    ]);
  });
});
