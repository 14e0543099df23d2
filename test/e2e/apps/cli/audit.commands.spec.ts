import { runCommand, runJson, startCommand, type Entry } from '../../../support/cli.js';
import { graphql } from '../../../support/graphql.js';
import { startService, unique } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { nameOf } from '../../../support/suppliers.js';

const DATE_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string;
const ID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const MS = expect.any(Number) as number;

const line = (number: string): string => `{"external_account_number":"${number}"}\n`;

describe('data-import audit list', () => {
  const service = setUp(startService);

  /** Run a command that must succeed. @param input its standard input */
  async function run<Result = unknown>(args: readonly string[], input?: string): Promise<Result> {
    const { exitCode, json, stderr } = await runJson(service.database, args, input);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.any(String) as string });
    return json as Result;
  }

  const list = (...options: string[]): Promise<Entry[]> => run(['audit', 'list', ...options]);

  /** The entries of a subject, oldest first, without their date-time. */
  async function changesOf(subject: string): Promise<Omit<Entry, 'at'>[]> {
    const entries = (await list()).filter((entry) => entry.subject === subject).reverse();
    expect(entries.map(({ at }) => at)).toEqual(entries.map(() => DATE_TIME));
    return entries.map(({ operator, action, details }) => ({ operator, action, subject, details }));
  }

  const change = (action: string, subject: string, details: object): object => ({
    operator: 'test operator',
    action,
    subject,
    details,
  });

  async function supplier(): Promise<string> {
    const code = unique('SUPPLIER');
    await service.database.sql(
      'INSERT INTO import_supplier (code, name, document_root) VALUES ($1, $1, $1)',
      [code],
    );
    return code;
  }

  /** Insert entries directly, with any date-time. */
  async function entries(...rows: Record<string, unknown>[]): Promise<void> {
    await service.database.sql(
      `INSERT INTO audit_entry (at, operator, action, subject, import_supplier)
       SELECT at, operator, coalesce(action, 'supplier.set'), subject, import_supplier
         FROM jsonb_populate_recordset(NULL::audit_entry, $1)`,
      [JSON.stringify(rows)],
    );
  }

  it('has the creation of an organisation, and nothing of one that was refused (O6)', async () => {
    const name = unique('Organisation');
    const { id } = await run<{ id: string }>(['organisation', 'create', name]);
    await runJson(service.database, ['organisation', 'create', name]);
    expect(await changesOf(name)).toEqual([change('organisation.create', name, { id })]);
  });

  it('has each API key with its label and expiry, never the key, and its first revocation (O6)', async () => {
    const organisation = unique('Organisation');
    await run(['organisation', 'create', organisation]);
    const issue = ['api-key', 'issue', organisation, '--label', 'tooling'];
    const { id, key, expires_at } = await run<Record<string, string>>([...issue, '--expires-in', '90d']);
    const forEver = await run<{ id: string }>(issue);
    const { revoked_at } = await run<{ revoked_at: string }>(['api-key', 'revoke', id!]);
    await run(['api-key', 'revoke', id!]);
    const details = { organisation, label: 'tooling' };
    expect(await changesOf(id!)).toEqual([
      change('api_key.issue', id!, { ...details, expires_at }),
      change('api_key.revoke', id!, { ...details, from: { revoked_at: null }, to: { revoked_at } }),
    ]);
    expect(await changesOf(forEver.id)).toEqual([
      change('api_key.issue', forEver.id, { ...details, expires_at: null }),
    ]);
    const rows = await service.database.sql<{ entry: string }>('SELECT e::text AS entry FROM audit_entry e');
    expect(rows.filter(({ entry }) => entry.includes(key!.slice(0, 25)))).toEqual([]);
  });

  it('has every setting of a supplier that changes, with its values before and after, and the grants (O6)', async () => {
    const [code, first, second] = [unique('SUPPLIER'), unique('First'), unique('Second')];
    for (const name of [first, second]) await run(['organisation', 'create', name]);
    await run(['supplier', 'create', code, '--name', 'Acme', '--organisation', first]);
    const commands = [
      ['set', code, '--status', 'paused', '--document-root', 'folder', '--document-check', 'reject'],
      ['set', code, '--status', 'paused', '--customer-emails', 'on'],
      ['grant', code, second],
      ['revoke', code, second],
    ];
    for (const command of commands) {
      for (let times = 0; times < 2; times += 1) await run(['supplier', ...command]);
    }
    const defaults = {
      status: 'ongoing',
      document_root: code,
      document_check: 'deferred',
      customer_emails: false,
      cut_over: null,
      quiet_after: '24h',
    };
    expect(await changesOf(code)).toEqual([
      change('supplier.create', code, { name: 'Acme', ...defaults, organisations: [first] }),
      change('supplier.set', code, {
        from: { status: 'ongoing', document_root: code, document_check: 'deferred' },
        to: { status: 'paused', document_root: 'folder', document_check: 'reject' },
      }),
      change('supplier.set', code, { from: { customer_emails: false }, to: { customer_emails: true } }),
      change('supplier.grant', code, { organisation: second }),
      change('supplier.revoke', code, { organisation: second }),
    ]);
  });

  it('has a value that was added to a catalogue, once (O6)', async () => {
    const value = unique('VALUE');
    for (let times = 0; times < 2; times += 1) await run(['catalogue', 'add', 'reason', value]);
    const added = (await changesOf('reason')).filter(({ details }) => details.value === value);
    expect(added).toEqual([change('catalogue.add', 'reason', { value })]);
  });

  it('has the organisation and the API key that forced a new authentication (O6, A4)', async () => {
    const { organisationId, apiKeyId, token } = await service.given.organisation();
    await graphql(service, 'mutation { forceReauthentication { effectiveAt } }', { token });
    const organisation = await nameOf(service.database, { organisationId });
    expect(await changesOf(organisation)).toEqual([
      {
        operator: `api key ${apiKeyId}`,
        action: 'organisation.force_reauthentication',
        subject: organisation,
        details: { from: { token_version: 1 }, to: { token_version: 2 } },
      },
    ]);
    const { stdout } = await runCommand(service.database, [
      ...['audit', 'list', '--operator', `api key ${apiKeyId}`],
    ]);
    expect(stdout).toContain(`api key ${apiKeyId} (test)`);
  });

  it('has the start and the counts of each run of accounts stage and accounts import that changed something (O6)', async () => {
    const code = await supplier();
    const stage = ['accounts', 'stage', code, '-'];
    await runJson(service.database, stage, `${line('A')}${line('B')}not json\n`);
    for (let times = 0; times < 2; times += 1) await run(['accounts', 'import', code]);
    await run(stage, line('A'));
    await run(stage, line('A') + line('C'));
    const changes = await changesOf(code);
    const runs = changes.map(({ details }) => details.run);
    expect(runs).toEqual([runs[0], runs[0], runs[2], runs[2], runs[4], runs[4]]);
    expect(new Set(runs).size).toBe(3);
    const [started, ended] = [
      { run: ID, event: 'started' },
      { run: ID, event: 'ended', outcome: 'complete', duration_ms: MS },
    ];
    expect(changes).toEqual([
      change('accounts.stage', code, started),
      change('accounts.stage', code, { ...ended, staged: 2, replaced: 0, skipped: 0, bad: 1 }),
      change('accounts.import', code, started),
      change('accounts.import', code, { ...ended, imported: 2, failed: 0 }),
      change('accounts.stage', code, started),
      change('accounts.stage', code, { ...ended, staged: 1, replaced: 0, skipped: 1, bad: 0 }),
    ]);
  });

  it.each(['interrupted', 'failed'])(
    'has a run as started from its first batch on, and at its end as %s (O6)',
    async (outcome) => {
      const code = await supplier();
      const { sql, connect, blocked } = service.database;
      await using other = await connect();
      // The second and the third batch of 20,000 accounts wait for this transaction.
      await other.query('BEGIN');
      await other.query(
        `INSERT INTO account_import (import_supplier_id, external_account_number)
         SELECT s.id, number FROM import_supplier s, unnest(ARRAY['N20000', 'N40000']) AS number WHERE s.code = $1`,
        [code],
      );
      const command = startCommand(service.database, ['accounts', 'stage', code, '-', '--json']);
      command.stdin.end(Array.from({ length: 100_000 }, (_, n) => line(`N${n}`)).join(''));
      const waiting = await blocked(2);
      const started = await changesOf(code);
      // All entries that would exist if the command were killed now.
      expect(started).toEqual([change('accounts.stage', code, { run: ID, event: 'started' })]);
      if (outcome === 'interrupted') command.signal('SIGINT');
      else await sql('SELECT pg_terminate_backend(pid) FROM unnest($1::integer[]) AS pid', [waiting]);
      await other.query('ROLLBACK');
      expect(await command.ended).toMatchObject({ exitCode: 1 });
      const [{ staged } = {}] = await sql<{ staged: number }>(
        `SELECT count(*)::integer AS staged FROM account_import a JOIN import_supplier s ON s.id = a.import_supplier_id
          WHERE s.code = $1`,
        [code],
      );
      const counts = { staged, replaced: 0, skipped: 0, bad: 0 };
      expect(await changesOf(code)).toEqual([
        ...started,
        change('accounts.stage', code, { run: ID, event: 'ended', outcome, duration_ms: MS, ...counts }),
      ]);
    },
  );

  it('records the start of a run once, however many importers begin together (O6)', async () => {
    const code = await supplier();
    await service.database.sql(
      `INSERT INTO account_import (import_supplier_id, external_account_number)
       SELECT s.id, 'N' || n FROM import_supplier s, generate_series(1, 10000) n WHERE s.code = $1`,
      [code],
    );
    await run(['accounts', 'import', code, '--concurrency', '4']);
    const events = (await changesOf(code)).map(({ details }) => details.event);
    expect(events).toEqual(['started', 'ended']);
  });

  it('makes no change that it cannot record (O6)', async () => {
    const { sql } = service.database;
    const { organisationId, apiKeyId, supplier: code } = await service.given.supplier();
    const [other, ready] = [await service.given.organisation(), await supplier()];
    await run(['accounts', 'stage', ready, '-'], line('A'));
    await sql(`ALTER TABLE audit_entry ADD CONSTRAINT no_such_operator CHECK (operator <> 'nobody')`);
    const [newName, newCode] = [unique('Organisation'), unique('SUPPLIER')];
    const commands = [
      ['organisation', 'create', newName],
      ['organisation', 'rename', other.organisationId, newName],
      ['api-key', 'issue', organisationId],
      ['api-key', 'revoke', apiKeyId],
      ['supplier', 'create', newCode, '--name', 'x'],
      ['supplier', 'set', code, '--status', 'paused'],
      ['supplier', 'grant', code, other.organisationId],
      ['supplier', 'revoke', code, organisationId],
      ['catalogue', 'add', 'reason', unique('VALUE')],
      ['accounts', 'stage', ready, '-'],
      ['accounts', 'import', ready],
    ];
    const state = (): Promise<unknown[]> =>
      sql(
        `SELECT (SELECT jsonb_agg(o ORDER BY o.id) FROM organisation o) AS organisations,
                (SELECT jsonb_agg(k ORDER BY k.id) FROM api_key k) AS keys,
                (SELECT jsonb_agg(s ORDER BY s.id) FROM import_supplier s) AS suppliers,
                (SELECT jsonb_agg(g ORDER BY g) FROM import_supplier_grant g) AS grants,
                (SELECT jsonb_agg(c ORDER BY c) FROM catalogue_value c) AS catalogues,
                (SELECT jsonb_agg(a ORDER BY a) FROM account_import a WHERE a.external_account_number IN ('A', 'B'))
                  AS accounts`,
      );
    const before = await state();
    try {
      for (const command of commands) {
        const end = await runJson(service.database, command, line('B'), { OPERATOR: 'nobody' });
        expect({ command, exitCode: end.exitCode }).toEqual({ command, exitCode: 1 });
      }
      expect(await state()).toEqual(before);
    } finally {
      await sql('ALTER TABLE audit_entry DROP CONSTRAINT no_such_operator');
    }
  });

  it('is newest first, and can be limited to a time, a supplier and an operator (O6)', async () => {
    const [code, other, operator] = [await supplier(), await supplier(), unique('somebody')];
    const at = (second: string): string => `2026-03-01T10:00:${second}Z`;
    await entries(
      { at: at('00.9'), operator, subject: 'first', import_supplier: code },
      { at: at('02.000002'), operator: 'x', subject: 'fourth', import_supplier: code },
      { at: at('02.000001'), operator, subject: 'third', import_supplier: other },
      { at: at('01.5'), operator, subject: 'second', import_supplier: null },
    );
    const subjects = async (...options: string[]): Promise<string[]> =>
      (await list(...options)).map(({ subject }) => subject);
    expect(await subjects('--operator', operator)).toEqual(['third', 'second', 'first']);
    expect(await subjects('--supplier', code)).toEqual(['fourth', 'first']);
    expect(await subjects('--supplier', code, '--operator', operator)).toEqual(['first']);
    expect(await subjects('--operator', operator, '--since', at('01'))).toEqual(['third', 'second']);
    // The second as displayed, in another time zone.
    expect(await subjects('--operator', operator, '--since', '2026-03-01T11:00:02+01:00')).toEqual(['third']);
    expect(await subjects('--operator', operator, '--since', at('03'))).toEqual([]);
    const [entry] = await list('--operator', operator);
    expect(entry).toEqual({
      at: at('02'),
      operator,
      action: 'supplier.set',
      subject: 'third',
      import_supplier: other,
      details: {},
    });
    const members = ['at', 'operator', 'action', 'subject', 'import_supplier', 'details'];
    expect(Object.keys(entry!)).toEqual(members);
  });

  it('lists 5,000 entries in order, even those of the same microsecond (O6)', async () => {
    const operator = unique('busy');
    // Seven entries per microsecond, so that pages begin between entries of the same one.
    await service.database.sql(
      `INSERT INTO audit_entry (at, operator, action, subject)
       SELECT timestamptz '2026-04-01 00:00:00Z' + (n / 7) * interval '1 microsecond', $1, 'supplier.set', n::text
         FROM generate_series(1, 5000) n`,
      [operator],
    );
    const expected = await service.database.sql<{ subject: string }>(
      'SELECT subject FROM audit_entry WHERE operator = $1 ORDER BY at DESC, id DESC',
      [operator],
    );
    const listed = await list('--operator', operator);
    expect(listed).toHaveLength(5_000);
    expect(listed.map(({ subject }) => subject)).toEqual(expected.map(({ subject }) => subject));
    const { stdout } = await runCommand(service.database, ['audit', 'list', '--operator', operator]);
    expect(stdout.trimEnd().split('\n')).toHaveLength(5_001);
  });

  it('prints one entry per line, without terminal control characters (O6)', async () => {
    const [code, organisation] = [await supplier(), unique('Organisation')];
    const { id } = await run<{ id: string }>(['organisation', 'create', organisation]);
    await run(['supplier', 'grant', code, id]);
    await run(['supplier', 'set', code, '--status', 'paused', '--customer-emails', 'on']);
    await entries({
      at: '2026-03-01T10:00:00Z',
      operator: 'a\x1b[2J',
      subject: 'b\nc',
      import_supplier: code,
    });
    const { stdout } = await runCommand(service.database, ['audit', 'list', '--supplier', code]);
    const now = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
    const lines = [
      `Time {18}Who {12}Action {10}Supplier +Subject +Details`,
      `${now}  test operator  supplier\\.set +${code}  status: ongoing -> paused, customer_emails: false -> true`,
      `${now}  test operator  supplier\\.grant +${code}  organisation: ${organisation}`,
      `2026-03-01T10:00:00Z  a\uFFFD\\[2J {10}supplier\\.set    ${code}  b\uFFFDc`,
    ];
    expect(stdout).toMatch(new RegExp(`^${lines.join('\n')}\n$`));
    const none = await runCommand(service.database, ['audit', 'list', '--operator', unique('nobody')]);
    expect(none).toEqual({ exitCode: 0, stdout: 'Nothing was found.\n', stderr: '' });
  });
});
