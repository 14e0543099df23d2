import { randomUUID } from 'node:crypto';
import { signalOfCall } from './abort.js';
import { dataOf, serviceError } from './answers.js';
import { checkOptions, OPTIONS } from './check-options.js';
import { SYSTEM_CLOCK, type Clock } from './clock.js';
import { AuthenticationError, DataImportError } from './errors.js';
import type { CallOptions, ClientOptions } from './options.js';
import { retryReasonOf, waitBeforeRetry } from './retry.js';
import { Tokens, type ObtainInput, type ServiceToken } from './tokens.js';
import { Transport, type Answer, type Message, type OpenAnswer } from './transport.js';

/** Version of this package. A test compares it with package.json. */
export const VERSION = '1.0.0';

const GRAPHQL = '/v1/graphql/';
const OBTAIN =
  'mutation ($input: ObtainServiceTokenInput!) { obtainServiceToken(input: $input) { token payload refreshToken refreshExpiresIn } }';

/** The request of one call. */
export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** Media type of the answer; JSON by default. */
  readonly accept?: string;
  /** Additional time for a request on which the service waits on purpose before it answers. */
  readonly waitMs?: number;
  /** Whether the request may be sent again even if it may already have been stored. */
  readonly isRepeatable: boolean;
}

/** Sends calls with the current token and retries them as documented. */
export class Caller {
  readonly #options: ClientOptions;
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #tokens: Tokens;
  readonly #userAgent: string;
  #serviceVersion: string | undefined;

  /** @throws InvalidInputError for invalid options */
  constructor(options: ClientOptions) {
    checkOptions(options, OPTIONS.client);
    const {
      apiKey,
      baseUrl,
      connections = 8,
      timeoutMs = 60_000,
      ca,
      userAgent,
      clock = SYSTEM_CLOCK,
    } = options;
    const own = `data-import-client/${VERSION}`;
    this.#userAgent = userAgent === undefined ? own : `${userAgent} ${own}`;
    this.#options = options;
    this.#clock = clock;
    this.#transport = new Transport({ baseUrl, connections, timeoutMs, ca });
    this.#tokens = new Tokens(apiKey, (input) => this.#obtainToken(input), clock);
  }

  /** Version of the service, from its latest answer. */
  get serviceVersion(): string | undefined {
    return this.#serviceVersion;
  }

  close(): void {
    this.#transport.close();
  }

  /**
   * Send a call, with retries.
   *
   * @param read interprets the answer; a retryable error that it throws is retried too
   */
  async send(call: Call, options: CallOptions, read: (answer: Answer) => unknown): Promise<unknown> {
    const { signal, release } = signalOfCall(options.signal);
    try {
      return await this.#repeat(call, { ...options, ...(signal && { signal }) }, async (message) =>
        read(this.#seen(await this.#transport.send(message))),
      );
    } finally {
      release();
    }
  }

  /** Like {@link send}, for an answer that the caller reads while it arrives. The caller provides the call's own signal. */
  stream(call: Call, options: CallOptions): Promise<OpenAnswer> {
    return this.#repeat(call, options, async (message) => {
      const answer = this.#seen(await this.#transport.stream(message));
      if (answer.status === 200) return answer;
      throw serviceError({ ...answer, text: await answer.text() }, call.isRepeatable);
    });
  }

  /**
   * Wait before a retry.
   *
   * @param attempt number of failed attempts
   * @throws the error itself if there is no further retry, or the reason of the signal
   */
  async pause(error: unknown, attempt: number, beganAt: number, options: CallOptions): Promise<void> {
    if (!(error instanceof DataImportError)) throw error;
    const { retry = this.#options.retry ?? {}, signal, requestId } = options;
    const progress = { attempt, elapsedMs: this.#clock.now() - beganAt };
    const waitMs = waitBeforeRetry(error, progress, retry, this.#clock.random);
    if (waitMs === undefined) throw error;
    const id = error.requestId ?? requestId ?? '';
    this.#options.onRetry?.({ reason: retryReasonOf(error), waitMs, requestId: id, attempt, error });
    if (waitMs > 0) await this.#clock.sleep(waitMs, signal);
  }

  now(): number {
    return this.#clock.now();
  }

  async #repeat<Result>(
    call: Call,
    options: CallOptions,
    exchange: (message: Message) => Promise<Result>,
  ): Promise<Result> {
    const message = this.#messageOf(call, options);
    const beganAt = this.#clock.now();
    for (let attempt = 1; ; attempt += 1) {
      options.signal?.throwIfAborted();
      try {
        return await this.#authorised(message, exchange);
      } catch (error) {
        await this.pause(error, attempt, beganAt, options);
      }
    }
  }

  /** Send with the current token, and once more with a new token if the service does not accept it. */
  async #authorised<Result>(
    message: Message,
    exchange: (message: Message) => Promise<Result>,
  ): Promise<Result> {
    const withToken = (token: string): Promise<Result> =>
      exchange({ ...message, headers: { ...message.headers, authorization: `Token ${token}` } });
    const token = await this.#tokens.current(message.signal);
    try {
      return await withToken(token);
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
      this.#tokens.discard(token, error.code === 'token_expired');
    }
    return withToken(await this.#tokens.current(message.signal));
  }

  #messageOf(call: Call, { signal, requestId = randomUUID(), timeoutMs }: CallOptions): Message {
    const { method, path, body, accept, waitMs = 0, isRepeatable } = call;
    return {
      method,
      path,
      headers: {
        'user-agent': this.#userAgent,
        'x-request-id': requestId,
        ...(accept !== undefined && { accept }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : Buffer.from(body),
      requestId,
      timeoutMs: (timeoutMs ?? this.#options.timeoutMs ?? 60_000) + waitMs,
      signal,
      isRepeatable,
    };
  }

  /** Note the service's version. A proxy's answer has none. */
  #seen<Seen extends Pick<Answer, 'headers'>>(answer: Seen): Seen {
    const version = answer.headers['x-data-import-version'];
    if (typeof version === 'string') this.#serviceVersion = version;
    return answer;
  }

  /** Sent once: the call that needs the token is retried. */
  async #obtainToken(input: ObtainInput): Promise<ServiceToken> {
    const body = JSON.stringify({ query: OBTAIN, variables: { input } });
    const message = this.#messageOf({ method: 'POST', path: GRAPHQL, body, isRepeatable: true }, {});
    const answer = this.#seen(await this.#transport.send(message));
    return (dataOf(answer) as { obtainServiceToken: ServiceToken }).obtainServiceToken;
  }
}
