/**
 * An operator command that cannot be carried out. Its sentence is printed and the exit code is 1; with `--json`, code and
 * sentence are the only document on standard output. (REST clients get an AppError.)
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
