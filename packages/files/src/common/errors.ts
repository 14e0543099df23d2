import { isDiskFull, whyOf } from './system-error.js';

/** The command cannot do what was requested, and the person who called it can change that: exit code 2. */
export class WrongUsage extends Error {}

/** The names or columns of the files do not show how to read them, so a mapping file is needed. */
export class UnknownForm extends WrongUsage {}

/** A file of the folder cannot be read to its end: exit code 2. The message names the file. */
export class UnreadableInput extends Error {}

/** A file was changed while it was being read. */
export class ChangedInput extends UnreadableInput {}

/** The loader cannot write its own files: exit code 3. The message names the file and says what to do. */
export class CannotWrite extends Error {
  constructor(path: string, error: unknown) {
    const help = isDiskFull(error) ? 'Free space on the disk' : 'Check its folder and disk';
    super(`${path} cannot be written: ${whyOf(error)}. ${help}.`, { cause: error });
  }
}
