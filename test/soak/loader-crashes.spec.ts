import { execFile } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SOAK_SECONDS } from '../support/runs.js';
import { onlyWith } from '../support/service-process.js';
import { setUp } from '../support/set-up.js';
import { sharedService } from '../support/shared-service.js';
import { folderWith } from '../support/folders.js';
import { accounts, LoaderWorld } from '../../packages/loader/test/support/loader.js';
import { PROGRAM } from '../../packages/loader/test/support/program.js';

const PACKAGE = join(import.meta.dirname, '..', '..', 'packages', 'loader');

/** Each call takes two processes. With little time, only every 20th call is tested, starting from a random one. */
const [FIRST, STEP] = SOAK_SECONDS < 60 ? [1 + Math.floor(Math.random() * 20), 20] : [1, 1];
import.meta.jest.setTimeout(1_200_000);

const service = setUp(sharedService);

interface End {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Run the built loader and kill it right before its nth call that changes a file; 0 for no kill. */
async function run({ folder, world, apiKey }: LoaderWorld, command: string, killAt: number): Promise<End> {
  const target = ['--base-url', service.baseUrl, '--supplier', world.supplier, ...OPTIONS, '--json'];
  const hook = join(PACKAGE, 'test', 'support', 'kill-at-call.mjs');
  const args = ['--import', hook, PROGRAM, command, folder, ...target];
  const env = onlyWith({ DATA_IMPORT_API_KEY: apiKey, KILL_AT: String(killAt) });
  const ended = promisify(execFile)(process.execPath, args, { env });
  const { stdout, stderr, ...end } = (await ended.catch((error: unknown) => error)) as End;
  return { code: end.code ?? 0, signal: end.signal ?? null, stdout, stderr };
}

/** The contents of the kept sorted files, by name, without the time of the copied input. */
const kept = (folder: string): Record<string, string> => {
  const below = join(folder, '.data-import-loader', 'verify');
  const content = (name: string): string => readFileSync(join(below, name), 'latin1');
  return Object.fromEntries(
    readdirSync(below).map((name) => [name, content(name).replaceAll(/"modified":[\d.]+,/g, '')]),
  );
};

const ITEM_FIELDS = { start_date: 'day', end_date: 'day', number_of_units: 'units', net_amount: 'net' };
const MAPPING = {
  files: [
    {
      match: 'CHARGES.csv',
      kind: 'transactions',
      fields: { line_items: { from: 'LINES.csv', key: { charge: 'transaction_id' }, fields: ITEM_FIELDS } },
      constants: { product_code: 'ELECTRICITY' },
    },
  ],
};
const OPTIONS = ['--mapping', join(folderWith({ 'mapping.json': JSON.stringify(MAPPING) }), 'mapping.json')];

/** A load of charges that are not grouped by account, with their lines in another file; one is refused. */
async function world(): Promise<{ given: LoaderWorld; numbers: string[] }> {
  const numbers = accounts(3);
  const charges = [...numbers, ...numbers].map((account, at) => [account, `T-${at}`] as const);
  const day = '2026-11-05';
  const given = await LoaderWorld.create(service, numbers, {
    'CHARGES.csv': csv(
      ['external_account_number', 'transaction_id', 'transaction_date', 'amount', 'type'],
      ...charges.map(([account, id]) => [account, id, day, '12.50', id === 'T-5' ? 'FEE' : 'SUPPLY_CHARGE']),
    ),
    'LINES.csv': csv(
      ['charge', 'day', 'units', 'net'],
      ...charges.toReversed().map(([, id]) => [id, day, '1', '12.50']),
    ),
  });
  return { given, numbers };
}

const csv = (...rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.join()}\n`).join('');

it('a load that is killed before any file change continues, and ends as if it had not been killed (L5, L14)', async () => {
  const { given, numbers } = await world();
  const original = folderWith({});
  cpSync(given.folder, original, { recursive: true });
  const whole = await run(given, 'load', 0);
  expect(whole.code).toBe(1);
  const entries = kept(given.folder);
  let at = FIRST;
  for (; ; at += STEP) {
    rmSync(given.folder, { recursive: true });
    cpSync(original, given.folder, { recursive: true });
    // The number of calls depends on how long answers take.
    if ((await run(given, 'load', at)).signal === null) break;
    const { code, result } = await given.json('load', OPTIONS);
    expect({
      at,
      code,
      read: result.read,
      there: result.loaded + result.already,
      failed: result.failed,
      checked: result.checked,
    }).toEqual({ at, code: 1, read: 6, there: 5, failed: 1, checked: true });
    expect({ at, ...kept(given.folder) }).toEqual({ at, ...entries });
    const names = readdirSync(given.folder).filter((name) => !name.startsWith('.'));
    expect({ at, names }).toEqual({ at, names: ['CHARGES.csv', 'LINES.csv', 'failures', 'loaded.json'] });
    expect(readdirSync(join(given.folder, '.data-import-loader', 'temporary'))).toEqual([]);
  }
  expect(at).toBeGreaterThan(20);
  expect(await given.stored('transaction')).toEqual(
    Object.fromEntries(numbers.map((number, at) => [number, at === 2 ? 1 : 2])),
  );
});

it('a comparison that is killed before any file change continues, and finds the same (V9)', async () => {
  const { given } = await world();
  expect((await given.run('load', OPTIONS)).code).toBe(1);
  await service.database.sql(
    `UPDATE transaction t SET amount = 1 FROM import_supplier s WHERE s.id = t.import_supplier_id AND s.code = $1`,
    [given.world.supplier],
  );
  const state = join(given.folder, '.data-import-loader', 'verify');
  rmSync(state, { recursive: true });
  const whole = await run(given, 'verify', 0);
  expect(whole.code).toBe(1);
  const { differences, groups, digest } = JSON.parse(whole.stdout) as Record<string, unknown>;
  const entries = kept(given.folder);
  let at = FIRST;
  for (; ; at += STEP) {
    if (existsSync(state)) rmSync(state, { recursive: true });
    if ((await run(given, 'verify', at)).signal === null) break;
    const { result } = await given.verify(OPTIONS);
    expect({ at, ...result }).toMatchObject({ at, differences, groups, digest });
    expect({ at, ...kept(given.folder) }).toEqual({ at, ...entries });
  }
  expect(at).toBeGreaterThan(10);
});
