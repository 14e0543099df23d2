/** The library's codes for answers that do not follow the protocol, for example of a proxy while the provider is down. */
const NO_ANSWER = new Set(['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON']);

/** The provider cannot be used, or its answer is not accepted. The message is for the log: it has no token and no claim. */
export class ProviderError extends Error {
  /** Whether there was no answer, so that the same sign-in may succeed later. */
  readonly isAway: boolean;

  constructor(thrown: unknown) {
    const { message, code = '', error, cause } = thrown as Error & { code?: string; error?: string };
    const { message: reason, code: reasonCode } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
    super(
      [message, error, reason, reasonCode]
        .filter((part) => typeof part === 'string' && part !== '')
        .join(': '),
    );
    this.isAway = !code.startsWith('OAUTH_') || NO_ANSWER.has(code);
  }
}
