import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { databaseTls, type DatabaseTls } from '../config/database-tls.js';
import { systemReason } from '../config/system-reason.js';

/** The encryption options of a pg connection. */
export interface TlsConfig {
  readonly ssl: ConnectionOptions | false;
  readonly sslnegotiation: 'postgres' | 'direct';
}

/**
 * Read the certificates of an address, once for all its connections. Renewed certificates are used after a restart.
 *
 * @param url postgres:// address of one server
 * @param variables environment variables; PGSSLMODE and libpq's others apply where the address omits a parameter
 * @throws Error that names the parameter or file that cannot be used
 * Source: choice O9.
 */
export function tlsConfig(url: string, variables: NodeJS.ProcessEnv): TlsConfig {
  const tls = databaseTls(url, variables);
  // Never undefined: pg would read PGSSLMODE and give it another meaning.
  if (!tls) return { ssl: false, sslnegotiation: 'postgres' };
  return { ssl: connectionOptions(tls), sslnegotiation: tls.isDirect ? 'direct' : 'postgres' };
}

function connectionOptions({ mode, rootFile, client, keyPassword }: DatabaseTls): ConnectionOptions {
  const ca = rootFile === undefined ? undefined : contentOf('sslrootcert', rootFile);
  return {
    ...(ca !== undefined && { ca }),
    ...(client && { cert: contentOf('sslcert', client.certFile), key: contentOf('sslkey', client.keyFile) }),
    ...(keyPassword !== undefined && { passphrase: keyPassword }),
    // Like libpq, which checks the authority even with `sslmode=require` if one is given.
    rejectUnauthorized: mode !== 'require' || ca !== undefined,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
}

function contentOf(parameter: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`the file of ${parameter} cannot be read: ${systemReason(cause)}`, { cause });
  }
}
