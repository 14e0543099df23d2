import { runJson } from '../../../support/cli.js';
import { signInAsOperator } from '../../../support/console.js';
import { startService, unique } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';

const service = setUp(() => startService({ CONSOLE: 'on' }));

describe('a view that began on another site', () => {
  it('is recorded as such: of an account, and of a download (C1, O6)', async () => {
    const { ref, supplier: code } = await service.given.importedAccount();
    const operator = unique('operator');
    const client = await signInAsOperator(service, operator);
    const supplier = `/console/suppliers/${code}`;
    const sites = ['cross-site', 'same-site', 'same-origin', 'none', undefined];
    for (const path of [
      `${supplier}/accounts/${ref.external_account_number}`,
      `${supplier}/failures/refusals.csv`,
    ]) {
      for (const site of sites) {
        const page = await client.get(path, site === undefined ? {} : { 'sec-fetch-site': site });
        expect(page.status).toBe(200);
      }
    }
    const listed = await runJson(service.database, ['audit', 'list', '--views', '--supplier', code]);
    const views = (listed.json as { action: string; operator: string; details: object }[]).toReversed();
    const details = { count: sites.length, from_other_sites: 2 };
    expect(views).toMatchObject([
      { action: 'account.view', operator, details },
      { action: 'failures.download', operator, details },
    ]);
  });
});
