// npm run tables: write .env.example, and the tables of docs/ that come from the code.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleRoutes } from './console-routes.mjs';
import { generatedDocs } from './generated-docs.mjs';
import { ROOT, prepare } from './prepare.mjs';

prepare((sentence) => process.stderr.write(`${sentence}\n`));
const source = await Promise.all(
  [
    'infrastructure/config/settings',
    'infrastructure/config/vendors',
    'infrastructure/database/migrations/catalogue-seed',
    'apps/console/common/addresses',
    'apps/console/console.module',
    'apps/console/signed-in/session.guard',
  ].map((name) => import(`../dist/src/${name}.js`)),
);
const values = Object.assign({}, ...source);
const routes = consoleRoutes(values);
const read = (path) => readFileSync(join(ROOT, path), 'utf8');
for (const { path, text } of generatedDocs({ ...values, routes }, read))
  writeFileSync(join(ROOT, path), text);
