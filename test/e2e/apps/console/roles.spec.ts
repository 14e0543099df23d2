import { consoleRoutes } from '../../../../scripts/console-routes.mjs';
import { ConsoleModule } from '../../../../src/apps/console/console.module.js';
import { For, VISITORS } from '../../../../src/apps/console/signed-in/session.guard.js';
import { adminOf, ConsoleClient, formOf, signInAsOperator, tokenIn } from '../../../support/console.js';
import { providerSettings, signInAsPerson, startProvider } from '../../../support/identity-provider.js';
import { startService, type World } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';

const provider = setUp(startProvider);
const service = setUp(() => startService(providerSettings(provider.issuer)));
const routes = consoleRoutes({ ConsoleModule, For });

/** A client of each role at a supplier. */
const CLIENTS: Readonly<Record<string, (world: World) => Promise<ConsoleClient>>> = {
  visitor: () => Promise.resolve(new ConsoleClient(service.baseUrl)),
  operator: () => signInAsOperator(service),
  viewer: () => signInAsPerson(service, { sub: 'viewer', groups: ['viewers'] }),
  admin: (world) => adminOf(service, world),
};

it('every route of the console declares roles that there are (C1)', () => {
  expect(routes.length).toBeGreaterThan(35);
  for (const { address, roles } of routes) {
    expect({ address, isDeclared: roles.length > 0 }).toEqual({ address, isDeclared: true });
    expect(VISITORS).toEqual(expect.arrayContaining(roles));
  }
});

it('only operators may send a form, but for those about the own session and browser (C1, C3)', () => {
  const others = routes.filter(({ isForm, roles }) => isForm && roles.join() !== 'operator');
  expect(others.map(({ address }) => address).sort()).toEqual([
    '/console/sign-in',
    '/console/sign-in/:code',
    '/console/sign-out',
  ]);
});

it.each(Object.keys(CLIENTS))(
  'a route that is not for a %s does not exist for one (C1, C3)',
  async (role) => {
    const { supplier, ...world } = await service.given.importedAccount();
    const client = await CLIENTS[role]!({ supplier, ...world });
    const _csrf = tokenIn(await client.get(role === 'visitor' ? '/console/sign-in' : '/console/'));
    for (const { address, isForm, roles } of routes) {
      if (roles.includes(role)) continue;
      const path = address.replace('suppliers/:code', `suppliers/${supplier}`);
      const page = await (isForm ? client.send(path, formOf({ _csrf })) : client.get(path));
      expect({ address, status: page.status }).toEqual({ address, status: role === 'visitor' ? 303 : 404 });
    }
  },
);
