import { Inject, Injectable } from '@nestjs/common';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { ENVIRONMENT, type Environment } from '../../../infrastructure/config/settings.js';
import { BEGUN_SECONDS } from '../signed-in/cookies.js';
import { signerOf } from '../signed-in/session-cookies.js';

/** A sign-in that a person has begun at the provider. */
export interface BegunSignIn {
  /** The provider sends it back, which shows that this browser began the sign-in. */
  readonly state: string;
  /** The provider puts it into the id token. */
  readonly nonce: string;
  /** Proves to the provider that the code is redeemed by the service that began the sign-in (PKCE). */
  readonly verifier: string;
  /** The page to open afterwards, as sent. */
  readonly next: unknown;
  readonly untilMs: number;
}

/**
 * Sign-ins that persons have begun, each in a signed cookie of its browser, so that a click stores nothing.
 *
 * Source: choice C1.
 */
@Injectable()
export class BegunSignIns {
  private readonly signer;

  constructor(@Inject(ENVIRONMENT) environment: Pick<Environment, 'TOKEN_SIGNING_KEY'>) {
    this.signer = signerOf(environment, 'sign-in');
  }

  /** @param next the page to open afterwards */
  begin(next: string | undefined): BegunSignIn {
    return {
      state: randomState(),
      nonce: randomNonce(),
      verifier: randomPKCECodeVerifier(),
      next,
      untilMs: Date.now() + BEGUN_SECONDS * 1_000,
    };
  }

  /** The value for the cookie. */
  signed(begun: BegunSignIn): string {
    return this.signer.sign(Buffer.from(JSON.stringify(begun)).toString('base64url'));
  }

  /** The sign-in in a cookie; undefined when this service did not sign the cookie, or the sign-in has expired. */
  read(cookie: string | undefined): BegunSignIn | undefined {
    const { value } = this.signer.unsign(cookie ?? '');
    if (value === null) return undefined;
    const begun = JSON.parse(Buffer.from(value, 'base64url').toString()) as BegunSignIn;
    return begun.untilMs > Date.now() ? begun : undefined;
  }
}
