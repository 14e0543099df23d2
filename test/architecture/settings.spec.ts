import { readFile } from 'node:fs/promises';
import { envExample, withSettingsTable } from '../../src/infrastructure/config/describe-settings.js';
import { readEnvironment } from '../../src/infrastructure/config/env.js';
import { SETTINGS } from '../../src/infrastructure/config/settings.js';

it('.env.example shows every setting (update it with: npm run settings)', async () => {
  expect(await readFile('.env.example', 'utf8')).toBe(envExample());
});

it('docs/operating/settings.md shows every setting (update it with: npm run settings)', async () => {
  const page = await readFile('docs/operating/settings.md', 'utf8');
  expect(page).toBe(withSettingsTable(page));
});

it('the example with every line uncommented gives the defaults', () => {
  const lines = envExample().matchAll(/^# ([A-Z_]+)=(.*)$/gm);
  const variables: Record<string, string> = {};
  for (const [, name = '', value = ''] of lines) variables[name] = value;
  expect(Object.keys(variables)).toEqual(Object.keys(SETTINGS));
  expect(readEnvironment(variables)).toEqual(readEnvironment({}));
});
