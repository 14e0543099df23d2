import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readEnvironment, StartError } from '../config/env.js';
import { connect, openDatabase } from './open-database.js';
import { folderWith } from '../../../test/support/folders.js';

describe('a start without a usable database', () => {
  let home: string;
  beforeEach(() => {
    home = folderWith();
  });

  /** The error of the start, which must not have tried to start PostgreSQL. */
  async function errorOf(settings: Record<string, string>): Promise<unknown> {
    const printed: string[] = [];
    const opening = openDatabase(readEnvironment(settings), {
      role: 'service',
      say: (sentence) => printed.push(sentence),
    });
    const error: unknown = await opening.catch((thrown: unknown) => thrown);
    expect(printed).toEqual([]);
    return error;
  }

  it.each(['database-password', 'token-signing-key'])(
    'ends with a sentence before it starts PostgreSQL if the file %s is damaged (section 6)',
    async (name) => {
      await writeFile(join(home, name), '');
      expect(await errorOf({ DATA_DIR: home })).toEqual(
        new StartError(
          `The file ${join(home, name)} must hold 64 hexadecimal characters and does not: put it back from the backup, or remove it to have a new one made.`,
        ),
      );
      expect(await readdir(home)).not.toContain('postgres');
    },
  );

  it('ends with a sentence if DATA_DIR cannot be used (section 6)', async () => {
    await writeFile(join(home, 'a file'), '');
    const error = await errorOf({ DATA_DIR: join(home, 'a file') });
    expect(error).toBeInstanceOf(StartError);
    expect((error as Error).message).toMatch(/^DATA_DIR .*a file cannot be used: .*\.$/);
  });

  it('names the folder of the socket if nothing answers there (section 6)', async () => {
    const url = `postgres:///data-import?host=${home}&user=data-import`;
    const environment = readEnvironment({ DATABASE_URL: url, TOKEN_SIGNING_KEY: 'k'.repeat(32) });
    await expect(connect(url, environment)).rejects.toThrow(
      `The database data-import at ${home} (DATABASE_URL) cannot be used: nothing answers at ${home}/.s.PGSQL.5432.`,
    );
  });
});
