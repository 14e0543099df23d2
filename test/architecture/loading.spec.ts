import { readFile } from 'node:fs/promises';
import { createDatabase } from '../support/database.js';
import { inBlock } from '../support/set-up.js';

it('docs/loading.md names every value that the catalogues begin with (X3)', async () => {
  const page = await readFile('docs/loading.md', 'utf8');
  const rows = page
    .slice(page.indexOf('## Allowed values'))
    .matchAll(/^\| `(\w+)` of a ([\w ]+) \| (.*) \|$/gm);
  const documented = [...rows].flatMap(([, field, owner, values]) => {
    const catalogue = field === 'type' && owner === 'payment instruction' ? 'instruction_type' : field;
    return values!.split(', ').map((value) => `${catalogue} ${value.replaceAll('`', '')}`);
  });
  await using database = inBlock(await createDatabase());
  const seeded = await database.sql<{ value: string }>(
    `SELECT field || ' ' || value AS value FROM catalogue_value`,
  );
  expect(documented.sort()).toEqual(seeded.map(({ value }) => value).sort());
});
