import { Inject, Injectable } from '@nestjs/common';
import { ApiKeysService } from '../../../auth/api-keys.service.js';
import { clientSubject } from '../../../auth/client-subject.js';
import { RateLimiterService } from '../../../auth/rate-limiter.service.js';
import { TokenFailuresService } from '../../../auth/token-failures.service.js';
import { ENVIRONMENT, type Environment } from '../../../infrastructure/config/settings.js';
import { PageNotFound } from '../common/page-errors.js';
import type { SentQuery } from '../common/parameters.js';
import { SessionsService } from '../signed-in/sessions.service.js';
import type { SignedInUser } from '../signed-in/signed-in-user.js';
import { BegunSignIns } from './begun-sign-ins.js';
import { IdentityProvider } from './identity-provider.js';
import { noOrganisation, personOf } from './person-of.js';
import { ProviderError } from './provider-error.js';
import type { BeginOutcome, SignInOutcome, SignInWays, Throttled } from './sign-in.types.js';

/** The most sign-ins of one API key or person. */
const SIGN_INS_PER_MINUTE = 10;
/** The most steps at the provider for one network address, which all people of an office may share. */
const PROVIDER_CALLS_PER_MINUTE = 60;

/** A browser that wants to sign in. */
export interface Visitor {
  /** Network address, by which failed sign-ins are counted. */
  readonly address: string;
  /** The user whose session the new one replaces. */
  readonly user: SignedInUser | undefined;
}

/** Signs users in. */
@Injectable()
export class SignInService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly apiKeys: ApiKeysService,
    private readonly failures: TokenFailuresService,
    private readonly rateLimiter: RateLimiterService,
    private readonly provider: IdentityProvider,
    private readonly begun: BegunSignIns,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  get ways(): SignInWays {
    const { OIDC_ROLES, CONSOLE_KEY_SIGN_IN, CONSOLE_LINKS } = this.environment;
    return {
      provider: OIDC_ROLES !== undefined,
      keys: CONSOLE_KEY_SIGN_IN === 'on',
      links: CONSOLE_LINKS === 'on',
    };
  }

  /**
   * Sign an admin in with an API key of the organisation. A rejected key counts as a failed token call of the address.
   *
   * @throws PageNotFound when no key signs in here
   * Source: choices A9, A10, C1.
   */
  async withApiKey(key: string, { address, user }: Visitor): Promise<SignInOutcome> {
    if (!this.ways.keys) throw new PageNotFound();
    const subject = await this.apiKeys.verify(key.trim(), 'sign_in');
    if (!subject) return this.fail(address);
    const { key: apiKeyId, sub: organisationId, gen: tokenVersion } = subject;
    const throttled = await this.throttle('key', apiKeyId, SIGN_INS_PER_MINUTE);
    if (throttled) return throttled;
    const session = await this.sessions.beginWithApiKey({ apiKeyId, organisationId, tokenVersion }, user);
    return session ? { session } : this.fail(address);
  }

  /**
   * Sign an operator in with the code of a link, once.
   *
   * Source: choices A9, C1.
   */
  async withCode(code: string, { address, user }: Visitor): Promise<SignInOutcome> {
    const session = await this.sessions.beginWithCode(code, user);
    return session ? { session } : this.fail(address);
  }

  /**
   * Begin the sign-in of a person at the provider.
   *
   * @param next the page to open afterwards
   * @throws PageNotFound when there is no provider
   * Source: choices A9, C1.
   */
  async begin(address: string, next: string | undefined): Promise<BeginOutcome> {
    if (!this.ways.provider) throw new PageNotFound();
    const throttled = await this.throttleProvider(address);
    if (throttled) return throttled;
    const begun = this.begun.begin(next);
    const location = await this.provider.addressFor(begun);
    return location instanceof ProviderError
      ? { problem: 'unavailable' }
      : { location, begun: this.begun.signed(begun) };
  }

  /**
   * Sign in a person whom the provider leads back. Nothing is written before the state is that of the browser.
   *
   * @param query with which the provider leads back
   * @param cookie of the begun sign-in, as sent
   * @throws PageNotFound when there is no provider
   * Source: choices A9, A10, C1, C3.
   */
  async withProvider(query: SentQuery, cookie: string | undefined, visitor: Visitor): Promise<SignInOutcome> {
    const { OIDC_ROLES: roles } = this.environment;
    if (roles === undefined) throw new PageNotFound();
    const begun = this.begun.read(cookie);
    if (!begun || query.state !== begun.state) return { problem: 'not_accepted' };
    const throttled = await this.throttleProvider(visitor.address);
    if (throttled) return throttled;
    const claims = await this.provider.claimsOf(query, begun);
    if (claims instanceof ProviderError)
      return claims.isAway ? { problem: 'unavailable' } : this.fail(visitor.address);
    const person = personOf(claims, roles);
    if (typeof person === 'string') return { problem: 'no_access', reason: person };
    const limited = await this.throttle('person', `${person.issuer} ${person.subject}`, SIGN_INS_PER_MINUTE);
    if (limited) return limited;
    const tokenVersion =
      person.organisationId === null ? null : await this.sessions.tokenVersionOf(person.organisationId);
    if (tokenVersion === undefined) return { problem: 'no_access', reason: noOrganisation(roles) };
    const session = await this.sessions.beginWithPerson(
      { ...person, tokenVersion },
      begun.state,
      visitor.user,
    );
    return session ? { session, next: begun.next } : this.fail(visitor.address);
  }

  private throttleProvider(address: string): Promise<Throttled | undefined> {
    return this.throttle('address', clientSubject(address), PROVIDER_CALLS_PER_MINUTE);
  }

  private async throttle(
    limit: Throttled['limit'],
    subject: string,
    perMinute: number,
  ): Promise<Throttled | undefined> {
    const waitSeconds = await this.rateLimiter.consume(`sign-in:${subject}`, perMinute);
    return waitSeconds > 0 ? { problem: 'throttled', limit, waitSeconds } : undefined;
  }

  private async fail(address: string): Promise<SignInOutcome> {
    const waitSeconds = await this.failures.count(address);
    return waitSeconds === 0
      ? { problem: 'not_accepted' }
      : { problem: 'throttled', limit: 'failures', waitSeconds };
  }
}
