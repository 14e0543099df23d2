import { TotalsService } from '../../src/totals/totals.service.js';
import { TestBrowser } from '../support/browser.js';
import { signInAsOperator } from '../support/console.js';
import { startService, type TestService } from '../support/service.js';
import { SupplierOperations } from '../support/supplier-operations.js';

let service: TestService;
let browser: TestBrowser;
beforeAll(async () => {
  service = await startService({ CONSOLE: 'on' });
  browser = await TestBrowser.launch();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

it.each([true, false])(
  'a supplier with a pending account is completed only with its code typed and a reason; JavaScript: %s (C8, C13)',
  async (javaScript) => {
    const world = await service.given.supplier();
    await new SupplierOperations(service, world).stage(['1']);
    const [supplier] = await service.database.sql<{ id: number }>(
      'SELECT id FROM import_supplier WHERE code = $1',
      [world.supplier],
    );
    await service.app.get(TotalsService, { strict: false }).carryOver(supplier!.id);
    const { page, problems } = await browser.open(service.baseUrl, {
      as: await signInAsOperator(service),
      javaScript,
    });
    await page.goto(`/console/suppliers/${world.supplier}/settings`);
    await page.getByRole('link', { name: 'Complete …' }).click();
    expect(await page.getByRole('listitem').filter({ hasText: 'pending' }).textContent()).toBe(
      '1 account is pending',
    );
    await page.getByLabel('Type the supplier’s code').fill('other');
    await page.getByLabel('Reason').fill('The account is void');
    await page.getByRole('button', { name: 'Complete anyway' }).click();
    expect(await page.getByRole('alert').textContent()).toContain(`Type the code ${world.supplier}`);
    expect(await page.getByLabel('Reason').inputValue()).toBe('The account is void');
    await page.getByLabel('Type the supplier’s code').fill(world.supplier);
    await page.getByRole('button', { name: 'Complete anyway' }).click();
    expect(await page.getByRole('status').textContent()).toBe('The supplier is complete now.');
    const refused = 'Failed to load resource: the server responded with a status of 400 (Bad Request)';
    expect(problems.filter((problem) => problem !== refused)).toEqual([]);
    await page.context().close();
  },
);
