import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
  type Configuration,
  type IDToken,
} from 'openid-client';
import { ENVIRONMENT, type Environment } from '../../../infrastructure/config/settings.js';
import { ADDRESSES } from '../common/addresses.js';
import type { SentQuery } from '../common/parameters.js';
import type { BegunSignIn } from './begun-sign-ins.js';
import { ProviderError } from './provider-error.js';

/** The largest accepted difference between the clocks of provider and service. */
const CLOCK_TOLERANCE_SECONDS = 30;

/**
 * The OpenID Connect provider at which people sign in. It is found when it is first needed, so that the service starts without it,
 * and again after anything failed, so that what has changed there is noticed.
 *
 * Source: choice C1.
 */
@Injectable()
export class IdentityProvider {
  /** Longest time of a step of a sign-in, which may be several requests to the provider, in milliseconds. */
  readonly timeoutMs: number = 5_000;
  private readonly logger = new Logger('identity provider');
  private found: Promise<Configuration> | undefined;

  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {}

  /** The address at which a person signs in. */
  addressFor({ state, nonce, verifier }: BegunSignIn): Promise<string | ProviderError> {
    return this.ask(async (provider) => {
      const address = buildAuthorizationUrl(provider, {
        redirect_uri: this.callback().href,
        scope: 'openid profile',
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...{ state, nonce },
      });
      return address.href;
    });
  }

  /**
   * The claims of the id token of the person who has signed in. The library checks its signature only if it is told to.
   *
   * @param query with which the provider has led the browser back
   */
  claimsOf(query: SentQuery, { state, nonce, verifier }: BegunSignIn): Promise<IDToken | ProviderError> {
    const address = this.callback();
    for (const [name, value] of Object.entries(query))
      if (typeof value === 'string') address.searchParams.set(name, value);
    return this.ask(async (provider) => {
      const tokens = await authorizationCodeGrant(provider, address, {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('there is no id token');
      return claims;
    });
  }

  /** The address at which the session at the provider ends; undefined when it has none. */
  signOutAddress(): Promise<string | undefined | ProviderError> {
    return this.ask((provider) =>
      provider.serverMetadata().end_session_endpoint === undefined
        ? undefined
        : buildEndSessionUrl(provider).href,
    );
  }

  private async ask<Answer>(
    question: (provider: Configuration) => Answer | Promise<Answer>,
  ): Promise<Answer | ProviderError> {
    const end = new AbortController();
    try {
      this.found ??= this.discover();
      return await Promise.race([this.found.then(question), this.late(end.signal)]);
    } catch (error) {
      this.found = undefined;
      const failure = new ProviderError(error);
      this.logger.warn({ msg: 'a person cannot sign in', reason: failure.message });
      return failure;
    } finally {
      end.abort();
    }
  }

  /** The library only limits the time of each request. */
  private async late(end: AbortSignal): Promise<never> {
    await delay(this.timeoutMs, undefined, { signal: end });
    throw new Error('the provider is too slow');
  }

  private async discover(): Promise<Configuration> {
    const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET } = this.environment;
    const server = new URL(OIDC_ISSUER);
    const client = { client_secret: OIDC_CLIENT_SECRET, [clockTolerance]: CLOCK_TOLERANCE_SECONDS };
    const found = await discovery(server, OIDC_CLIENT_ID, client, undefined, {
      timeout: this.timeoutMs / 1_000,
      // The setting accepts http: on this machine only.
      execute: [enableNonRepudiationChecks, ...(server.protocol === 'http:' ? [allowInsecureRequests] : [])],
    });
    const { issuer } = found.serverMetadata();
    // The library also accepts the address of many tenants, of which anybody can create one and choose its claims.
    if (issuer !== OIDC_ISSUER)
      throw new Error(`the provider calls itself ${issuer}, and OIDC_ISSUER differs`);
    return found;
  }

  /** Never from a header of the request, which the client chooses. */
  private callback(): URL {
    return new URL(ADDRESSES.signInCallback, this.environment.CONSOLE_URL);
  }
}
