// npm run settings: write all settings to .env.example and to the table of docs/operating/settings.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, prepare } from './prepare.mjs';

prepare((sentence) => process.stderr.write(`${sentence}\n`));
const { envExample, withSettingsTable } =
  await import('../dist/src/infrastructure/config/describe-settings.js');

writeFileSync(join(ROOT, '.env.example'), envExample());
const page = join(ROOT, 'docs', 'operating', 'settings.md');
writeFileSync(page, withSettingsTable(readFileSync(page, 'utf8')));
