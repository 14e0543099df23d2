import { createDatabase } from '../../../support/database.js';
import { runCommand, runJson, refusedWith } from '../../../support/cli.js';
import { unique } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';

describe('data-import supplier', () => {
  const database = setUp(createDatabase);

  it('creates a supplier and sets it (S1, A8)', async () => {
    await database.sql(`INSERT INTO organisation (name) VALUES ('Beta'), ('Alpha')`);
    const created = await runJson(database, [
      ...['supplier', 'create', 'ACME', '--name', 'Acme Energy'],
      ...['--organisation', 'Beta', '--organisation', 'Alpha'],
    ]);
    const expected = {
      code: 'ACME',
      name: 'Acme Energy',
      status: 'ongoing',
      document_root: 'ACME',
      document_check: 'deferred',
      customer_emails: false,
      cut_over: null,
      quiet_after: '24h',
      organisations: ['Alpha', 'Beta'],
    };
    expect(created).toEqual({ exitCode: 0, stderr: '', json: expected });
    const pause = ['supplier', 'set', 'ACME', '--status', 'paused', '--customer-emails', 'on'];
    for (let times = 0; times < 2; times += 1) {
      const { json } = await runJson(database, pause);
      expect(json).toEqual({ ...expected, status: 'paused', customer_emails: true });
    }
    const revoked = await runJson(database, ['supplier', 'revoke', 'ACME', 'Beta']);
    expect(revoked.json).toMatchObject({ organisations: ['Alpha'] });
    const listed = await runCommand(database, ['supplier', 'list']);
    expect(listed.stdout).toMatch(/^Code {2}.*\nACME {2}Acme Energy {2}paused {2}Alpha\n$/);
  });

  it('prints a supplier with one setting per line (section 6)', async () => {
    const code = unique('SHOWN');
    await supplier(code);
    const { stdout } = await runCommand(database, ['supplier', 'show', code]);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['Code', code],
      ['Name', code],
      ['Status', 'ongoing'],
      ['Document root', code],
      ['Document check', 'deferred'],
      ['Customer e-mails', 'off'],
      ['Cut-over', 'none'],
      ['Quiet after', '24h'],
      ['Organisations', 'none'],
      [''],
    ]);
  });

  it('sets the day of the cut-over, and when missing rows are a problem (section 6, C12)', async () => {
    const code = unique('PLANNED');
    await supplier(code);
    const set = async (...args: string[]): Promise<unknown> => {
      const { exitCode, json } = await runJson(database, ['supplier', 'set', code, ...args]);
      const { cut_over, quiet_after } = json as { cut_over?: unknown; quiet_after?: unknown };
      return exitCode === 0 ? [cut_over, quiet_after] : exitCode;
    };
    expect(await set('--cut-over', '2026-12-12')).toEqual(['2026-12-12', '24h']);
    for (const [text, shown] of Object.entries({ '90s': '90s', '1m': '1m', '7d': '168h', off: null })) {
      expect(await set('--quiet-after', text)).toEqual(['2026-12-12', shown]);
    }
    expect(await set('--cut-over', 'none')).toEqual([null, null]);
    for (const wrong of ['59s', '8d', '1', 'never']) expect(await set('--quiet-after', wrong)).toBe(2);
    for (const wrong of ['2026-02-30', 'soon']) expect(await set('--cut-over', wrong)).toBe(2);
    expect(await set()).toBe(2);
  });

  it('archives a complete supplier, which is then not listed until it is shown again or reopened (S11, O6)', async () => {
    const code = unique('OVER');
    await supplier(code);
    const run = (...args: string[]): ReturnType<typeof runJson> => runJson(database, ['supplier', ...args]);
    const listed = async (...args: string[]): Promise<boolean> =>
      ((await run('list', ...args)).json as { code: string }[]).some((one) => one.code === code);
    expect(await run('archive', code)).toMatchObject({
      exitCode: 1,
      json: {
        error: {
          code: 'import_supplier_not_complete',
          detail: expect.stringContaining(`"data-import migration complete ${code}"`) as string,
        },
      },
    });
    await run('set', code, '--status', 'complete');
    for (let times = 0; times < 2; times += 1) {
      const { json } = await run('archive', code);
      expect(json).toMatchObject({
        ...{ code, status: 'complete' },
        archived_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      });
    }
    expect([await listed(), await listed('--archived'), await listed('--all')]).toEqual([false, true, true]);
    const { stdout } = await runCommand(database, ['supplier', 'list', '--archived']);
    expect(stdout).toMatch(new RegExp(`^${code} .*complete, archived \\d{4}-`, 'm'));
    expect((await run('archive', code, '--undo')).json).not.toHaveProperty('archived_at');
    expect([await listed(), await listed('--archived'), await listed('--all')]).toEqual([true, false, true]);
    await run('archive', code);
    expect((await run('set', code, '--status', 'ongoing')).json).not.toHaveProperty('archived_at');
    const actions = await database.sql<{ action: string }>(
      `SELECT action FROM audit_entry WHERE import_supplier = $1 AND action <> 'supplier.set' ORDER BY at, id`,
      [code],
    );
    expect(actions.map(({ action }) => action)).toEqual([
      ...['supplier.archive', 'supplier.unarchive', 'supplier.archive'],
    ]);
  });

  it('names the suppliers and organisations that may have been meant (section 6)', async () => {
    await supplier('NORTHWIND');
    await database.sql(`INSERT INTO organisation (name) VALUES ('Northwind Energy')`);
    const detailOf = async (...args: string[]): Promise<string> =>
      ((await runJson(database, args)).json as { error: { detail: string } }).error.detail;
    const code = 'There is no import supplier with the code nortwind. Did you mean NORTHWIND?';
    expect(await detailOf('supplier', 'show', 'nortwind')).toBe(code);
    expect(await detailOf('accounts', 'stage', 'nortwind', '-')).toBe(code);
    expect(await detailOf('audit', 'list', '--supplier', 'nortwind')).toBe(code);
    const issue = ['platform-key', 'issue', 'x', '--expires-in', '1d', '--supplier'];
    expect(await detailOf(...issue, 'nortwind')).toBe(code);
    expect(await detailOf('api-key', 'list', 'Nortwind Enrgy')).toBe(
      "There is no organisation with the name or id Nortwind Enrgy. Did you mean 'Northwind Energy'?",
    );
    expect(await detailOf('supplier', 'show', 'SOMETHINGELSE')).toBe(
      'There is no import supplier with the code SOMETHINGELSE.',
    );
  });

  it('revokes the grant of one supplier to one organisation, and no other (A8)', async () => {
    const [one, other] = [unique('ONE'), unique('OTHER')];
    const [alpha, beta] = [unique('Alpha'), unique('Beta')];
    await supplier(one);
    await supplier(other);
    await database.sql(`INSERT INTO organisation (name) SELECT unnest($1::text[])`, [[alpha, beta]]);
    for (const code of [one, other]) {
      for (const organisation of [alpha, beta, alpha]) {
        const granted = await runJson(database, ['supplier', 'grant', code, organisation]);
        expect(granted.exitCode).toBe(0);
      }
    }
    const revoked = await runJson(database, ['supplier', 'revoke', one, beta]);
    expect(revoked).toMatchObject({ exitCode: 0, json: { organisations: [alpha] } });
    const shown = await runJson(database, ['supplier', 'show', other]);
    expect(shown.json).toMatchObject({ organisations: [alpha, beta] });
  });

  it.each([
    ['supplier_exists', ['create', 'EXISTING', '--name', 'x']],
    ['organisation_not_found', ['grant', 'EXISTING', 'Nobody']],
    ['organisation_not_found', ['create', 'NEW', '--name', 'x', '--organisation', 'Nobody']],
    ['invalid_supplier', ['create', 'NEW', '--name', 'x', '--document-root', '../up']],
    ['invalid_supplier', ['create', 'NEW', '--name', 'x', '--document-root', '']],
    ['invalid_supplier', ['create', '../up', '--name', 'x']],
    ['invalid_supplier', ['create', '', '--name', 'x', '--document-root', 'x']],
    ...['X'.repeat(65), '.X', '_X', 'É', 'A/B', 'A B', 'N\u009b', 'A\n'].map((code): [string, string[]] => [
      'invalid_supplier',
      ['create', code, '--name', 'x', '--document-root', 'x'],
    ]),
    ['invalid_supplier', ['create', 'NEW', '--name', '']],
    ['invalid_supplier', ['create', 'NEW', '--name', 'x'.repeat(257)]],
    ['invalid_supplier', ['create', 'NEW', '--name', 'x\u2066']],
    ['invalid_supplier', ['create', 'NEW', '--name', ' x']],
    ['invalid_supplier', ['set', 'EXISTING', '--name', '']],
    ['invalid_supplier', ['set', 'EXISTING', '--document-root', 'down/../../up']],
    ['invalid_supplier', ['set', 'EXISTING', '--document-root', '/absolute']],
    ['invalid_supplier', ['set', 'EXISTING', '--document-root', '']],
    ['supplier_not_found', ['set', 'NOBODY', '--document-root', 'x']],
    ['supplier_not_found', ['show', 'NOBODY']],
  ])('refuses with %s in one document: %j', async (code, args) => {
    await database.sql(
      `INSERT INTO import_supplier (code, name, document_root) VALUES ('EXISTING', 'x', 'x') ON CONFLICT DO NOTHING`,
    );
    expect(await runJson(database, ['supplier', ...args])).toEqual({
      ...refusedWith(code, expect.stringMatching(/^[^\n]+\.$/)),
      stderr: '',
    });
  });

  it.each([
    ["unknown command 'sohw'. Did you mean supplier show?", ['sohw', 'X']],
    ['nothing to change: name at least one setting', ['set', 'X']],
    ['Allowed choices are ongoing, paused, complete.', ['set', 'X', '--status', 'closed']],
    ['Allowed choices are deferred, reject.', ['set', 'X', '--document-check', 'sometimes']],
    ['Allowed choices are on, off.', ['set', 'X', '--customer-emails', 'yes']],
    ["required option '--name <name>' not specified", ['create', 'X']],
    ["unknown option '--colour'", ['list', '--colour', 'red']],
    ["too many arguments for 'show'. Expected 1 argument but got 2.", ['show', 'X', 'Y']],
    ['A command is missing', []],
  ])('ends as wrong usage, in one document: %s, %j', async (detail, args) => {
    const { json, ...end } = await runJson(database, ['supplier', ...args]);
    expect(end).toEqual({ exitCode: 2, stderr: '' });
    expect(json).toEqual({
      error: { code: 'wrong_usage', detail: expect.stringContaining(detail) as string },
    });
    expect(JSON.stringify(json)).not.toContain('\\n');
  });

  it('prints no terminal control character (section 6)', async () => {
    const show = ['supplier', 'show', '\u001b[31m\u009b\u202e'];
    const { stderr } = await runCommand(database, show);
    expect(stderr).toContain('\ufffd[31m\ufffd\ufffd');
    expect((await runCommand(database, [...show, '--json'])).stdout).toContain('\\u001b[31m\\u009b\\u202e');
  });

  it('creates a supplier with the longest code and name (T14, F1)', async () => {
    const [code, name] = ['0._-' + 'X'.repeat(60), 'n'.repeat(256)];
    const created = await runJson(database, [
      ...['supplier', 'create', code, '--name', name, '--document-root', 'folder/of it'],
    ]);
    expect(created).toMatchObject({ exitCode: 0, json: { code, name, document_root: 'folder/of it' } });
    const set = await runJson(database, ['supplier', 'set', code, '--document-root', 'another']);
    expect(set.json).toEqual({ ...(created.json as object), document_root: 'another' });
  });

  it('renames a supplier, also one with a code that no new one can have (T14)', async () => {
    const code = `../${unique('EARLIER')} 😀`;
    await supplier(code);
    for (let times = 0; times < 2; times += 1) {
      const { json } = await runJson(database, ['supplier', 'set', code, '--name', 'Renamed']);
      expect(json).toMatchObject({ code, name: 'Renamed', document_root: code });
    }
    const changes = await database.sql(`SELECT details FROM audit_entry WHERE import_supplier = $1`, [code]);
    expect(changes).toEqual([{ details: { from: { name: code }, to: { name: 'Renamed' } } }]);
  });

  async function supplier(code: string): Promise<void> {
    await database.sql(`INSERT INTO import_supplier (code, name, document_root) VALUES ($1, $1, $1)`, [code]);
  }
});
