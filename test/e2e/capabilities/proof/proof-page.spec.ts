import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { importsOf, VECTORS } from '../../../support/content-vectors.js';
import { canonical, sha256 } from '../../../support/sent-items.js';
import { setUp } from '../../../support/set-up.js';
import { sharedService } from '../../../support/shared-service.js';
import { folderWith } from '../../../support/folders.js';

/** The commands of docs/proof.md, in order. */
async function commands(): Promise<string[]> {
  const page = await readFile('docs/proof.md', 'utf8');
  return [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

describe('docs/proof.md', () => {
  const service = setUp(sharedService);
  const folder = folderWith();

  /** Run commands of the page unchanged with bash. @returns their output */
  async function bash(script: string, variables: Record<string, string>): Promise<string> {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { ...process.env, BASE_URL: service.baseUrl, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(error).toBe('');
    return out;
  }

  it('has commands that compute the service’s answer, from its rows and from a file (V1, V3, V4)', async () => {
    const world = await service.given.supplier();
    for (const { external_account_number: number, sent } of VECTORS.accounts) {
      const { ref } = await service.given.importedAccount({ world, number });
      for (const [path, payload] of importsOf(ref, sent)) {
        expect(await service.post(path, world.token, payload)).toMatchObject({ status: 201 });
      }
    }
    const [account] = VECTORS.accounts;
    const { external_account_number: number, sent, notes, transactions, digest } = account!;
    const other = { external_account_number: 'B-2', ...VECTORS.twice.rows[0], transaction_id: 'T-9' };
    const rows = (sent.transactions ?? []).map((row) => ({ ...row, external_account_number: number }));
    await writeFile(
      join(folder, 'transactions.ndjson'),
      [...rows, other].map((row) => `${JSON.stringify(row)}\n`).join(''),
    );
    const variables = { TOKEN: world.token, SUPPLIER: world.supplier, NUMBER: number };

    const printed = await bash((await commands()).join('\n'), variables);

    const sections = [
      `notes ${notes.digest}`,
      `transactions ${transactions.digest}`,
      `historical_statements ${account!.historical_statements.digest}`,
      `payment_instructions ${account!.payment_instructions.digest}`,
    ];
    expect(printed.trimEnd().split('\n')).toEqual([
      ...[...sections, digest],
      ...[...sections, digest],
      'The service has hashed the rows that it answers.',
      transactions.digest,
      VECTORS.supplier.digest,
    ]);
  });

  it('has a command that finds a row that only one side has (V3)', async () => {
    const { token, ref } = await service.given.importedAccount({ number: '1001' });
    const [row] = VECTORS.twice.rows;
    expect(await service.post('transactions/create/', token, { ...ref, transactions: [row] })).toMatchObject({
      status: 201,
    });
    const changed = { ...row, amount: 12.01 };
    await writeFile(
      join(folder, 'transactions.ndjson'),
      `${JSON.stringify({ ...changed, external_account_number: '1001' })}\n`,
    );
    const variables = { TOKEN: token, SUPPLIER: ref.import_supplier, NUMBER: '1001' };
    const printed = await bash((await commands()).join('\n'), variables);
    const lines = printed.split('\n');
    expect(lines).toContain(sha256(canonical(changed)));
    expect(lines).toContain(`\t${sha256(canonical(row))}`);
  });
});
