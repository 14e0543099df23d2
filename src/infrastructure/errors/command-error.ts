/**
 * An operator command that cannot be carried out. Its sentence is printed and the exit code is 1; under `--json` code and
 * sentence are the one document on standard output. (REST callers get an AppError.)
 *
 * Source: choices, section 6.
 */
export class CommandError extends Error {
  /** @param code stable, snake_case; @param message a sentence that states what to do */
  constructor(
    readonly code: string,
    message: string,
    options: ErrorOptions = {},
  ) {
    super(message, options);
  }
}
