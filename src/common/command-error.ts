/**
 * An operator command that cannot be done: its sentence is printed, the exit code is 1, and under `--json` both parts
 * are the one document on standard output. (What a REST caller is told is an AppError.)
 *
 * Source: contract, section 6.
 */
export class CommandError extends Error {
  /** @param code stable, snake_case; @param message a sentence that says what to do */
  constructor(
    readonly code: string,
    message: string,
    options: ErrorOptions = {},
  ) {
    super(message, options);
  }
}
