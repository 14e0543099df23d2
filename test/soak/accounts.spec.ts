import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { runJson } from '../support/cli.js';
import { startService, type TestService } from '../support/service.js';
import { setUp } from '../support/set-up.js';
import { folderWith } from '../support/folders.js';

const ACCOUNTS = Number(process.env.SOAK_ACCOUNTS ?? 100_000);
const TIMEOUT_MS = 1_200_000;

const number = (n: number): string => `N${String(n).padStart(9, '0')}`;

function* stagedRecords(): Generator<string> {
  for (let n = 0; n < ACCOUNTS; n += 1) {
    yield `{"external_account_number":"${number(n)}","open_statement_from":"2026-01-01"}\n`;
  }
}

describe(`${ACCOUNTS} accounts`, () => {
  const folder = folderWith();
  const service = setUp(startService);
  let caller: Awaited<ReturnType<TestService['given']['supplier']>>;
  beforeAll(async () => {
    caller = await service.given.supplier();
  });

  it(
    'are staged from one file, and imported by two commands at once (S4, S7)',
    async () => {
      const file = join(folder, 'accounts.ndjson');
      await pipeline(Readable.from(stagedRecords()), createWriteStream(file));
      const { json: staged } = await runJson(service.database, ['accounts', 'stage', caller.supplier, file]);
      expect(staged).toEqual({ staged: ACCOUNTS, replaced: 0, skipped: 0, repeated: [], errors: [] });
      const imports = await Promise.all(
        [1, 2].map(() => runJson(service.database, ['accounts', 'import', caller.supplier])),
      );
      const imported = imports.map(({ json }) => (json as { imported: number }).imported);
      expect(imported[0]! + imported[1]!).toBe(ACCOUNTS);
      const [row] = await service.database.sql<{ numbers: number }>(
        'SELECT count(DISTINCT service_account_number)::integer AS numbers FROM account_import',
      );
      expect(row!.numbers).toBe(ACCOUNTS);
    },
    TIMEOUT_MS,
  );

  it(
    'are listed completely and in order (S5)',
    async () => {
      const path = `imported-account-import-processes/${caller.supplier}/`;
      const { body } = await service.get<{ external_account_number: string }[]>(path, caller.token);
      expect(body).toHaveLength(ACCOUNTS);
      expect(body.findIndex((account, n) => account.external_account_number !== number(n))).toBe(-1);
    },
    TIMEOUT_MS,
  );
});
