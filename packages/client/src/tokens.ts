import { unlessAborted } from './abort.js';
import type { Clock } from './clock.js';
import { ApiKeyRefusedError, InvalidInputError, ServiceError } from './errors.js';

/** The API key, or a function that reads it whenever it is needed. */
export type ApiKey = string | (() => string | Promise<string>);

/** The answer of `obtainServiceToken`. */
export interface ServiceToken {
  readonly token: string;
  /** Unix seconds by the service's clock. */
  readonly payload: { readonly iat: number; readonly exp: number };
  readonly refreshToken: string;
  /** Unix seconds at which the refresh token expires. */
  readonly refreshExpiresIn: number;
}

export type ObtainInput = { readonly apiKey: string } | { readonly refreshToken: string };

/** A token, with times in milliseconds of the client's clock. */
interface HeldToken {
  readonly token: string;
  readonly renewAt: number;
  readonly refreshToken: string;
  readonly refreshUntil: number;
}

/** A token is renewed when this share of its lifetime is left, */
const MARGIN_SHARE = 0.1;
/** but no earlier than this long before it expires. */
const MARGIN_MAX_MS = 60_000;

/** The token of a client: obtained when first needed and renewed before it expires, by a single call for all waiting calls. */
export class Tokens {
  readonly #apiKey: ApiKey;
  readonly #obtain: (input: ObtainInput) => Promise<ServiceToken>;
  readonly #clock: Clock;
  #held: HeldToken | undefined;
  #renewal: Promise<HeldToken> | undefined;
  #refused: { readonly key: string; readonly error: ServiceError } | undefined;

  constructor(apiKey: ApiKey, obtain: (input: ObtainInput) => Promise<ServiceToken>, clock: Clock) {
    this.#apiKey = apiKey;
    this.#obtain = obtain;
    this.#clock = clock;
  }

  /** @throws ApiKeyRefusedError, InvalidInputError, and whatever the call for a token throws */
  async current(signal?: AbortSignal): Promise<string> {
    if (this.#held && this.#clock.now() < this.#held.renewAt) return this.#held.token;
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined;
    });
    // The call that began the renewal may have been aborted, and then nobody handles a failure.
    this.#renewal.catch(() => undefined);
    const { token } = await unlessAborted(this.#renewal, signal);
    return token;
  }

  /**
   * Discard a token that the service no longer accepts, unless it has been replaced meanwhile.
   *
   * @param isRefreshable whether its refresh token may still be valid
   */
  discard(token: string, isRefreshable: boolean): void {
    if (this.#held?.token !== token) return;
    this.#held = { ...this.#held, renewAt: -Infinity, ...(!isRefreshable && { refreshUntil: -Infinity }) };
  }

  async #renew(): Promise<HeldToken> {
    const began = this.#clock.now();
    const { token, payload, refreshToken, refreshExpiresIn } = await this.#obtainNext(began);
    // Both times are the service's, so the client's clock may be wrong.
    const lifetimeMs = (payload.exp - payload.iat) * 1_000;
    this.#held = {
      token,
      renewAt: began + lifetimeMs - Math.min(MARGIN_MAX_MS, lifetimeMs * MARGIN_SHARE),
      refreshToken,
      refreshUntil: began + (refreshExpiresIn - payload.iat) * 1_000,
    };
    return this.#held;
  }

  async #obtainNext(now: number): Promise<ServiceToken> {
    if (this.#held && now < this.#held.refreshUntil) {
      try {
        return await this.#obtain({ refreshToken: this.#held.refreshToken });
      } catch (error) {
        if (!isRefusal(error)) throw error;
        // Do not send the refresh token again, even if the API key is refused too.
        this.#held = { ...this.#held, refreshUntil: -Infinity };
      }
    }
    return this.#obtainByKey();
  }

  async #obtainByKey(): Promise<ServiceToken> {
    const key: unknown = typeof this.#apiKey === 'function' ? await this.#apiKey() : this.#apiKey;
    if (typeof key !== 'string') throw new InvalidInputError('apiKey', 'the function must return a string');
    // A further attempt would fail too, and too many of them are throttled.
    if (this.#refused?.key === key) throw refusalOf(this.#refused.error);
    try {
      return await this.#obtain({ apiKey: key });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#refused = { key, error };
      throw refusalOf(error);
    }
  }
}

/**
 * Error codes of `obtainServiceToken` that mean that the credential is not accepted. `throttled` is one of them, because a valid
 * credential is never throttled (docs/write-a-client.md).
 */
const REFUSALS: ReadonlySet<string> = new Set([
  ...['authentication_failed', 'invalid_input', 'throttled'],
  ...['token_expired', 'token_revoked', 'refresh_token_expired', 'refresh_token_invalid'],
]);

function isRefusal(error: unknown): error is ServiceError {
  return error instanceof ServiceError && REFUSALS.has(error.code);
}

function refusalOf({ code, detail, requestId, status }: ServiceError): ApiKeyRefusedError {
  const sentence = `The service does not accept the API key: ${detail}`;
  return new ApiKeyRefusedError({
    code: 'api_key_refused',
    detail: code === 'throttled' ? `${sentence} Other calls with a rejected key came before it.` : sentence,
    requestId,
    status,
  });
}
