import { hkdfSync } from 'node:crypto';
import { Signer } from '@fastify/cookie';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ENVIRONMENT, type Environment } from '../../../infrastructure/config/settings.js';
import { cookieOf } from './cookies.js';

/** The signer of the values for one kind of cookie: one of another kind is not accepted in its place. */
export function signerOf(
  { TOKEN_SIGNING_KEY = [] }: Pick<Environment, 'TOKEN_SIGNING_KEY'>,
  kind: 'session' | 'sign-in',
): InstanceType<typeof Signer> {
  return new Signer(
    TOKEN_SIGNING_KEY.map((key) =>
      Buffer.from(hkdfSync('sha256', key, '', `data-import console ${kind}`, 32)),
    ),
  );
}

/**
 * The cookie with the secret of a session. It is signed with the first key of TOKEN_SIGNING_KEY and verified with each, so
 * that a forged cookie costs no query.
 *
 * Source: choice A10.
 */
@Injectable()
export class SessionCookies {
  private readonly signer: InstanceType<typeof Signer>;

  constructor(@Inject(ENVIRONMENT) environment: Pick<Environment, 'TOKEN_SIGNING_KEY'>) {
    this.signer = signerOf(environment, 'session');
  }

  /** The secret of a request's session; undefined without a cookie that one of the keys has signed. */
  secretOf(request: FastifyRequest): string | undefined {
    return this.signer.unsign(cookieOf(request, 'session') ?? '').value ?? undefined;
  }

  /** The signed value for the session's cookie. */
  signed(secret: string): string {
    return this.signer.sign(secret);
  }
}
