import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import type { Result } from '../src/report/result.js';
import { folderWith } from '../../../test/support/folders.js';
import {
  accounts,
  instruction,
  LoaderWorld,
  ndjson,
  note,
  statement,
  transaction,
} from './support/loader.js';

const service = setUp(sharedService);

/** Rows of a folder: some are in the other one too, and all are of the same accounts. */
function filesOf(numbers: readonly string[], folder: number): Record<string, object[]> {
  return {
    'transactions.ndjson': numbers.flatMap((account) => [
      ...Array.from({ length: 30 }, (_, index) => transaction(account, `L-${folder}-${index}`)),
      transaction(account, 'BOTH'),
    ]),
    'notes.ndjson': numbers.flatMap((account) => [note(account, 'both'), note(account, `only ${folder}`)]),
    'statements.ndjson': numbers.map((account) => statement(account, `S-${folder}`)),
    'payment-instructions.ndjson': numbers.map((account) => instruction(account, 'ok_both')),
  };
}

async function loadInProcess(world: LoaderWorld, folder: string) {
  const { code, stdout } = await world.spawn('load', ['--items-per-request', '7', '--json'], { folder })
    .ended;
  return { code, result: JSON.parse(stdout) as Result };
}

it('several loaders load folders of one supplier at the same time, also of the same accounts (L14)', async () => {
  const numbers = accounts(20);
  const world = await LoaderWorld.create(service, numbers, filesOf(numbers, 0));
  const others = [1, 2].map((folder) =>
    folderWith(
      Object.fromEntries(
        Object.entries(filesOf(numbers, folder)).map(([name, rows]) => [name, ndjson(rows)]),
      ),
    ),
  );
  const folders = [world.folder, ...others];
  const ends = await Promise.all(folders.map((folder) => loadInProcess(world, folder)));
  for (const { code, result } of ends) {
    expect({ code, result }).toMatchObject({
      code: 0,
      result: { read: 20 * 35, failed: 0, unsent: 0, checked: true },
    });
  }
  expect(new Set(Object.values(await world.stored('transaction')))).toEqual(new Set([91]));
  expect(new Set(Object.values(await world.stored('note')))).toEqual(new Set([4]));
  const loaded = ends.reduce((sum, { result }) => sum + (result.kinds.transactions?.loaded ?? 0), 0);
  expect(loaded).toBe(20 * 91);
  expect((await world.verify(others)).code).toBe(0);
});
