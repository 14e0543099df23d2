import { createDatabase } from '../../../support/database.js';
import { runCommand, runJson, refusedWith } from '../../../support/cli.js';
import { unique } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';

describe('data-import organisation', () => {
  const database = setUp(createDatabase);

  it('creates an organisation (section 6)', async () => {
    const name = unique('Supplier & Söhne');
    const created = await runJson(database, ['organisation', 'create', name]);
    expect(created).toEqual({ exitCode: 0, stderr: '', json: { id: expect.any(String) as string, name } });
    expect(Object.keys(created.json as object)).toEqual(['id', 'name']);
  });

  it('reads --json after -- as a name and not as an option (section 6)', async () => {
    const { exitCode, stdout } = await runCommand(database, ['organisation', 'create', '--', '--json']);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^Created the organisation --json \([^\n]*\)\.\n$/) as string,
    });
  });

  it('lists organisations as a table (section 6)', async () => {
    const [name, id] = [unique('Organisation'), await organisation()];
    await database.sql('UPDATE organisation SET name = $1 WHERE id = $2', [name, id]);
    const { stdout } = await runCommand(database, ['organisation', 'list']);
    expect(stdout).toMatch(new RegExp(`^${name} +${id}$`, 'm'));
  });

  it('refuses a name that is in use (section 6)', async () => {
    const name = unique('Organisation');
    await runJson(database, ['organisation', 'create', name]);
    expect(await runJson(database, ['organisation', 'create', name])).toMatchObject(
      refusedWith('organisation_exists'),
    );
  });

  it.each(['', ' ', ' a', 'a\u00a0', 'x'.repeat(129), 'a\u001b[31m', 'a\u202eb'])(
    'refuses a name that is blank, too long, or has control characters or spaces at its ends: %j (section 6, T14)',
    async (name) => {
      const refused = refusedWith('wrong_usage', expect.stringContaining('A name has 1 to 128'));
      for (const words of [['create'], ['rename', 'x']]) {
        const end = await runJson(database, ['organisation', ...words, name]);
        expect(end).toMatchObject({ ...refused, stderr: '' });
      }
    },
  );

  it('renames an organisation by its name or id, which keeps its keys and suppliers (section 6, A8, O6)', async () => {
    const [id, other, code] = [await organisation(), unique('Other'), unique('SUPPLIER')];
    const [first, last] = [` ${unique('From before')}`, unique('Last')];
    await database.sql('UPDATE organisation SET name = $1 WHERE id = $2', [first, id]);
    await runJson(database, ['organisation', 'create', other]);
    await runJson(database, ['supplier', 'create', code, '--name', 'x', '--organisation', first]);
    const { json: key } = await runJson(database, ['api-key', 'issue', id]);
    const rename = (...words: string[]): ReturnType<typeof runJson> =>
      runJson(database, ['organisation', 'rename', ...words]);
    expect(await rename(first, other)).toMatchObject(refusedWith('organisation_exists'));
    expect(await rename(first, last)).toEqual({ exitCode: 0, stderr: '', json: { id, name: last } });
    expect(await rename(id, last)).toMatchObject({ exitCode: 0 });
    expect(await rename(first, unique('Gone'))).toMatchObject(refusedWith('organisation_not_found'));
    const shown = await runJson(database, ['supplier', 'show', code]);
    expect(shown.json).toMatchObject({ organisations: [last] });
    const keys = await runJson(database, ['api-key', 'list', last]);
    expect(keys.json).toMatchObject([{ id: (key as { id: string }).id }]);
    const changes = await database.sql(
      `SELECT subject, details FROM audit_entry WHERE action = 'organisation.rename'`,
    );
    expect(changes).toEqual([{ subject: first, details: { from: { name: first }, to: { name: last } } }]);
  });

  it('names a variable that is a misspelt setting, once, and runs (section 6)', async () => {
    const args = ['organisation', 'list', '--json'];
    const { exitCode, stderr } = await runCommand(database, args, '', { DATA_DRI: '/nowhere' });
    const warning = 'The variable DATA_DRI is no setting. Did you mean DATA_DIR?\n';
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: warning });
  });

  async function organisation(): Promise<string> {
    const { json } = await runJson(database, ['organisation', 'create', unique('Organisation')]);
    return (json as { id: string }).id;
  }
});
