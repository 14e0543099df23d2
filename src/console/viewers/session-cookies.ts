import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ENVIRONMENT } from '../../config/config.module.js';
import type { Environment } from '../../config/settings.js';
import { clearSessionCookie, sessionCookieOf, setSessionCookie } from './cookies.js';
import type { NewSession } from './sessions.types.js';

/** The secret of a session, and what shows that this service made it. */
const SIGNED = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

/**
 * The cookie with the secret of a session. It is signed with the first of the keys of TOKEN_SIGNING_KEY and verified with each, so
 * that a cookie which somebody made up costs no query.
 *
 * Source: choice A10.
 */
@Injectable()
export class SessionCookies {
  private readonly keys: readonly Buffer[];

  constructor(@Inject(ENVIRONMENT) { TOKEN_SIGNING_KEY = [] }: Pick<Environment, 'TOKEN_SIGNING_KEY'>) {
    this.keys = TOKEN_SIGNING_KEY.map((key) =>
      Buffer.from(hkdfSync('sha256', key, '', 'data-import console session', 32)),
    );
  }

  /** The secret of the session that a request names; nothing when it names none, or one that no key has signed. */
  secretOf(request: FastifyRequest): string | undefined {
    const [, secret = '', signature = ''] = SIGNED.exec(sessionCookieOf(request) ?? '') ?? [];
    const sent = Buffer.from(signature, 'base64url');
    const isSigned =
      secret !== '' && this.keys.some((key) => timingSafeEqual(signatureOf(key, secret), sent));
    return isSigned ? secret : undefined;
  }

  /** Give the browser the secret of its session, for as long as that lasts. */
  set(reply: FastifyReply, { secret, expiresAt }: Pick<NewSession, 'secret' | 'expiresAt'>): void {
    setSessionCookie(reply, this.signed(secret), expiresAt);
  }

  clear(reply: FastifyReply): void {
    clearSessionCookie(reply);
  }

  /** The value of the cookie of a session. */
  signed(secret: string): string {
    const [key] = this.keys;
    if (key === undefined) throw new Error('There is no token signing key.');
    return `${secret}.${signatureOf(key, secret).toString('base64url')}`;
  }
}

function signatureOf(key: Buffer, secret: string): Buffer {
  return createHmac('sha256', key).update(secret).digest();
}
