import type { RegisterCommands } from '../common/operator-command.js';
import { migrate } from './open-database.js';

/** `database …` (contract, section 6). */
export const registerDatabaseCommands: RegisterCommands = (program, action) => {
  program
    .command('database')
    .description('the schema of the database')
    .command('migrate')
    .description('bring the database to the schema of this version')
    .action(
      action(async (session) => {
        const { url, environment } = await session.database();
        const applied = await migrate(url, environment);
        const text =
          applied.length === 0
            ? 'The database is up to date.'
            : `Applied ${applied.length} migrations:\n${applied.map((name) => `  ${name}`).join('\n')}`;
        return { json: { applied }, text };
      }),
    );
};
