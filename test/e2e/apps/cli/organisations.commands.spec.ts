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

  it.each([' ', 'x'.repeat(129), 'a\u001b[31m', 'a\u202eb'])(
    'refuses a name that is blank, longer than 128 characters or has terminal control characters: %j (section 6, T14)',
    async (name) => {
      expect(await runJson(database, ['organisation', 'create', name])).toMatchObject({
        ...refusedWith('wrong_usage', expect.stringContaining('A name has 1 to 128')),
        stderr: '',
      });
    },
  );

  async function organisation(): Promise<string> {
    const { json } = await runJson(database, ['organisation', 'create', unique('Organisation')]);
    return (json as { id: string }).id;
  }
});
