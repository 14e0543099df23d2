import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueKey } from '../../../test/support/graphql.js';
import { startService, type TestService, type World } from '../../../test/support/service.js';
import { writeSample } from '../src/commands/sample.js';
import type { Result } from '../src/report/result.js';
import { PERIOD } from '../src/sample/account-rows.js';
import { badCodes } from '../src/sample/bad-rows.js';
import { folderWith } from '../../../test/support/folders.js';
import { startLoader } from './support/loader.js';

const DOCUMENT_ROOT = 'sample';

let service: TestService;
const dataDir = folderWith({});
const documents = join(dataDir, 'documents', DOCUMENT_ROOT);

beforeAll(async () => {
  mkdirSync(documents, { recursive: true });
  service = await startService({ DATA_DIR: dataDir });
});
afterAll(async () => {
  await service.stop();
});

interface Expected {
  readonly bad: readonly { readonly file: string; readonly line: number; readonly code: string }[];
}

async function runJson(world: World, folder: string, more: readonly string[]): Promise<Result> {
  const { key } = await issueKey(service, world.organisationId);
  const target = ['--base-url', service.baseUrl, '--supplier', world.supplier];
  const args = ['load', folder, ...target, '--json', ...more];
  return JSON.parse((await startLoader(args, { DATA_IMPORT_API_KEY: key }).ended).stdout) as Result;
}

/** File, line, code and field of each failed row, without the sentences. */
function verdicts(folder: string, name: string): string[] {
  return ['notes', 'statements', 'payment-instructions', 'transactions'].flatMap((kind) => {
    try {
      const lines = readFileSync(join(folder, name, `${kind}.errors.csv`), 'utf8')
        .split('\n')
        .slice(1, -1);
      return lines.map((line) => line.split(',').slice(0, 5).join(',')).sort();
    } catch {
      return [];
    }
  });
}

describe('a dry run of the sample', () => {
  it.each([
    ['grouped', 500],
    ['mixed', 3],
  ] as const)(
    'gives the verdict of the real run on every row, %s, %i rows a request',
    async (order, items) => {
      const folder = folderWith({});
      const root = `${DOCUMENT_ROOT}/${order}`;
      const world = await service.given.supplier({ document_check: 'reject', document_root: root });
      const bad = badCodes(true).length * 2;
      await writeSample(folder, { accounts: 12, seed: items, bad, documents: join(documents, order), order });
      for (const line of readFileSync(join(folder, 'accounts.ndjson'), 'utf8').split('\n').slice(0, -1)) {
        const { external_account_number: number } = JSON.parse(line) as { external_account_number: string };
        await service.given.importedAccount({ ...PERIOD, world, number });
      }
      const more = ['--items-per-request', String(items)];
      const rehearsed = await runJson(world, folder, ['--dry-run', ...more]);
      const real = await runJson(world, folder, more);
      expect(rehearsed).toMatchObject({ kinds: real.kinds, groups: real.groups });
      expect(verdicts(folder, 'dry-run')).toEqual(verdicts(folder, 'failures'));
      const { bad: expected } = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected;
      expect(real).toMatchObject({ failed: expected.length, unsent: 0 });
      const found = verdicts(folder, 'failures').map((line) =>
        line
          .split(',')
          .filter((_cell, at) => [0, 1, 3].includes(at))
          .join(','),
      );
      expect(found.sort()).toEqual(expected.map(({ file, line, code }) => `${file},${line},${code}`).sort());
    },
  );
});
