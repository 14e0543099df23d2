import { readFileSync } from 'node:fs';
import { AUDIT_ACTIONS } from '../../src/infrastructure/audit/audit.types.js';

it('docs/operating/audit.md has every action that is recorded of a change, and no other (O6)', () => {
  const [, changes = ''] = readFileSync('docs/operating/audit.md', 'utf8').split(/^## /m);
  const rows = changes.split('\n').filter((line) => line.startsWith('| `'));
  const described = rows.flatMap((row) => row.split('|')[1]!.match(/\w+\.\w+/g) ?? []);
  expect(described.sort()).toEqual(AUDIT_ACTIONS.toSorted());
});
