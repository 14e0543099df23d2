import { createDatabase } from '../../../support/database.js';
import { runCommand, runJson, refusedWith } from '../../../support/cli.js';
import { setUp } from '../../../support/set-up.js';

describe('data-import catalogue', () => {
  const database = setUp(createDatabase);

  it('adds a value to a catalogue once, and lists the values of one field or of all (X3)', async () => {
    const value = 'V'.repeat(128);
    const added = { field: 'reason', value };
    for (const sentence of ['is now allowed', 'was already allowed']) {
      const { exitCode, stdout } = await runCommand(database, ['catalogue', 'add', 'reason', value]);
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${value} ${sentence} for reason.\n` });
    }
    const again = await runJson(database, ['catalogue', 'add', 'reason', value]);
    expect(again).toMatchObject({ exitCode: 0, json: added });
    const listed = (await runJson(database, ['catalogue', 'list', 'reason'])).json as { field: string }[];
    expect(listed.filter((one) => JSON.stringify(one) === JSON.stringify(added))).toHaveLength(1);
    expect(new Set(listed.map(({ field }) => field))).toEqual(new Set(['reason']));
    const all = (await runJson(database, ['catalogue', 'list'])).json as { field: string }[];
    expect(new Set(all.map(({ field }) => field))).toEqual(
      new Set(['reason', 'payment_type', 'vendor', 'instruction_type']),
    );
    const { stdout } = await runCommand(database, ['catalogue', 'list', 'vendor']);
    expect(stdout).toMatch(/^(vendor {2}\w+\n)+$/);
  });

  it.each([
    ['Allowed choices are reason, payment_type, vendor, instruction_type.', ['add', 'colour', 'RED']],
    ['Allowed choices are reason, payment_type, vendor, instruction_type.', ['list', 'colour']],
    ['A value has 1 to 128 characters.', ['add', 'reason', '']],
    ['A value has 1 to 128 characters.', ['add', 'reason', 'X'.repeat(129)]],
  ])('ends as wrong usage: %s, %j', async (detail, args) => {
    expect(await runJson(database, ['catalogue', ...args])).toEqual({
      ...refusedWith('wrong_usage', expect.stringContaining(detail)),
      stderr: '',
    });
  });
});
