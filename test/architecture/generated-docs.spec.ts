import { readFileSync } from 'node:fs';
import { consoleRoutes } from '../../scripts/console-routes.mjs';
import { generatedDocs } from '../../scripts/generated-docs.mjs';
import { NAVIGATION } from '../../src/apps/console/common/addresses.js';
import { ConsoleModule } from '../../src/apps/console/console.module.js';
import { For } from '../../src/apps/console/signed-in/session.guard.js';
import { readEnvironment } from '../../src/infrastructure/config/env.js';
import { PARTS, SETTINGS } from '../../src/infrastructure/config/settings.js';
import { VENDORS } from '../../src/infrastructure/config/vendors.js';
import { CATALOGUE_SEED } from '../../src/infrastructure/database/migrations/catalogue-seed.js';

const read = (path: string): string => readFileSync(path, 'utf8');
const routes = consoleRoutes({ ConsoleModule, For });
const generated = generatedDocs({ PARTS, CATALOGUE_SEED, VENDORS, NAVIGATION, routes }, read);

it.each(generated)('$path has what the code says (update it with: npm run tables)', ({ path, text }) => {
  expect(read(path)).toBe(text);
});

it('the example with every line uncommented gives the defaults', () => {
  const lines = read('.env.example').matchAll(/^# ([A-Z_]+)=(.*)$/gm);
  const variables: Record<string, string> = {};
  for (const [, name = '', value = ''] of lines) variables[name] = value;
  expect(Object.keys(variables)).toEqual(Object.keys(SETTINGS));
  expect(readEnvironment(variables)).toEqual(readEnvironment({}));
});
