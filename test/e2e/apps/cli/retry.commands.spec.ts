import { runCommand, runJson, refusedWith } from '../../../support/cli.js';
import { createDatabase } from '../../../support/database.js';
import { givenIn } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';

const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) as string;
const RUN = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;

/** A line with a period that would end before it begins on the day of import, so the import fails. */
const line = (number: string): string =>
  `{"external_account_number":"${number}","open_statement_to":"2020-01-31"}\n`;

const FAILURE =
  /^The open statement period would begin on \d{4}-\d\d-\d\d and end on 2020-01-31, before it begins\.$/;

describe('data-import accounts retry', () => {
  const database = setUp(createDatabase);

  /** Accounts whose import has failed. @returns the supplier's code */
  async function failed(...numbers: string[]): Promise<string> {
    const { supplier } = await givenIn(database).supplier();
    await runCommand(database, ['accounts', 'stage', supplier, '-'], numbers.map(line).join(''));
    const { json } = await runJson(database, ['accounts', 'import', supplier]);
    expect(json).toMatchObject({ imported: 0, failed: numbers.length });
    return supplier;
  }

  it('sets named accounts to pending, even while the supplier is paused, and records it (C9, O6)', async () => {
    const code = await failed('A', 'B', 'C');
    await runJson(database, ['supplier', 'set', code, '--status', 'paused']);
    expect(await runJson(database, ['accounts', 'retry', code, 'B', 'A', 'A'])).toEqual({
      exitCode: 0,
      stderr: '',
      json: { pending: 2 },
    });
    const { json: status } = await runJson(database, ['migration', 'status', code]);
    expect(status).toMatchObject({ accounts: { pending: 2, failed: 1 } });
    const { json: audit } = await runJson(database, ['audit', 'list', '--supplier', code]);
    const retry = (event: string, more: object): object =>
      expect.objectContaining({
        action: 'accounts.retry',
        subject: code,
        details: { run: RUN, event, ...more },
      }) as object;
    expect((audit as { action: string }[]).slice(0, 4)).toEqual(
      expect.arrayContaining([
        retry('ended', { outcome: 'complete', duration_ms: expect.any(Number) as number, pending: 2 }),
        retry('started', {}),
        ...['A', 'B'].map((subject): unknown =>
          expect.objectContaining({ action: 'account.retry', subject }),
        ),
      ]),
    );
    const { json: history } = await runJson(database, ['accounts', 'history', code, 'A']);
    expect(history).toEqual([
      { at: MOMENT, event: 'staged' },
      expect.objectContaining({
        event: 'operator_change',
        action: 'account.retry',
        details: { failure: expect.stringMatching(FAILURE) as string, failed_at: MOMENT },
      }),
    ]);
  });

  it('names the accounts that are not failed, and ends with 1 (C9)', async () => {
    const code = await failed('A', 'B');
    const { exitCode, stdout, stderr } = await runCommand(database, [
      ...['accounts', 'retry', code],
      ...['nobody', 'A', 'a'],
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: 'Set 1 to pending.\n' });
    expect(stderr).toContain('nobody, a.');
  });

  it('sets all failed accounts to pending with --all, so that a later import retries them (C9)', async () => {
    const code = await failed('A', 'B');
    await runCommand(
      database,
      ['accounts', 'stage', code, '-'],
      `{"external_account_number":"A"}\n${line('C')}`,
    );
    expect(await runJson(database, ['accounts', 'retry', code, '--all'])).toMatchObject({
      exitCode: 0,
      json: { pending: 1 },
    });
    const { json } = await runJson(database, ['accounts', 'import', code]);
    expect(json).toEqual({ imported: 1, failed: 2, remaining: 0 });
  });

  it.each([[['X']], [['X', 'A', '--all']]])('ends as wrong usage: %j', async (args) => {
    expect(await runJson(database, ['accounts', 'retry', ...args])).toMatchObject(refusedWith('wrong_usage'));
  });
});
