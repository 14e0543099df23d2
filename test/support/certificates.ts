import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type Extension,
} from '@peculiar/x509';

/** A certificate and its key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority that only the tests trust. */
export interface Authority {
  /** The authority's own certificate, as PEM. */
  readonly cert: string;
  /** Issues a certificate for a server's host or a client's user. */
  readonly issue: (of: { host: string } | { user: string }) => Promise<Certificate>;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

export async function createAuthority(name = 'Authority of the tests'): Promise<Authority> {
  const keys = await newKeys();
  const issuer = `CN=${name}`;
  const make = async (
    subject: string,
    publicKey: webcrypto.CryptoKey,
    extensions: Extension[],
  ): Promise<string> => {
    const certificate = await X509CertificateGenerator.create(
      {
        issuer,
        subject,
        publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: ALGORITHM,
        notBefore: new Date(Date.now() - DAY_MS),
        notAfter: new Date(Date.now() + DAY_MS),
        extensions,
      },
      webcrypto as Parameters<typeof X509CertificateGenerator.create>[1],
    );
    return certificate.toString('pem');
  };
  return {
    cert: await make(issuer, keys.publicKey, [new BasicConstraintsExtension(true, undefined, true)]),
    issue: async (of) => {
      const { publicKey, privateKey } = await newKeys();
      const names = 'host' in of ? [new SubjectAlternativeNameExtension([nameOf(of.host)])] : [];
      const cert = await make(`CN=${'host' in of ? of.host : of.user}`, publicKey, names);
      return { cert, key: pemOf(await webcrypto.subtle.exportKey('pkcs8', privateKey)) };
    },
  };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function nameOf(host: string): { type: 'ip' | 'dns'; value: string } {
  return { type: /^[\d.]+$/.test(host) ? 'ip' : 'dns', value: host };
}

function pemOf(key: ArrayBuffer): string {
  const lines =
    Buffer.from(key)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n');
}
