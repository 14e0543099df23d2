import { runCommand, runJson, type Entry } from '../../../support/cli.js';
import { issueKey } from '../../../support/graphql.js';
import { signInAsAdmin } from '../../../support/console.js';
import { startService, unique } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';

describe('views in data-import audit list', () => {
  const service = setUp(() => startService({ CONSOLE: 'on', RETENTION_VIEWS_DAYS: '3650' }));

  async function list(...options: string[]): Promise<Entry[]> {
    const { exitCode, json } = await runJson(service.database, ['audit', 'list', ...options]);
    expect(exitCode).toBe(0);
    return json as Entry[];
  }

  /** Insert a view of an account. @param times the first and the last one */
  async function view(
    code: string,
    operator: string,
    times: readonly [string, string],
    count = 2,
  ): Promise<void> {
    await service.database.sql(
      `INSERT INTO viewed (viewer, action, import_supplier, external_account_number, hour, at, last_at, count)
       VALUES ($1, 'account.view', $2, 'A', date_trunc('hour', $3::timestamptz), $3, $4, $5)`,
      [operator, code, ...times, count],
    );
  }

  it('are among the changes, newest first, with their number; --views lists only them (O6)', async () => {
    const [{ supplier: code }, operator] = [await service.given.supplier(), unique('anna')];
    await view(code, operator, ['2026-03-01T10:00:00Z', '2026-03-01T10:40:00Z']);
    await view(code, operator, ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00Z'], 1);
    await service.database.sql(
      `INSERT INTO audit_entry (at, operator, action, subject, import_supplier, external_account_number)
       SELECT at::timestamptz, $1, 'account.set_period', 'A', $2, 'A'
         FROM unnest(ARRAY['2026-03-01T11:00:00Z', '2026-03-01T09:00:00Z']) AS at`,
      [operator, code],
    );
    const of = { operator, subject: 'A', import_supplier: code };
    const views = [
      {
        ...{ at: '2026-03-01T12:00:00Z', action: 'account.view', ...of },
        details: { count: 1, last_at: '2026-03-01T12:00:00Z' },
      },
      {
        ...{ at: '2026-03-01T10:00:00Z', action: 'account.view', ...of },
        details: { count: 2, last_at: '2026-03-01T10:40:00Z' },
      },
    ];
    const changes = ['11', '09'].map((hour) => ({
      ...{ at: `2026-03-01T${hour}:00:00Z`, action: 'account.set_period', ...of },
      details: {},
    }));
    expect(await list('--supplier', code)).toEqual([views[0], changes[0], views[1], changes[1]]);
    expect(await list('--operator', operator, '--views')).toEqual(views);
    // The time filters apply to the last view of a row.
    expect(await list('--operator', operator, '--views', '--since', '2026-03-01T10:40:00Z')).toEqual(views);
    expect(await list('--operator', operator, '--views', '--since', '2026-03-01T10:40:01Z')).toEqual([
      views[0],
    ]);
    const { stdout } = await runCommand(service.database, ['audit', 'list', '--operator', operator]);
    expect(stdout.split('\n')[3]).toMatch(
      new RegExp(`^2026-03-01T10:00:00Z  ${operator} *  account.view +${code}  A +count: 2, last_at: `),
    );
  });

  it('and sign-ins of one key are listed without changes (O6)', async () => {
    const { organisationId, ref } = await service.given.importedAccount();
    const { id, key } = await issueKey(service, organisationId);
    const client = await signInAsAdmin(service, key);
    await client.get(`/console/suppliers/${ref.import_supplier}/accounts/${ref.external_account_number}`);
    await client.post('/console/sign-out');
    const entries = (await list('--operator', `api key ${id}`, '--views')).reverse();
    expect(entries.map(({ action }) => action)).toEqual([
      ...['console.sign_in', 'account.view', 'console.sign_out'],
    ]);
    expect(entries[0]!.subject).toMatch(/^[0-9a-f-]{36}$/);
    expect(Object.keys(entries[0]!)).toEqual(['at', 'operator', 'action', 'subject', 'details']);
    expect(await list('--operator', `api key ${id}`)).toEqual(entries.toReversed());
  });
});
