import { codeOf, isDiskFull, whyOf } from './system-error.js';

/** The command cannot do what it was asked to, and its caller can change that: exit code 2. */
export class WrongUsage extends Error {}

/** Files whose names or columns say nothing without a mapping file. */
export class UnknownForm extends WrongUsage {}

/** A file of the folder cannot be read to its end: exit code 2. The message names the file. */
export class UnreadableInput extends Error {}

/** A file was changed while it was being read. */
export class ChangedInput extends UnreadableInput {}

/** What the loader keeps cannot be written: exit code 3. The message names the file, and what to do. */
export class CannotWrite extends Error {
  readonly code: string | undefined;

  constructor(path: string, error: unknown) {
    const help = isDiskFull(error) ? 'Free space on the disk' : 'Check its folder and disk';
    super(`${path} cannot be written: ${whyOf(error)}. ${help}.`, { cause: error });
    this.code = codeOf(error);
  }
}
