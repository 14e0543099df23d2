import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startService, type TestService, type World } from '../../../test/support/service.js';
import { writeSample } from '../src/commands/sample.js';
import { NO_MAPPING } from '../src/rows/mapping.js';
import { prepare } from '../src/rows/prepare.js';
import { KINDS, type Kind } from '../src/kinds/kinds.js';
import { type ReadRow } from '../src/rows/row.js';
import { PERIOD } from '../src/sample/account-rows.js';
import { badCodes } from '../src/sample/bad-rows.js';
import { folderWith } from '../../../test/support/folders.js';
import { collect } from './support/rows.js';

const DOCUMENT_ROOT = 'sample';

const ENDPOINTS: Record<Kind, [path: string, list: string]> = {
  notes: ['notes/create/', 'notes'],
  statements: ['historical-statements/create/', 'statements'],
  'payment-instructions': ['payment-instruction/create/', ''],
  transactions: ['transactions/create/', 'transactions'],
};

interface ErrorBody {
  readonly code: string;
  readonly errors: readonly { readonly code: string }[];
}

describe('the sample at the service', () => {
  const folder = folderWith({});
  const dataDir = folderWith({});
  let service: TestService;
  let world: World;

  beforeAll(async () => {
    const documents = join(dataDir, 'documents', DOCUMENT_ROOT);
    mkdirSync(documents, { recursive: true });
    service = await startService({ DATA_DIR: dataDir });
    world = await service.given.supplier({ document_check: 'reject', document_root: DOCUMENT_ROOT });
    await writeSample(folder, {
      accounts: 4,
      seed: 7,
      bad: badCodes(true).length,
      documents,
      order: 'grouped',
    });
    for (const line of readFileSync(join(folder, 'accounts.ndjson'), 'utf8').split('\n').slice(0, -1)) {
      const { external_account_number: number } = JSON.parse(line) as { external_account_number: string };
      await service.given.importedAccount({ ...PERIOD, world, number });
    }
  });
  afterAll(async () => {
    await service.stop();
  });

  async function rowsOf(kind: Kind): Promise<ReadRow[]> {
    const options = { folder, workFolder: join(folder, '.work'), mapping: NO_MAPPING };
    const preparation = await prepare(kind, [`${kind}.ndjson`], options);
    return collect(preparation, options);
  }

  /** The codes for which a row is refused, none when it is stored. */
  async function refusals(kind: Kind, row: ReadRow): Promise<string[]> {
    if (row.error) return [row.error.code];
    const [path, list] = ENDPOINTS[kind];
    const ref = `"import_supplier":${JSON.stringify(world.supplier)},"external_account_number":${JSON.stringify(row.account)}`;
    const body = list === '' ? `{${ref},${row.item.slice(1)}` : `{${ref},"${list}":[${row.item}]}`;
    const { status, body: answer } = await service.post<ErrorBody>(path, world.token, body);
    if (status === 200 || status === 201) return [];
    return answer.errors.length > 0 ? answer.errors.map(({ code }) => code) : [answer.code];
  }

  it('has good rows that are stored, and bad rows of which each is refused for its one code', async () => {
    const { bad } = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as {
      bad: { file: string; line: number; code: string }[];
    };
    const codes = new Map(bad.map(({ file, line, code }) => [`${file}:${line}`, code]));
    const expected: [string, string[]][] = [];
    const found: [string, string[]][] = [];
    for (const kind of KINDS) {
      for (const row of await rowsOf(kind)) {
        const place = `${row.origin.file}:${row.origin.line}`;
        const code = codes.get(place);
        expected.push([place, code === undefined ? [] : [code]]);
        found.push([place, await refusals(kind, row)]);
      }
    }
    expect(found).toEqual(expected);
    expect(expected.filter(([, refused]) => refused.length > 0)).toHaveLength(badCodes(true).length);
  });
});
