import { createHash, createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening, type Listening } from './listening.js';

/** What a forged id token has in place of what a valid one has. */
export interface Forgery {
  readonly header?: object;
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Changes the finished token. */
  readonly change?: (token: string) => string;
  /** Signs it in another way than with the key of the provider. */
  readonly signature?: (signed: string) => Buffer;
}

/** A provider whose id tokens a test forges. */
export interface ForgedProvider extends Listening {
  /** The next token. */
  forgery: Forgery;
  /** The parameters with which the sign-in was begun. */
  begun: URLSearchParams;
  /** The codes that were redeemed. */
  readonly redeemed: string[];
  /** Whether requests are held. */
  isSilent: boolean;
  /** Answer the held requests. */
  readonly held: (() => void)[];
}

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
/** A key that the provider does not publish. */
export const anotherKey: KeyObject = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;

export const signedWith =
  (key: KeyObject) =>
  (signed: string): Buffer =>
    sign('sha256', Buffer.from(signed), key);
/** With the public key as a secret, which the algorithm HS256 would take for one. */
export const signedAsSecret = (signed: string): Buffer =>
  createHmac('sha256', publicKey.export({ type: 'spki', format: 'pem' }))
    .update(signed)
    .digest();

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Start a provider on this machine. Each code signs in the operator `forged`, once or more often. */
export async function startForgedProvider(): Promise<ForgedProvider> {
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const found = answerTo(request.url ?? '', new URLSearchParams(await text(request)));
      response.setHeader('content-type', 'application/json').end(JSON.stringify(found));
    };
    if (provider.isSilent) provider.held.push(() => void answer());
    else void answer();
  });
  const provider: ForgedProvider = Object.assign(await listening(server), {
    ...{ forgery: {}, begun: new URLSearchParams(), redeemed: [], isSilent: false, held: [] },
  });

  function answerTo(path: string, form: URLSearchParams): object {
    const { url: issuer } = provider;
    if (path === '/jwks')
      return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig', alg: 'RS256' }] };
    if (path !== '/token')
      return {
        ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
        ...{ jwks_uri: `${issuer}/jwks`, code_challenge_methods_supported: ['S256'] },
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      };
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (challenge !== provider.begun.get('code_challenge'))
      throw new Error('The verifier is not the one that was begun with.');
    provider.redeemed.push(form.get('code') ?? '');
    return { access_token: 'a', token_type: 'Bearer', id_token: makeToken() };
  }

  function makeToken(): string {
    const {
      header,
      claims,
      change = (token) => token,
      signature = signedWith(privateKey),
    } = provider.forgery;
    const now = Math.floor(Date.now() / 1_000);
    const signed = [
      encoded({ alg: 'RS256', kid: 'k', ...header }),
      encoded({
        ...{ iss: provider.url, aud: 'data-import', sub: 'forged', name: 'Forged', groups: ['operators'] },
        ...{ iat: now, exp: now + 300, nonce: provider.begun.get('nonce'), ...claims },
      }),
    ].join('.');
    return change(`${signed}.${signature(signed).toString('base64url')}`);
  }

  return provider;
}
